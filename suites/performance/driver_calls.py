# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each lowering costs in driver calls, for a chain, a fork and join, and a random graph, each in a loop.

driver_calls.py WORK [--backend B] [--ops N] [--rounds R] [--judged LOWERING,…]

Makes the programs in WORK, runs them under every lowering with 1 and with R rounds, and prints a table in Markdown:
driver calls for each device operation of a round in the steady state, and what is created for each round more. Status 1
where a judged lowering needs as many calls as upstream's, or creates anything in a round. Upstream's lowering may fail
its judges (it leaks); its calls are counted anyway.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

LOWERINGS = ("serial", "streams", "graph", "capture", "upstream")
CREATED = ("streams_created", "events_created", "graphs_instantiated", "modules_loaded")

HEAD = """module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%d: memref<4xi32>, %w: i32) kernel {
      %i = gpu.thread_id x
      %old = memref.load %d[%i] : memref<4xi32>
      %new = arith.addi %old, %w : i32
      memref.store %new, %d[%i] : memref<4xi32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w = arith.constant 1 : i32
    %rounds = arith.constant ROUNDS : index
"""


def program(dependencies, rounds):
    """Each operation adds 1 to a buffer of its own, behind the operations in its list."""
    text = HEAD.replace("ROUNDS", str(rounds))
    count = len(dependencies)
    for op in range(count):
        text += f"    %d{op}, %a{op} = agpu.alloc [] () : memref<4xi32>\n"
        text += f"    %z{op} = agpu.memset [%a{op}] (%d{op}, %w) : memref<4xi32>, i32\n"
        text += f"    agpu.wait [%z{op}]\n"
    text += "    scf.for %r = %c0 to %rounds step %one {\n"
    for op, needed in enumerate(dependencies):
        chains = ", ".join(f"%k{n}" for n in needed)
        # Upstream's launch takes one token, and a token one user.
        if len(needed) > 1 or any(sum(n in other for other in dependencies) > 1 for n in needed):
            text += f"      %j{op} = agpu.join [{chains}]\n"
            chains = f"%j{op}"
        text += f"      %k{op} = agpu.launch_func [{chains}] @kernels::@add blocks in (%one, %one, %one)\n"
        text += f"          threads in (%four, %one, %one) args(%d{op} : memref<4xi32>, %w : i32)\n"
    used = {n for needed in dependencies for n in needed}
    text += "      agpu.wait [" + ", ".join(f"%k{op}" for op in range(count) if op not in used) + "]\n    }\n"
    for op in range(count):
        text += f"    %f{op} = agpu.dealloc [] %d{op} : memref<4xi32>\n    agpu.wait [%f{op}]\n"
    return text + "    return\n  }\n}\n"


def shapes(count):
    chain = [[op - 1] if op else [] for op in range(count)]
    width = 4
    fork_join = []
    while len(fork_join) + width + 1 <= count:  # A join of the last row, then a row behind it.
        fork = len(fork_join)
        fork_join.append(list(range(fork - width, fork)) if fork else [])
        fork_join += [[fork]] * width
    choose = random.Random(1)
    mixed = [sorted(choose.sample(range(max(0, op - 6), op), min(op, choose.randint(0, 2)))) for op in range(count)]
    return {"chain": chain, "fork-join": fork_join, "random": mixed}


def measure(work, name, text, backend):
    path = work / f"{name}.mlir"
    path.write_text(text)
    out = work / f"out-{name}"
    command = ["lockstep", "run", path, "--backend", backend, "--lowering", ",".join(LOWERINGS), "--schedule", "eager"]
    subprocess.run([*command, "--out", out], stdout=subprocess.DEVNULL, stderr=sys.stderr, check=False)
    cells = json.loads((out / "results.json").read_text())["cells"]
    return {cell["lowering"]: {key: metric["value"] for key, metric in cell["metrics"].items()} for cell in cells}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--ops", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=101)
    parser.add_argument("--judged", default="streams,graph,capture")
    options = parser.parse_args()
    judged = options.judged.split(",")
    options.work.mkdir(parents=True, exist_ok=True)
    problems = []
    print("| program | lowering | driver calls per operation | created in each round more |")
    print("|---|---|---|---|")
    for shape, dependencies in shapes(options.ops).items():
        few = measure(options.work, f"{shape}-1", program(dependencies, 1), options.backend)
        text = program(dependencies, options.rounds)
        many = measure(options.work, f"{shape}-{options.rounds}", text, options.backend)
        more = options.rounds - 1
        per_op = {}
        for lowering in LOWERINGS:
            grown = {key: (value - few[lowering][key]) / more for key, value in many[lowering].items()}
            per_op[lowering] = grown["driver_calls"] / len(dependencies)
            created = ", ".join(f"{grown[key]:g} {key.replace('_', ' ')}" for key in CREATED if grown[key]) or "nothing"
            print(f"| {shape} | {lowering} | {per_op[lowering]:.2f} | {created} |")
            if lowering in judged and created != "nothing":
                problems.append(f"{shape}, {lowering}: a round creates {created}")
        for lowering in judged:
            if per_op[lowering] >= per_op["upstream"]:
                problems.append(f"{shape}: {lowering} needs as many calls as upstream")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
