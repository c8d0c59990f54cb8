# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of the simulated device: their list, whether they still apply, and what the rule tests say about each."""

import pathlib
import subprocess
import tomllib
from typing import NamedTuple

from rules.coverage import RULES, label_of

LIST = "simgpu/test/mutants/mutants.toml"


class Mutant(NamedTuple):
    """A fault: in `file`, `new` stands in place of `old`, which breaks what `rule` promises."""

    rule: str
    file: str
    old: str
    new: str

    def line(self, text):
        return text.count("\n", 0, text.index(self.old)) + 1


class Verdict(NamedTuple):
    """`failing`: the tests that noticed it. `problem`: why there is no answer, or ''."""

    mutant: Mutant
    failing: list
    problem: str = ""

    @property
    def is_killed(self):
        return bool(self.failing) and not self.problem

    def __str__(self):
        if self.problem:
            return f"NO ANSWER: {self.problem}"
        own = sum(label_of(name) == self.mutant.rule for name in self.failing)
        return f"killed by {len(self.failing)} tests, {own} of {self.mutant.rule}" if self.failing else "SURVIVED"


def load(root):
    with open(pathlib.Path(root) / LIST, "rb") as file:
        return [Mutant(**entry) for entry in tomllib.load(file)["mutant"]]


def problems(root, mutants):
    """What keeps mutants from being applied."""
    root = pathlib.Path(root)
    rules = (root / RULES).read_text(encoding="utf-8")
    for mutant in mutants:
        path = root / mutant.file
        count = path.read_text(encoding="utf-8").count(mutant.old) if path.is_file() else 0
        name = f"{mutant.rule}, {mutant.file}"
        if count != 1:
            yield f"{name}: this text stands {count} times in the file, not once: {mutant.old!r}"
        if mutant.old == mutant.new:
            yield f"{name}: the mutant changes nothing"
        if f"| {mutant.rule} |" not in rules:
            yield f"{name}: {RULES} has no such rule"


def judge(root, mutant, build, test):
    """Applies one mutant to the tree at `root`, and takes it back.

    `build()` raises CalledProcessError where the tree does not compile; `test()` gives the names of the tests that
    fail, and raises TimeoutExpired where there is no end.
    """
    path = pathlib.Path(root) / mutant.file
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        build()
        return Verdict(mutant, test())
    except subprocess.CalledProcessError:
        return Verdict(mutant, [], "it does not compile")
    except subprocess.TimeoutExpired:
        return Verdict(mutant, ["without.end"])
    finally:
        path.write_text(text, encoding="utf-8")
