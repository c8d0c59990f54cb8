# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may include whom: section 2 of the design, as a table.

The libraries of a part and its tests obey the same row; tests may include the test frameworks besides, and may
compare with a vendor's header where one is installed.
"""

import re
from typing import NamedTuple

from tree import CPP_SUFFIXES, Finding, is_test_input


class Row(NamedTuple):
    """What the files of one folder may include."""

    parts: tuple  # Folders or single files of this repository, besides the part itself.
    external: tuple  # Folders of LLVM's and MLIR's headers.


LLVM = ("llvm/", "llvm-c/")
MLIR = LLVM + ("mlir/", "mlir-c/")
TEST_FRAMEWORKS = ("gtest/", "gmock/", "benchmark/")
VENDOR = re.compile(r"^(cuda|cudaTypedefs|nvrtc|hip/|hsa/|cuda_runtime)")

TABLE = {
    "dialect": Row((), MLIR),
    "runtime-api": Row((), ()),
    "runtime-cuda": Row(("runtime-api/",), ()),
    "runtime-hip": Row(("runtime-api/",), ()),
    "simgpu": Row(("runtime-api/DriverControl.h",), LLVM),
    "lowering": Row(("dialect/", "runtime-api/Symbols.def", "runtime-api/Mgpu.h", "runtime-api/Expect.h",
                     "runtime-api/Trace.h"), MLIR),
    "reports": Row((), LLVM),
    "harness": Row(("dialect/", "lowering/", "runtime-api/", "reports/Results.h"), MLIR),
    "suites": Row(("harness/",), MLIR),
    "tools": Row(("dialect/", "lowering/", "runtime-api/", "reports/", "harness/"), MLIR),
    "cmake": Row((), MLIR),
    "checks": Row((), ()),
}
INCLUDE = re.compile(r'^\s*#?\s*include\s+(["<])([^">]+)[">]')


def check(tree):
    for path in tree.paths(*CPP_SUFFIXES, ".td"):
        if is_test_input(path):
            continue
        part = path.split("/")[0]
        if part not in TABLE:
            yield Finding(path, 0, f"folder '{part}' has no row in the table of this check", "include")
            continue
        for number, line in tree.lines(path):
            match = INCLUDE.match(line)
            message = match and judge(tree, path, part, match.group(1), match.group(2))
            if message:
                yield Finding(path, number, message, "include")


def judge(tree, path, part, quote, name):
    """Says what is wrong with one include, or nothing."""
    row = TABLE[part]
    is_test = "test" in path.split("/")
    if VENDOR.match(name):
        return None if is_test else f"'{name}': a vendor's header, which only tests may include"
    if name.startswith(MLIR):
        return None if name.startswith(row.external) else f"{part} may not include '{name}'"
    if name.startswith(TEST_FRAMEWORKS):
        return None if is_test else f"'{name}' belongs in a test folder"
    if quote == "<":
        return None
    owner = name.split("/")[0]
    if part == "cmake" and f"cmake/{name}" in tree.texts:
        return None  # The precompiled header: CMake includes it by its full path, without this repository's folders.
    if owner not in TABLE:
        return f"'{name}' is not a path from the root of the repository"
    if owner != part and not name.startswith(row.parts):
        return f"{part} may not include '{name}'"
    if not name.endswith(".inc") and name not in tree.texts:
        return f"'{name}' does not exist"
    return None
