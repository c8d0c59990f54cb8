# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of the simulated device against their tests, in both directions.

RULES states each rule as a row of a table that begins with its label and ends with the names of its tests. ROWS lists
what the rules rest on, one statement a row: statement, class, label, source, tests. A test shows the rule STREAM-1 if
its name begins with STREAM_1_. In tables a name may end in '*', which stands for the rest of it.
"""

import fnmatch
import re

from tree import Finding

RULES = "docs/spec/device-rules.md"
ROWS = "docs/spec/device-rows.md"
TESTS = "simgpu/test/"

LABEL = re.compile(r"[A-Z]+-\d+")
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
TEST_OF_LABEL = re.compile(r"([A-Z]+)_(\d+)_")
PATTERN = re.compile(r"`([A-Z]\w*\.\w+\*?)`")


def check(tree):
    tests = read_tests(tree)
    rules = {}
    for number, cells in table_rows(tree, RULES):
        patterns = PATTERN.findall(cells[-1])
        yield from unmatched(RULES, number, patterns, tests)
        if LABEL.fullmatch(cells[0]):
            rules[cells[0]] = patterns
            if not any(label_of(name) == cells[0] for name in matching(patterns, tests)):
                yield Finding(RULES, number, f"rule {cells[0]} has no test of its name", "rule-test")
    for name, (path, number) in tests.items():
        label = label_of(name)
        if label and label not in rules:
            yield Finding(path, number, f"{name}: {RULES} has no rule {label}", "rule-test")
        elif label and not any(fnmatch.fnmatchcase(name, pattern) for pattern in rules[label]):
            yield Finding(path, number, f"{name}: the row of {label} in {RULES} does not name it", "rule-test")
    for number, cells in table_rows(tree, ROWS):
        yield from check_row(number, cells, rules, tests)


def check_row(number, cells, rules, tests):
    if len(cells) != 5 or cells[2] == "label":
        return
    _, kind, label, _, last = cells
    patterns = PATTERN.findall(last)
    if kind not in ("must", "may"):
        yield Finding(ROWS, number, f"class '{kind}' is neither must nor may", "rule-test")
    if label not in rules:
        yield Finding(ROWS, number, f"{RULES} has no rule {label}", "rule-test")
    if not patterns:
        yield Finding(ROWS, number, "row without a test", "rule-test")
    yield from unmatched(ROWS, number, patterns, tests)


def read_tests(tree):
    """Suite.Name → (path, line)."""
    tests = {}
    for path in tree.paths(".cpp"):
        if path.startswith(TESTS):
            text = tree.texts[path]
            for match in TEST.finditer(text):
                tests[".".join(match.groups())] = (path, text.count("\n", 0, match.start()) + 1)
    return tests


def table_rows(tree, path):
    """(line, cells) of each row of a table, but not of the lines of dashes."""
    if path not in tree.texts:
        return
    for number, line in tree.lines(path):
        if line.startswith("| "):
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def label_of(name):
    match = TEST_OF_LABEL.match(name.split(".")[1])
    return f"{match[1]}-{match[2]}" if match else None


def matching(patterns, tests):
    return [name for name in tests if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def unmatched(path, number, patterns, tests):
    for pattern in patterns:
        if not matching([pattern], tests):
            yield Finding(path, number, f"'{pattern}' is the name of no test in {TESTS}", "rule-test")
