# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the files of the report in a folder, without what differs from run to run: times, the run's name and command.

report_without_times.py DIR
"""

import pathlib
import re
import sys

NAMES = ("results.json", "junit.xml", "ctrf.json", "report.md")
JSON_KEYS = "id|started|duration_ms|command|reportName|duration|start|stop"
PATTERNS = (
    (re.compile(rf'"({JSON_KEYS})": ("[^"]*"|[-+.e0-9]+)'), r'"\1": _'),
    (re.compile(r'("compile": \{\s*"value": )[-+.e0-9]+'), r"\1_"),
    (re.compile(r'( time| timestamp|name="run" value|name="command" value)="[^"]*"'), r'\1="_"'),
    (re.compile(r"^\| (command|started|duration) \|.*$", re.M), r"| \1 | _ |"),
)

for name in NAMES:
    text = (pathlib.Path(sys.argv[1]) / name).read_text(encoding="utf-8")
    for pattern, replacement in PATTERNS:
        text = pattern.sub(replacement, text)
    print(f"== {name}\n{text}")
