# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops each call that orders work from what programs are lowered to, and demands that the order oracle names each.

order_proof.py WORK PLUGIN PROGRAM… [--implied PROGRAM:LOWERING:CALL:NUMBER[,…]]

A mutant is a lowering without one wait or record, or with a graph node without dependencies (the passes of
tools/test/TestPasses.cpp). All run under the schedule eager, in which values are mostly right. What is
dropped and changes nothing that can be told stands in --implied, and must pass under lazy too.

Prints what is found of each mutant and ends with status 1 where one was not found, or one of the list was.
"""

import argparse
import json
import pathlib
import subprocess
import sys

DROPPED = {
    "streams": (
        "mgpuStreamWaitEvent",
        "mgpuStreamWaitChain",
        "mgpuEventRecord",
        "mgpuStreamSynchronize",
        "mgpuEventSynchronize",
        "mgpuChainSynchronize",
    ),
    "capture": ("mgpuStreamWaitEvent", "mgpuEventRecord", "mgpuStreamSynchronize"),
    "graph": ("node", "mgpuStreamSynchronize"),
}


def run(*command, status=(0,)):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in status:
        sys.exit(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def count_calls(lowered, call):
    return lowered.count("call @mgpuGraphAdd" if call == "node" else f"call @{call}(")


def mutant_lowerings(program):
    """Label and pass pipeline of each mutant."""
    for lowering, calls in DROPPED.items():
        lowered = run("lockstep", "emit", program, "--stage", "lowered", "--lowering", lowering)
        for call in calls:
            for number in range(count_calls(lowered, call)):
                options = f"number={number}" if call == "node" else f"function={call} number={number}"
                drop = "test-free-node" if call == "node" else "test-drop-call"
                passes = f"lockstep-lower{{lowering={lowering}}},{drop}{{{options}}}"
                yield f"{lowering}:{call}:{number}", f"builtin.module({passes})"


def telling_findings(cell):
    """What the order oracle says; of a capture that the driver refuses, what that says."""
    findings = [finding for finding in cell["findings"] if finding["oracle"] in ("order", "errors")]
    return [finding["message"].splitlines()[0] for finding in findings]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("plugin")
    parser.add_argument("programs", type=pathlib.Path, nargs="+")
    parser.add_argument("--implied", default="")
    options = parser.parse_args()
    implied = set(filter(None, options.implied.split(",")))
    problems = mutants = 0
    for program in options.programs:
        labels = {f"m{index}": mutant for index, mutant in enumerate(mutant_lowerings(program))}
        lowerings = ",".join(f"{label}=pipeline:{passes}" for label, (_, passes) in labels.items())
        out = options.work / program.stem
        settings = ("--backend", "cuda", "--schedule", "eager,lazy", "--load-pass-plugin", options.plugin, "--out", out)
        run("lockstep", "run", program, "--lowering", lowerings, *settings, status=(0, 1))
        for cell in json.loads((out / "results.json").read_text())["cells"]:
            name = f"{program.stem}:{labels[cell['lowering']][0]}"
            if "there is no such node" in cell["reason"]:
                continue  # Of the calls that add nodes, some add one without dependencies.
            if cell["schedule"] == "lazy" and name not in implied:
                continue
            found = telling_findings(cell)
            is_right = cell["verdict"] == "pass" if name in implied else bool(found)
            mutants += cell["schedule"] == "eager"
            problems += not is_right
            text = found[0] if found else f"{cell['verdict']}: {cell['reason']}"
            print(f"{'' if is_right else 'PROBLEM '}{name}: {text}")
    print(f"{mutants} mutants, {problems} problems")
    return 1 if problems or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
