# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the device operations of each cell of a results.json: device_ops.py FILE."""

import json
import pathlib
import sys

for cell in json.loads(pathlib.Path(sys.argv[1]).read_text())["cells"]:
    metrics = cell["metrics"]
    print(cell["lowering"], *(f"{name}={metrics[name]['value']:g}" for name in ("device_ops", "driver_calls")))
