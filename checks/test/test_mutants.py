# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess

from tree_case import TreeCase
import mutants

FILES = {
    mutants.RULES: "| label | rule |\n|---|---|\n| STREAM-1 | Order. |\n",
    "simgpu/core/A.cpp": "keep();\nif (isRight)\n  go();\n",
}
MUTANT = mutants.Mutant("STREAM-1", "simgpu/core/A.cpp", "if (isRight)", "if (true)")


class Mutants(TreeCase):
    def setUp(self):
        super().setUp()
        self.tree(FILES)
        self.source = self.root / MUTANT.file

    def judge(self, test, build=lambda: None):
        verdict = mutants.judge(self.root, MUTANT, build, test)
        self.assertEqual(FILES[MUTANT.file], self.source.read_text(), "the file is as before")
        return verdict

    def test_list(self):
        text = '[[mutant]]\nrule = "STREAM-1"\nfile = "a"\nold = "x\\ny"\nnew = ""\n'
        self.tree({mutants.LIST: text})
        self.assertEqual([mutants.Mutant("STREAM-1", "a", "x\ny", "")], mutants.load(self.root))

    def test_a_mutant_that_applies(self):
        self.assertEqual([], list(mutants.problems(self.root, [MUTANT])))
        self.assertEqual(2, MUTANT.line(self.source.read_text()))

    def test_a_mutant_that_does_not_apply(self):
        wrong = [
            MUTANT._replace(old="gone"),
            MUTANT._replace(old="\n"),
            MUTANT._replace(file="simgpu/core/B.cpp"),
            MUTANT._replace(new=MUTANT.old),
            MUTANT._replace(rule="STREAM-2"),
        ]
        for mutant in wrong:
            with self.subTest(mutant=mutant):
                self.assertEqual(1, len(list(mutants.problems(self.root, [mutant]))))

    def test_killed(self):
        verdict = self.judge(lambda: ["A.STREAM_1_X", "A.EVENT_1_Y"] if "if (true)" in self.source.read_text() else [])
        self.assertTrue(verdict.is_killed)
        self.assertEqual("killed by 2 tests, 1 of STREAM-1", str(verdict))

    def test_survived(self):
        verdict = self.judge(lambda: [])
        self.assertFalse(verdict.is_killed)
        self.assertEqual("SURVIVED", str(verdict))

    def test_a_mutant_that_does_not_compile_is_no_answer(self):
        def build():
            raise subprocess.CalledProcessError(1, "ninja")

        verdict = self.judge(lambda: ["A.STREAM_1_X"], build)
        self.assertFalse(verdict.is_killed)
        self.assertEqual("NO ANSWER: it does not compile", str(verdict))

    def test_a_device_that_hangs_is_noticed(self):
        def test():
            raise subprocess.TimeoutExpired("simgpu-rules", 1)

        self.assertTrue(self.judge(test).is_killed)
