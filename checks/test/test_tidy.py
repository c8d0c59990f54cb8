# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import shutil
import subprocess
import sys
import unittest

from tree_case import TreeCase

TIDY = pathlib.Path(__file__).resolve().parent.parent / "tidy.py"


class CommandLine(TreeCase):
    def tidy(self, *arguments):
        command = [sys.executable, "-B", str(TIDY), *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def test_clean_tree(self):
        self.tree({"README.md": "Text.\n"})
        result = self.tidy(str(self.root))
        self.assertEqual((0, ""), (result.returncode, result.stdout))

    def test_findings_have_file_line_and_rule(self):
        self.tree({"README.md": "Text.\nText. \n"})
        result = self.tidy(str(self.root))
        self.assertEqual("README.md:2: blanks at the end of the line (trailing-blank)\n", result.stdout)
        self.assertEqual(1, result.returncode)

    def test_wrong_usage_and_empty_tree(self):
        self.assertEqual(2, self.tidy("--no-such-option").returncode)
        self.assertEqual(2, self.tidy(str(self.root)).returncode)

    @unittest.skipUnless(shutil.which("git"), "git is not installed, and Lockstep does not need it")
    def test_git_decides_what_is_checked(self):
        self.tree({".gitignore": "ignored/\n", "ignored/a.md": "x \n", "untracked.md": "x \n"})
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        result = self.tidy(str(self.root))
        self.assertEqual("untracked.md:1: blanks at the end of the line (trailing-blank)\n", result.stdout)

    def test_without_git_the_build_folder_is_left_out(self):
        self.tree({"build/a.md": "x \n", "a.md": "x\n"})
        self.assertEqual("", self.tidy(str(self.root)).stdout)
