# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Removes each dependency of each program of a folder in turn and demands that the simulator finds each removal.

negative_suite.py WORK FOLDER [--lowered NAME] [--except PROGRAM[,PROGRAM…]]

As negative_proof.py, which does one program thoroughly, but in a few runs over all programs, each of what the one
before left: every removal under `lazy`, then with independent work in front of the operation, so that no stream orders
what no chain does, under `lazy`, `random:20` and `random:300`. A removal that lockstep-drop-edge shows to be implied by the
rest of the program must not be found by any. Prints the removals that are not as they should be, and a summary.
"""

import argparse
import json
import pathlib
import sys

from negative_proof import call_variants, chain_variants, failing_schedules, run

IMPLIED = " (implied)"


class Removal:
    """One program without one dependency."""

    def __init__(self, program, number, description):
        self.program = program
        self.number = number
        self.name = f"{program.stem}-{number:03}.mlir"
        self.description = f"{program.name} {number}: {description}"
        self.is_implied = description.endswith(IMPLIED)
        self.is_found = False
        self.problem = None


def write_removals(folder, excepted, lowered, work):
    removals = []
    for program in sorted(folder.glob("*.mlir")):
        if program.stem in excepted:
            continue
        variants = call_variants(program, work, lowered) if lowered else chain_variants(program)
        for number, description, text in variants:
            removal = Removal(program, number, description)
            (work / removal.name).write_text(text)
            removals.append(removal)
    return removals


def put_work_beside(removals, work):
    """Writes the programs anew, with independent work in front of the operation that lost a dependency."""
    for removal in removals:
        command = ("lockstep-drop-edge", removal.program, "--edge", str(removal.number), "--beside")
        (work / removal.name).write_text(run(*command, status=(0,)))


def left_over(removals):
    return [removal for removal in removals if not removal.is_found and not removal.problem]


def try_removals(removals, schedule, work):
    """Runs them under one schedule, notes what is found, and gives how many that are."""
    if not removals:
        return 0
    out = work / f"out-{len(list(work.glob('out-*')))}"
    programs = [work / removal.name for removal in removals]
    options = ("--backend", "cuda", "--lowering", "streams", "--schedule", schedule, "--out", out)
    run("lockstep", "run", *programs, *options, status=(0, 1))
    cells = {}
    for cell in json.loads((out / "results.json").read_text())["cells"]:
        cells.setdefault(pathlib.Path(cell["scenario"]).name, []).append(cell)
    for removal in removals:
        own = cells[removal.name]
        removal.is_found |= bool(failing_schedules(own))
        broken = [cell for cell in own if cell["verdict"] not in ("pass", "fail")]
        if broken:
            removal.problem = f"{broken[0]['verdict']}: {broken[0]['reason']}"
    return sum(removal.is_found for removal in removals)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lowered")
    parser.add_argument("--except", dest="excepted", default="")
    options = parser.parse_args()
    removals = write_removals(options.folder, options.excepted.split(","), options.lowered, options.work)
    by_lazy = try_removals(removals, "lazy", options.work)
    if not options.lowered:
        put_work_beside(left_over(removals), options.work)
        by_lazy += try_removals(left_over(removals), "lazy", options.work)
    by_random = try_removals(left_over(removals), "random:20", options.work)
    by_random += try_removals(left_over(removals), "random:300", options.work)
    for removal in removals:
        if not removal.problem and removal.is_found == removal.is_implied:
            removal.problem = "is implied, but found" if removal.is_implied else "not found by any schedule"
    problems = [removal for removal in removals if removal.problem]
    for removal in problems:
        print(f"{removal.description}: {removal.problem}")
    implied = sum(removal.is_implied for removal in removals)
    print(
        f"{len(removals)} removals: {by_lazy} found by lazy, {by_random} by random, {implied} implied,"
        f" {len(problems)} problems"
    )
    return 1 if problems or not removals else 0


if __name__ == "__main__":
    sys.exit(main())
