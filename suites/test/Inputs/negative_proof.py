# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Removes each dependency of a program in turn and demands that the simulator finds each removal.

negative_proof.py WORK PROGRAM [--redundant N[,N…]] [--lowered NAME | --graph]

A dependency is a chain operand of the program (lockstep-drop-edge). With --lowered, it is a call of the function NAME in
the program as lowered to streams; with --graph, a node's list of dependencies in the program as lowered to graphs. The
numbers after --redundant are removals that change nothing, because the
rest of the program implies them; they must pass, so that the list stays true.

Prints one line a removal and ends with status 1 where one was not found. What counts is a finding: a cell that crashed,
hung or could not run proves nothing.
"""

import argparse
import json
import pathlib
import subprocess
import sys

SCHEDULES = "eager,lazy,random:100"


def run(*command, status):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in status:
        sys.exit(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def chain_variants(program):
    """Number, description and text of the program without each chain operand."""
    for line in run("lockstep-drop-edge", program, "--list", status=(0,)).splitlines():
        number, description = line.split(": ", 1)
        yield int(number), description, run("lockstep-drop-edge", program, "--edge", number, status=(0,))


def call_variants(program, work, function):
    """The same for each call of a function in the lowered program."""
    lowered = work / "lowered.mlir"
    run("lockstep", "emit", program, "--stage", "lowered", "--lowering", "streams", "-o", lowered, status=(0,))
    for number in range(lowered.read_text().count(f"call @{function}(")):
        text = run("lockstep-drop-edge", lowered, "--call", function, "--edge", str(number), status=(0,))
        yield number, f"call {number} of {function}", text


def node_variants(program, work):
    """The same with each list of dependencies of the lowered graphs empty."""
    lowered = work / "lowered.mlir"
    run("lockstep", "emit", program, "--stage", "lowered", "--lowering", "graph", "-o", lowered, status=(0,))
    number = 0
    while text := run("lockstep-drop-edge", lowered, "--nodes", "--edge", str(number), status=(0, 1)):
        yield number, f"list {number}", text
        number += 1


def failing_schedules(cells):
    """The schedules under which a finding says what is wrong."""
    return [cell["schedule"] for cell in cells if cell["verdict"] == "fail" and cell["findings"]]


def judge(description, cells, is_redundant):
    """What is wrong with a removal, or None."""
    broken = [cell for cell in cells if cell["verdict"] not in ("pass", "fail")]
    if broken:
        return f"{broken[0]['verdict']}: {broken[0]['reason']}"
    failing = failing_schedules(cells)
    if is_redundant:
        return f"is said to be redundant, but is found by {failing[0]}" if failing else None
    if not failing:
        return "not found by any schedule"
    if "(host to device)" in description.partition(" after ")[2] and "lazy" not in failing:
        return "a copy from the host that nobody waits for must be found by lazy"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--redundant", default="")
    parser.add_argument("--lowered")
    parser.add_argument("--graph", action="store_true")
    options = parser.parse_args()
    redundant = {int(number) for number in options.redundant.split(",") if number}
    programs = options.work / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    if options.lowered:
        variants = call_variants(options.program, options.work, options.lowered)
    elif options.graph:
        variants = node_variants(options.program, options.work)
    else:
        variants = chain_variants(options.program)
    descriptions = {}
    for number, description, text in variants:
        name = f"edge-{number:02}.mlir"
        (programs / name).write_text(text)
        descriptions[name] = (number, description)
    if not descriptions:
        sys.exit(f"{options.program}: nothing to remove")
    out = options.work / "out"
    settings = ("--backend", "cuda", "--lowering", "streams", "--schedule", SCHEDULES, "--out", out)
    run("lockstep", "run", programs, *settings, status=(0, 1))
    results = json.loads((out / "results.json").read_text())
    misses = 0
    for name, (number, description) in descriptions.items():
        cells = [cell for cell in results["cells"] if pathlib.Path(cell["scenario"]).name == name]
        problem = judge(description, cells, number in redundant)
        misses += problem is not None
        found = f"found by {len(failing_schedules(cells))} of {len(cells)} schedules, first {(failing_schedules(cells) or [None])[0]}"
        print(f"{number}: {description}: {problem or ('redundant' if number in redundant else found)}")
    print(f"{len(descriptions)} removals, {misses} problems")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
