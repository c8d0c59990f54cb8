# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with 10 and with 1000 rounds of its loop, and compares what it creates and looks up.

compare_rounds.py WORK PROGRAM LOWERINGS

PROGRAM says ROUNDS where the number belongs. Every cell must pass. Prints each metric for both numbers of rounds, and
ends with status 1 where a metric that must not depend on the rounds does, or where the rounds show in no count of calls
at all.
"""

import json
import pathlib
import subprocess
import sys

ROUNDS = (10, 1000)
CONSTANT = (
    "streams_created",
    "streams_destroyed",
    "events_created",
    "events_destroyed",
    "modules_loaded",
    "functions_looked_up",
    "graphs_instantiated",
    "graphs_destroyed",
)


def cell_metrics(work, program, lowerings, rounds):
    """The metrics of each cell, by lowering and schedule."""
    text = program.read_text().replace("ROUNDS", str(rounds))
    variant = work / f"rounds-{rounds}.mlir"
    variant.write_text(text)
    out = work / f"out-{rounds}"
    options = ["--backend", "cuda", "--lowering", lowerings, "--schedule", "eager,lazy", "--out", out]
    subprocess.run(["lockstep", "run", variant, *options], check=True, stdout=sys.stderr)
    cells = json.loads((out / "results.json").read_text())["cells"]
    return {f"{cell['lowering']} {cell['schedule']}": cell["metrics"] for cell in cells}


def main():
    work, program = map(pathlib.Path, sys.argv[1:3])
    few, many = (cell_metrics(work, program, sys.argv[3], rounds) for rounds in ROUNDS)
    differences = 0
    for cell, metrics in few.items():
        for name in CONSTANT:
            values = [metrics[name]["value"], many[cell][name]["value"]]
            differences += values[0] != values[1]
            print(f"{cell}: {name}: {values[0]:g} and {values[1]:g}{'' if values[0] == values[1] else ', which differ'}")
        if many[cell]["driver_calls"]["value"] < ROUNDS[1]:
            sys.exit(f"{cell}: fewer driver calls than rounds: the loop did not run, or nothing was counted")
        print(f"{cell}: driver_calls_per_device_op: {many[cell].get('driver_calls_per_device_op', {}).get('value')}")
    print(f"{len(few)} cells, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
