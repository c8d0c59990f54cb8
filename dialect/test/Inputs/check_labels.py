# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each labelled rule of the dialect is in the specification and is checked somewhere.

check_labels.py --rules TD… --spec PAGE --evidence FILE…

A rule is a label in parentheses in a description, such as (ALLOC-1). It must have a row in the page, the page may have
rows for rules that exist only, and the label must appear in a file of the evidence: a verifier's comment or a test (there
also in small letters with underscores, as a function's name). Rows that name a test outside the dialect, in the
column "where checked", need no evidence here. Exit code 1 names what is missing.
"""

import argparse
import re
import sys

RULE = re.compile(r"\(([A-Z]+-\d+)\)")
ROW = re.compile(r"^\| ([A-Z]+-\d+) \|[^|]*\|([^|]*)\|", re.MULTILINE)


def read(paths):
    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def is_mentioned(label, text):
    names = [label, label.lower().replace("-", "_")]
    return any(re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![0-9])", text) for name in names)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", nargs="+", required=True)
    parser.add_argument("--spec", required=True)
    parser.add_argument("--evidence", nargs="+", required=True)
    arguments = parser.parse_args()
    rules = set(RULE.findall(read(arguments.rules)))
    rows = dict(ROW.findall(read([arguments.spec])))
    evidence = read(arguments.evidence)
    failures = [f"{label}: no row in the specification" for label in sorted(rules - rows.keys())]
    failures += [f"{label}: a row for a rule that no description has" for label in sorted(rows.keys() - rules)]
    failures += [f"{label}: neither a verifier nor a test mentions it" for label in sorted(rules & rows.keys())
                 if "dialect" in rows[label] and not is_mentioned(label, evidence)]
    if not rules:
        failures.append("no rule found")
    print("\n".join(failures) or f"{len(rules)} rules, each specified and checked")
    sys.exit(1 if failures else 0)


main()
