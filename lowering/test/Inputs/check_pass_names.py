# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the names of each pass line up: check_pass_names.py FOLDER, with *.td, sources and test/ in it."""

import pathlib
import re
import sys


def check(folder):
    problems = []
    for td in sorted(folder.glob("*.td")):
        for name, flag in re.findall(r'^def (\w+) : (?:\w+)?Pass<\s*"([\w-]+)"', td.read_text(), re.MULTILINE):
            stem = "".join(part[:1].upper() + part[1:] for part in flag.split("-"))
            if name != stem + "Pass":
                problems.append(f"'{flag}' should be declared as 'def {stem}Pass', not 'def {name}'")
            source = folder / f"{stem}.cpp"
            line = f'#define DEBUG_TYPE "{flag}"'
            if not source.is_file():
                problems.append(f"{flag}: no source file {source.name}")
            elif line not in source.read_text().splitlines():
                problems.append(f"{flag}: {source.name} has no line '{line}'")
            if not (folder / "test" / f"{flag}.mlir").is_file():
                problems.append(f"{flag}: no test test/{flag}.mlir")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    for problem in found:
        print(problem, file=sys.stderr)
    sys.exit(1 if found else 0)
