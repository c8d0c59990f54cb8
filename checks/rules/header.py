# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""License lines and header guards."""

import re

from tree import Finding, is_test_input

LICENSE_LINES = (
    "Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.",
    "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
)
SLASH_SUFFIXES = (".cpp", ".h", ".def", ".c", ".td")
HASH_SUFFIXES = (".py", ".sh", ".cmake", ".in", "CMakeLists.txt")


def check(tree):
    for path in tree.paths():
        if is_test_input(path):
            continue
        yield from check_license(tree, path)
        if path.endswith(".h"):
            yield from check_guard(tree, path)


def comment_mark(tree, path):
    if path.endswith(SLASH_SUFFIXES):
        return "//"
    if path.endswith(HASH_SUFFIXES) or tree.texts[path].startswith("#!"):
        return "#"
    return None


def check_license(tree, path):
    mark = comment_mark(tree, path)
    if mark is None:
        return
    lines = tree.texts[path].split("\n")
    first = 1 if lines[0].startswith("#!") else 0
    for offset, expected in enumerate(LICENSE_LINES):
        number = first + offset
        if number >= len(lines) or lines[number] != f"{mark} {expected}":
            yield Finding(path, number + 1, f"expected the license line '{mark} {expected}'", "license")
            return


def check_guard(tree, path):
    guard = "LOCKSTEP_" + re.sub(r"[^A-Z0-9]", "_", path.upper())
    directives = [(number, line.strip()) for number, line in tree.lines(path) if line.startswith("#")]
    expected = (f"#ifndef {guard}", f"#define {guard}")
    for index, line in enumerate(expected):
        number, found = directives[index] if index < len(directives) else (0, "nothing")
        if found != line:
            yield Finding(path, number, f"expected '{line}', found '{found}'", "header-guard")
            return
    number, found = directives[-1]
    if found not in ("#endif", f"#endif // {guard}"):
        yield Finding(path, number, f"expected '#endif // {guard}' or no comment, found '{found}'", "header-guard")
