# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two backends: the same file stems, and in each file the same mgpu functions in the same order.

side_by_side.py FOLDER FOLDER     exit code 1 where they differ
side_by_side.py --self-test       the comparison sees each kind of difference
"""

import pathlib
import re
import sys
import tempfile

FUNCTION = re.compile(r"^[\w *]*?\b(mgpu\w+)\(", re.MULTILINE)
# The vendor's declarations are named after the vendor; AMD has no tensor maps, so their shared state needs no header.
OWN = {"CudaApi.h", "HipApi.h", "TensorMaps.h"}


def read(folder):
    files = (path for pattern in ("*.cpp", "*.h", "*.def") for path in folder.glob(pattern))
    return {path.name: FUNCTION.findall(path.read_text()) for path in files if path.name not in OWN}


def compare(left, right):
    one, two = read(left), read(right)
    problems = [f"{name}: only one of the two has it" for name in sorted(one.keys() ^ two.keys())]
    for name in sorted(one.keys() & two.keys()):
        if one[name] != two[name]:
            problems.append(f"{name}: functions {one[name]} and {two[name]}")
    if not any(one.values()):
        problems.append(f"{left}: no mgpu function found")
    return problems


def self_test():
    def problems(left, right):
        with tempfile.TemporaryDirectory() as work:
            for side, files in (("left", left), ("right", right)):
                folder = pathlib.Path(work, side)
                folder.mkdir()
                for name, text in files.items():
                    (folder / name).write_text(text)
            return len(compare(pathlib.Path(work, "left"), pathlib.Path(work, "right")))

    both = "void mgpuA() {}\nvoid *mgpuB(int x) {}\n"
    assert problems({"A.cpp": both}, {"A.cpp": both}) == 0
    assert problems({"A.cpp": both}, {"A.cpp": "void *mgpuB(int x) {}\nvoid mgpuA() {}\n"}) == 1
    assert problems({"A.cpp": both, "B.cpp": ""}, {"A.cpp": both}) == 1
    assert problems({"A.cpp": ""}, {"A.cpp": ""}) == 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found = compare(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    print("\n".join(found))
    sys.exit(bool(found))
