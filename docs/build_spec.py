# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/SPEC.md, the list of all labelled rules, from the pages that state them.

build_spec.py DOCS            writes DOCS/SPEC.md
build_spec.py --check DOCS    exit code 1 where SPEC.md is out of date or a label stands twice
build_spec.py --self-test
"""

import pathlib
import re
import sys
import tempfile

# A page states a rule as a row of a table: the label first, then the rule.
RULE = re.compile(r"^\| ([A-Z]+-\d+) \| ([^|]*?) \|")

PAGES = [
    ("parts/dialect-spec.md", "The dialect"),
    ("parts/stream-lowering.md", "The lowerings"),
    ("parts/graph-lowering.md", "Graphs"),
    ("parts/kernels.md", "Kernels"),
    ("parts/runtime-abi.md", "The runtime ABI"),
    ("spec/device-rules.md", "The simulated device"),
    ("parts/scenarios.md", "Scenarios"),
    ("parts/oracles.md", "The oracles of order"),
]

HEAD = """# The labelled rules

A rule has a label that returns wherever the rule does: in the description of an operation or pass, beside the code
that enforces it, in the name of its test, and in the findings of a run. This page lists all of them; the page named
under each heading says with which test and, for the device, whether a program may rely on the rule. It is written by
`python3 docs/build_spec.py docs`; the test `spec-list` fails where it is out of date or a label has two meanings.
The rules of the importers stand in their descriptions: [ImportPasses](generated/ImportPasses.md).
"""


def read_rules(page):
    matches = (RULE.match(line) for line in page.read_text(encoding="utf-8").splitlines())
    return [(match[1], match[2]) for match in matches if match]


def build(docs):
    """Returns the text of SPEC.md and the labels that stand more than once."""
    text, seen, twice = HEAD, set(), []
    for name, title in PAGES:
        rules = read_rules(docs / name)
        text += f"\n## {title}\n\nFrom [{name}]({name}).\n\n| label | rule |\n|---|---|\n"
        text += "".join(f"| {label} | {rule} |\n" for label, rule in rules)
        for label, _ in rules:
            if label in seen:
                twice.append(label)
            seen.add(label)
    return text, twice


def check(docs):
    text, twice = build(docs)
    problems = [f"{label} has two meanings" for label in twice]
    spec = docs / "SPEC.md"
    if not spec.exists() or spec.read_text(encoding="utf-8") != text:
        problems.append("SPEC.md is out of date: run python3 docs/build_spec.py docs")
    return problems


def self_test():
    with tempfile.TemporaryDirectory() as root:
        docs = pathlib.Path(root)
        for name, _ in PAGES:
            (docs / name).parent.mkdir(exist_ok=True)
            (docs / name).write_text("| EVENT-1 | one |\n| text | no rule |\n" if name == PAGES[0][0] else "", "utf-8")
        assert check(docs) == ["SPEC.md is out of date: run python3 docs/build_spec.py docs"]
        (docs / "SPEC.md").write_text(build(docs)[0], "utf-8")
        assert check(docs) == []
        assert "| EVENT-1 | one |" in build(docs)[0] and "no rule" not in build(docs)[0]
        (docs / PAGES[1][0]).write_text("| EVENT-1 | another | test |\n", "utf-8")
        assert check(docs)[0] == "EVENT-1 has two meanings"


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    docs = pathlib.Path(arguments[-1])
    if arguments[0] == "--check":
        return sys.exit("\n".join(check(docs)) or None)
    (docs / "SPEC.md").write_text(build(docs)[0], "utf-8")
    return None


main()
