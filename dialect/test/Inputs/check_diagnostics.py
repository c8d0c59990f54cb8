# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each diagnostic of some C++ files is expected by some test.

check_diagnostics.py --source FILE… --tests FILE…

A diagnostic is a call of emitOpError, emitError, emitMismatch or refuse: its string literals, in order, must appear in
one `expected-error` of the tests. Exit code 1 names those that do not.
"""

import argparse
import re
import sys

CALL = re.compile(r"\b(emitOpError|emitError|emitMismatch|refuse)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
EXPECTED = re.compile(r"expected-error(?:-re)?\s*(?:@\S+)?\s*\{\{(.*?)\}\}")


def statements(source):
    """The text of each diagnostic's statement, from the call to the semicolon, without definitions of helpers."""
    source = re.sub(r"(?m)^\s*//.*$", "", source)
    for match in CALL.finditer(source):
        line_start = source.rfind("\n", 0, match.start()) + 1
        if re.match(r"static |template", source[line_start:]):
            continue
        end = source.find(";", match.end())
        yield match.group(1), source[match.start() : end]


def diagnostics(source):
    """The pieces of fixed text of each diagnostic."""
    for call, text in statements(source):
        literals = LITERAL.findall(text)
        if call in ("emitMismatch", "refuse"):
            literals = literals[:1]
        pieces = [literal for literal in literals if literal.strip()]
        if pieces:
            yield pieces


def is_expected(pieces, expected):
    pattern = re.compile(".*".join(re.escape(piece) for piece in pieces))
    return any(pattern.search(message) for message in expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", nargs="+", required=True)
    parser.add_argument("--tests", nargs="+", required=True)
    arguments = parser.parse_args()
    expected = []
    for path in arguments.tests:
        with open(path, encoding="utf-8") as file:
            expected += EXPECTED.findall(file.read())
    missing, total = [], 0
    for path in arguments.source:
        with open(path, encoding="utf-8") as file:
            for pieces in diagnostics(file.read()):
                total += 1
                if not is_expected(pieces, expected):
                    missing.append(f"{path}: no test expects: {' … '.join(pieces)}")
    if total == 0:
        missing.append("no diagnostic found: the patterns of this script no longer fit the sources")
    print("\n".join(missing) or f"{total} diagnostics, each expected by a test")
    sys.exit(1 if missing else 0)


main()
