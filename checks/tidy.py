# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Style checks: python3 checks/tidy.py [ROOT]. Prints one line a finding; exit status 1 where there is any."""

import pathlib
import sys

from rules import FAMILIES
from tree import Tree


def main(arguments):
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    tree = Tree(root)
    if not tree.texts:
        print(f"{root}: no files to check", file=sys.stderr)
        return 2
    findings = sorted({finding for family in FAMILIES for finding in family.check(tree)})
    for finding in findings:
        print(finding)
    print(f"{len(tree.texts)} files, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
