# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that the checks look at, and what a check reports."""

import os
import pathlib
import subprocess
from typing import NamedTuple


class Finding(NamedTuple):
    """One breach of one rule. Line 0 stands for the file as a whole."""

    path: str
    line: int
    message: str
    rule: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message} ({self.rule})"


class Tree:
    """The text files of a checkout, by path relative to its root and in sorted order.

    Where git knows the checkout, its tracked files are the tree, together with new files that it does not ignore;
    elsewhere every file outside build/ and hidden folders of tools is.
    """

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.texts = {}
        for path in self._list_with_git() or self._walk():
            text = self._read(path)
            if text is not None:
                self.texts[path] = text

    def paths(self, *suffixes):
        """Paths that end in one of the suffixes, or all."""
        return [path for path in self.texts if not suffixes or path.endswith(suffixes)]

    def lines(self, path):
        """Numbered lines of a file, from 1, without line ends."""
        return enumerate(self.texts[path].split("\n"), start=1)

    def _list_with_git(self):
        if not (self.root / ".git").exists():
            return None
        command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            result = subprocess.run(command, capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None  # No git here, or a checkout of another user: the walk sees the same sources.
        return sorted(set(result.stdout.decode().split("\0")) - {""})

    def _walk(self):
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", "build", "__pycache__")]
            found += [os.path.relpath(os.path.join(folder, name), self.root) for name in files]
        return sorted(path for path in found if path != ".git")

    def _read(self, path):
        full = self.root / path
        if full.is_symlink() or not full.is_file():
            return None
        try:
            return full.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return None


CPP_SUFFIXES = (".cpp", ".h", ".def", ".c")


def is_test_input(path):
    """True for data of tests, which may break any rule on purpose."""
    return "Inputs" in path.split("/")
