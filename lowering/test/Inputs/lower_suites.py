# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lockstep-opt with the given options on each program of the folders: lower_suites.py OPTIONS FOLDER…"""

import pathlib
import shlex
import subprocess
import sys

programs = sorted(path for folder in sys.argv[2:] for path in pathlib.Path(folder).glob("*.mlir"))
if not programs:
    sys.exit("no programs in " + " ".join(sys.argv[2:]))
failed = 0
for program in programs:
    command = ["lockstep-opt", str(program), "-o", "/dev/null", *shlex.split(sys.argv[1])]
    run = subprocess.run(command, text=True, capture_output=True)
    if run.returncode:
        failed += 1
        print(run.stderr, file=sys.stderr)
sys.exit(failed != 0)
