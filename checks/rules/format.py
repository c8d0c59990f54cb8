# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formatting of C++: what clang-format would change. Each folder's .clang-format counts."""

import re
import shutil
import subprocess

from tree import Finding, is_test_input

CLANG_FORMAT_VERSION = "22"
CLANG_FORMAT_NAME = f"clang-format-{CLANG_FORMAT_VERSION}"
COMPLAINT = re.compile(r"^(.*?):(\d+):\d+: (?:error|warning): (.*?)(?: \[-W[\w-]+\])?$", re.MULTILINE)


def find_clang_format():
    """The program of the right major version, for versions disagree about details; None where it is not installed."""
    for name in (CLANG_FORMAT_NAME, "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {CLANG_FORMAT_VERSION}\.", version):
                return program
    return None


def check(tree, program="search"):
    files = [path for path in tree.paths(".cpp", ".h", ".c") if not is_test_input(path)]
    if not files:
        return
    if program == "search":
        program = find_clang_format()
    if program is None:
        yield Finding(files[0], 0, f"clang-format {CLANG_FORMAT_VERSION} is not installed", "format")
        return
    command = [program, "--dry-run", "-Werror", "--style=file", *files]
    result = subprocess.run(command, cwd=tree.root, capture_output=True, text=True)
    complaints = COMPLAINT.findall(result.stderr)
    seen = set()
    for path, line, message in complaints:
        if (path, line) not in seen:
            seen.add((path, line))
            yield Finding(path, int(line), f"{message}; run {CLANG_FORMAT_NAME} -i on it", "format")
    if result.returncode and not complaints:
        yield Finding(files[0], 0, f"clang-format failed: {result.stderr.strip()[:200]}", "format")
