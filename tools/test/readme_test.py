# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README.md shows is what happens: its program, its commands and their output, times left out.

Usage: readme_test.py README LOCKSTEP
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(2))
README = pathlib.Path(sys.argv.pop(1)).read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def without_times(text):
    return re.sub(r" in [0-9.]+ s$", " in … s", text, flags=re.MULTILINE)


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (program,) = [text for kind, text in BLOCKS if kind == "mlir"]
        (self.folder / "my.mlir").write_text(program)
        wrong = program.replace("[%filled]", "[%allocated]")
        self.assertNotEqual(program, wrong)
        (self.folder / "wrong.mlir").write_text(wrong)

    def run_line(self, line, cwd):
        command = shlex.split(line, comments=True)
        self.assertEqual("./lockstep", command[0])
        environment = {**os.environ, "LOCKSTEP_COMMAND": command[0]}
        return subprocess.run(
            [LOCKSTEP, *command[1:]], cwd=cwd, env=environment, capture_output=True, text=True
        )

    def test_the_commands_for_ones_own_file_succeed(self):
        lines = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines() if "my.mlir" in line]
        self.assertEqual(3, len(lines))
        for line in lines:
            result = self.run_line(line, self.folder)
            self.assertEqual((0, ""), (result.returncode, result.stderr), line)
        self.assertIn("digraph", (self.folder / "my.dot").read_text())

    def test_the_wrong_program_is_found_as_shown(self):
        (shown,) = [text for kind, text in BLOCKS if text.startswith("$ ")]
        line, output = shown.removeprefix("$ ").split("\n", 1)
        result = self.run_line(line, self.folder)
        self.assertEqual((1, without_times(output)), (result.returncode, without_times(result.stdout)))

    def test_the_table_is_the_one_of_the_seeds(self):
        (shown,) = [text for kind, text in BLOCKS if text.startswith("scenario")]
        result = self.run_line("./lockstep run suites/seeds", pathlib.Path(__file__).resolve().parents[2])
        self.assertEqual((0, without_times(shown)), (result.returncode, without_times(result.stdout)))


if __name__ == "__main__":
    unittest.main()
