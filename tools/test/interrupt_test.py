# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What SIGINT and SIGTERM do to `lockstep run`.

Usage: interrupt_test.py LOCKSTEP VALIDATOR. Each run has one program that ends and then one that says that it has
begun, and hangs.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

VALIDATOR = sys.argv.pop(2)
LOCKSTEP = sys.argv.pop(1)
# Opens a named pipe for writing, which tells the test that the cell runs, and then waits for ever.
HANG = """
llvm.mlir.global internal constant @path("gate\\00")
func.func private @creat(!llvm.ptr, i32) -> i32
func.func private @pause() -> i32
func.func @main() {
  %path = llvm.mlir.addressof @path : !llvm.ptr
  %mode = arith.constant 0 : i32
  %file = func.call @creat(%path, %mode) : (!llvm.ptr, i32) -> i32
  %paused = func.call @pause() : () -> i32
  return
}
"""
PASS = "func.func @main() {\n  return\n}\n"


class Interrupt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.mkfifo(self.folder / "gate")
        (self.folder / "a.mlir").write_text(PASS)
        (self.folder / "b.mlir").write_text(HANG)

    def start(self, *options, ignore=()):
        def set_up():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN if number in ignore else signal.SIG_DFL)

        command = [LOCKSTEP, "run", ".", "--lowering", "serial", "--schedule", "eager", "--jobs", "1", "--out", "out"]
        command += ["--backend", "cuda"]
        process = subprocess.Popen(
            command + list(options),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=set_up,
        )
        # Returns once the program has opened the other end.
        (self.folder / "gate").open("rb").close()
        return process

    def verdicts(self):
        path = self.folder / "out" / "results.json"
        subprocess.run([VALIDATOR, str(path)], check=True)
        return [(cell["verdict"], cell["reason"]) for cell in json.loads(path.read_text())["cells"]]

    def test_an_interrupted_run_leaves_what_it_has(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start()
            process.send_signal(number)
            _, errors = process.communicate()
            self.assertEqual((status, "lockstep: interrupted: the results are partial\n"), (process.returncode, errors))
            self.assertEqual([("pass", ""), ("skip", "not run: the run was interrupted")], self.verdicts())

    def test_what_the_parent_ignores_stays_ignored(self):
        process = self.start("--timeout", "2", ignore=(signal.SIGINT, signal.SIGHUP))
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate()
        self.assertEqual((1, ""), (process.returncode, errors))
        self.assertEqual([("pass", ""), ("timeout", "no end after 2 s")], self.verdicts())


if __name__ == "__main__":
    unittest.main()
