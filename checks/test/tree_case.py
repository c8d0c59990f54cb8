# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the rules share: a tree made of a few files."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from tree import Tree  # noqa: E402  (the path above comes first)


class TreeCase(unittest.TestCase):
    """A test case that writes files into a fresh folder and runs one rule family over it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def tree(self, files):
        for path, text in files.items():
            full = self.root / path
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text)
        return Tree(self.root)

    def findings(self, family, files):
        """(path, line, rule) of each finding, sorted."""
        return sorted((found.path, found.line, found.rule) for found in family.check(self.tree(files)))

    def assert_clean(self, family, files):
        self.assertEqual([], [str(found) for found in family.check(self.tree(files))])
