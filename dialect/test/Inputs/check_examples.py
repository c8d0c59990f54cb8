# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the examples in generated op documentation.

check_examples.py PAGE

Reads a page of mlir-tblgen -gen-op-doc. Each operation has at least one fenced block of MLIR, and lockstep-opt parses,
verifies and prints all of them again. Exit code 1 says which operation has none or what lockstep-opt complained about.
"""

import re
import subprocess
import sys

OP = re.compile(r"^#+ `([a-z0-9_]+\.[a-z0-9_.]+)`", re.MULTILINE)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.DOTALL)


def examples(page):
    """Pairs of an operation's name and the examples of its section."""
    heads = list(OP.finditer(page))
    for head, following in zip(heads, heads[1:] + [None]):
        section = page[head.end() : following.start() if following else len(page)]
        yield head.group(1), BLOCK.findall(section)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(examples(file.read()))
    failures = [f"{name} has no example" for name, blocks in found if not blocks]
    failures += [f"{name} is not used in its example" for name, blocks in found
                 if blocks and not any(name in block for block in blocks)]
    if not found:
        failures.append("no operation found in the page")
    for name, blocks in found:
        for block in blocks:
            run = subprocess.run(["lockstep-opt", "--verify-roundtrip", "-"], input=block, text=True,
                                 capture_output=True, check=False)
            if run.returncode != 0:
                failures.append(f"the example of {name} is wrong:\n{run.stderr}")
    print("\n".join(failures) or f"{sum(len(blocks) for _, blocks in found)} examples of {len(found)} operations hold")
    sys.exit(1 if failures else 0)


main()
