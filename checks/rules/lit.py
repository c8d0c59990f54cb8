# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directives of lit tests that look right and test nothing.

A misspelt `expected-err` is a comment to the tool, a CHECK line whose prefix no RUN line names is one to FileCheck,
and a RUN line without a checker passes whatever the tool prints.
"""

import re

from tree import Finding, is_test_input

DIAGNOSTIC = re.compile(r"\bexpected-([A-Za-z-]+)")
DIAGNOSTIC_KINDS = ("error", "warning", "note", "remark")
DIAGNOSTIC_REST = re.compile(r"\s*(@(above|below|unknown|[+-]\d+)\s*)?(\d+\+?\s*)?\{\{")

KEYWORDS = ("RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "DEFINE", "REDEFINE", "ALLOW_RETRIES", "END", "COM")
SUFFIX = r"-(?:NEXT|SAME|DAG|NOT|LABEL|EMPTY|COUNT-\d+)"
DIRECTIVE = re.compile(r"^\s*(?://|#|;)?\s*([A-Z][A-Z0-9_-]*)(\{LITERAL\})?:")
SUFFIX_AT_END = re.compile(SUFFIX + "$")
PREFIX_OPTION = re.compile(r"--?check-prefix(?:es)?[= ]([A-Za-z0-9_,-]+)")
FILECHECK = re.compile(r"\bFileCheck\b([^|&;]*)")

# Commands whose exit status is a verdict, and commands that only prepare a later line.
CHECKERS = re.compile(
    r"\bFileCheck\b|-verify-diagnostics|-verify-roundtrip|(^|[\s;&|])not\s|\b(diff|cmp|count|grep|test|nm)\b"
    r"|\bpython3?\b|%python|\blockstep (run|doctor|list)\b|\s-check\b"
)
PREPARATION = re.compile(
    r"^\s*(rm|mkdir|cp|mv|ln|cd|echo|printf|sed|touch|chmod|export|env|split-file)\b|(-o\s*|>\s*)%\S*t\b|(-o\s*|>\s*)%t"
)


def check(tree):
    for path in tree.paths(".mlir", ".test"):
        if "test" in path.split("/") and not is_test_input(path):
            yield from check_file(tree, path)


def check_file(tree, path):
    runs = run_lines(tree, path)
    if not runs:
        yield Finding(path, 0, "no RUN line", "lit-run")
        return
    yield from check_runs(path, runs)
    yield from check_diagnostics(tree, path, any("-verify-diagnostics" in command for _, command in runs))
    yield from check_prefixes(tree, path, runs)


def run_lines(tree, path):
    """(line number, command) of each RUN line, continuations joined."""
    runs = []
    continued = False
    for number, line in tree.lines(path):
        match = re.search(r"\bRUN:\s*(.*?)\s*$", line)
        if not match:
            continue
        text = match.group(1)
        if continued:
            first, command = runs[-1]
            runs[-1] = (first, f"{command} {text.removesuffix(chr(92))}")
        else:
            runs.append((number, text.removesuffix(chr(92))))
        continued = text.endswith(chr(92))
    return runs


def check_runs(path, runs):
    for number, command in runs:
        if not CHECKERS.search(command) and not PREPARATION.search(command):
            yield Finding(path, number, "RUN line with no checker: nothing looks at what it prints", "lit-checker")
    if not any(CHECKERS.search(command) for _, command in runs):
        yield Finding(path, runs[0][0], "no RUN line of this test has a checker", "lit-checker")


def check_diagnostics(tree, path, verifies):
    for number, line in tree.lines(path):
        if "//" not in line:
            continue
        for match in DIAGNOSTIC.finditer(line, line.index("//")):
            kind = match.group(1).removesuffix("-re")
            rest = line[match.end() :]
            directive = DIAGNOSTIC_REST.match(rest)
            if kind not in DIAGNOSTIC_KINDS:
                if directive or rest.lstrip().startswith(("@", "{{")):
                    yield Finding(path, number, f"unknown directive '{match.group()}'", "lit-expected")
            elif not directive and rest.lstrip().startswith(("@", "{", ":")):
                yield Finding(path, number, f"'{match.group()}' needs {{{{text}}}} after it", "lit-expected")
            elif directive and not verifies:
                yield Finding(path, number, f"'{match.group()}' without -verify-diagnostics", "lit-expected")


def check_prefixes(tree, path, runs):
    defined = defined_prefixes(runs)
    used = set()
    for number, line in tree.lines(path):
        match = DIRECTIVE.match(line)
        if not match or match.group(1) in KEYWORDS:
            continue
        word = match.group(1)
        prefix = SUFFIX_AT_END.sub("", word)
        if word in defined or prefix in defined:
            used.add(word if word in defined else prefix)
        elif looks_like_directive(word, prefix, defined):
            yield Finding(path, number, f"no RUN line defines the prefix of '{word}'", "lit-prefix")
    for prefix, (number, checks_itself) in defined.items():
        if checks_itself and prefix not in used:
            yield Finding(path, number, f"prefix '{prefix}' has no directive in this file", "lit-prefix")


def defined_prefixes(runs):
    """Prefix → (line of the RUN line that defines it, whether that line checks against this very file)."""
    defined = {}
    for number, command in runs:
        for arguments in FILECHECK.findall(command):
            checks_itself = re.search(r"%s\b", arguments) is not None
            named = PREFIX_OPTION.findall(arguments)
            for prefix in ",".join(named).split(",") if named else ["CHECK"]:
                _, before = defined.get(prefix, (0, False))
                defined[prefix] = (number, checks_itself or before)
    return defined


def looks_like_directive(word, prefix, defined):
    """True for what a reader would take for a FileCheck directive: a suffix, a known first part, a CHECK misspelt."""
    if prefix != word or "CHECK" in word or any(word.startswith(f"{name}-") for name in defined):
        return True
    return sorted(word[:5]) == sorted("CHECK")
