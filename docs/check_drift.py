# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the committed reference pages with those that TableGen writes now.

check_drift.py COMMITTED GENERATED
check_drift.py --self-test

Exit code 1 lists each page that differs, is missing or is left over.
"""

import pathlib
import sys
import tempfile


def find_drift(committed, generated):
    old = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(committed).glob("*.md")}
    new = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(generated).glob("*.md")}
    drift = [f"{name}: is not committed" for name in sorted(new.keys() - old.keys())]
    drift += [f"{name}: nothing generates it" for name in sorted(old.keys() - new.keys())]
    drift += [f"{name}: is out of date" for name in sorted(new.keys() & old.keys()) if new[name] != old[name]]
    return drift


def self_test():
    with tempfile.TemporaryDirectory() as root:
        committed, generated = pathlib.Path(root, "committed"), pathlib.Path(root, "generated")
        committed.mkdir()
        generated.mkdir()
        for name, old, new in [("A.md", "same", "same"), ("B.md", "old", "new"), ("C.md", None, "new"),
                               ("D.md", "old", None)]:
            if old is not None:
                (committed / name).write_text(old, encoding="utf-8")
            if new is not None:
                (generated / name).write_text(new, encoding="utf-8")
        found = find_drift(committed, generated)
    expected = ["C.md: is not committed", "D.md: nothing generates it", "B.md: is out of date"]
    if found != expected:
        sys.exit(f"expected {expected}\nactual {found}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    drift = find_drift(sys.argv[1], sys.argv[2])
    if drift:
        sys.exit("\n".join(drift) + "\nrun: cmake --build build/ci --target lockstep-docs, and commit docs/generated")
    return None


main()
