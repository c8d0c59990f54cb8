# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that hold for every text file, whatever its language."""

import re

from tree import Finding, is_test_input

LINE_LENGTH_MAX = 120
FILE_LENGTH_MAX = 1000

# Spelled so that this file does not contain the words that it looks for.
LEFTOVER_WORDS = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX")) + r")\b")
MACHINE_PATHS = re.compile(r"(?<![\w.})%*])/(" + "|".join(("work", "root", "tmp/" + "wt")) + r")(/|\b)")
REGISTRY_HOSTS = re.compile(
    r"(https?://[^\s/]*(registry|artifactory|nexus|mirror|pypi|npmjs|pythonhosted|debian|ubuntu|snapshot)[^\s/]*)", re.I
)


def check(tree):
    for path in tree.paths():
        if path == "LICENSE" or path.startswith("docs/generated/") or is_test_input(path):
            continue
        yield from check_lines(tree, path)
        yield from check_shape(tree, path)


def check_lines(tree, path):
    for number, line in tree.lines(path):
        if len(line) > LINE_LENGTH_MAX and not may_be_long(path, line):
            yield Finding(path, number, f"line of {len(line)} characters, at most {LINE_LENGTH_MAX}", "line-length")
        if line != line.rstrip():
            yield Finding(path, number, "blanks at the end of the line", "trailing-blank")
        if "\t" in line:
            yield Finding(path, number, "tab; indent with spaces", "tab")
        word = LEFTOVER_WORDS.search(line)
        if word:
            yield Finding(path, number, f"leftover '{word.group()}'; do it or open an issue", "leftover")
        machine_path = MACHINE_PATHS.search(line)
        if machine_path:
            yield Finding(path, number, f"'{machine_path.group()}' is a path of one machine", "machine-path")
        host = REGISTRY_HOSTS.search(line)
        if host:
            yield Finding(path, number, f"'{host.group()}' is a package source of one machine", "registry-host")


def may_be_long(path, line):
    """IR and rows of tables cannot be wrapped; an address cannot either."""
    if path.endswith(".def"):
        return not line.lstrip().startswith("//")
    return path.endswith((".mlir", ".test")) or (path.endswith(".md") and (line.startswith("|") or "://" in line))


def check_shape(tree, path):
    text = tree.texts[path]
    if text and not text.endswith("\n"):
        yield Finding(path, text.count("\n") + 1, "no newline at the end of the file", "final-newline")
    if text.endswith("\n\n"):
        yield Finding(path, text.count("\n"), "blank line at the end of the file", "final-newline")
    lines = text.count("\n")
    if lines > FILE_LENGTH_MAX:
        yield Finding(path, 0, f"{lines} lines, at most {FILE_LENGTH_MAX}; split it by concept", "file-length")
