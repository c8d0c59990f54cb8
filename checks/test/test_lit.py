# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import lit

RUN = "// " + "RUN: "


class Lit(TreeCase):
    def rules(self, text, path="dialect/test/a.mlir"):
        return [(line, rule) for _, line, rule in self.findings(lit, {path: text})]

    def test_a_good_test(self):
        text = RUN + "lockstep-opt %s | \\\n" + RUN + "  FileCheck %s\n// CHECK-LABEL: @f\n// CHECK-COUNT-2: add\n"
        self.assertEqual([], self.rules(text))

    def test_no_run_line(self):
        self.assertEqual([(0, "lit-run")], self.rules("func.func @f() { return }\n"))

    def test_programs_outside_test_folders_need_none(self):
        self.assertEqual([], self.rules("func.func @f() { return }\n", "suites/seeds/a.mlir"))
        self.assertEqual([], self.rules("func.func @f() { return }\n", "dialect/test/Inputs/a.mlir"))

    def test_run_line_without_checker(self):
        self.assertEqual([(1, "lit-checker"), (1, "lit-checker")], self.rules(RUN + "lockstep-opt %s\n"))

    def test_second_run_line_without_checker(self):
        text = RUN + "lockstep-opt %s | FileCheck %s\n" + RUN + "lockstep-opt %s --canonicalize\n// CHECK: x\n"
        self.assertEqual([(2, "lit-checker")], self.rules(text))

    def test_preparation_needs_no_checker_but_the_test_does(self):
        prepare = RUN + "rm -rf %t\n" + RUN + "lockstep-opt %s -o %t.mlir\n"
        self.assertEqual([(1, "lit-checker")], self.rules(prepare))
        self.assertEqual([], self.rules(prepare + RUN + "diff %t.mlir %S/Inputs/expected.mlir\n"))

    def test_exit_status_checkers(self):
        for command in ("not lockstep-opt %s", "lockstep run %s", "lockstep-opt %s --verify-roundtrip", "cmp %t %s"):
            with self.subTest(command=command):
                self.assertEqual([], self.rules(RUN + command + "\n"))

    def test_expected_directives(self):
        verify = RUN + "lockstep-opt %s -verify-diagnostics -split-input-file\n"
        good = "// expected-error @+1 {{text}}\n// expected-note-re@above {{a{{.*}}}}\n// expected-remark {{x}}\n"
        self.assertEqual([], self.rules(verify + good))
        for bad in ("expected-err@+1 {{x}}", "expected-errors {{x}}", "expected-error @+1 x", "expected-error: {{x}}"):
            with self.subTest(bad=bad):
                self.assertEqual([(2, "lit-expected")], self.rules(verify + f"// {bad}\n"))

    def test_expected_directive_that_nothing_verifies(self):
        text = RUN + "not lockstep-opt %s\n// expected-error @+1 {{text}}\n"
        self.assertEqual([(2, "lit-expected")], self.rules(text))

    def test_prose_about_the_expected_value_is_no_directive(self):
        self.assertEqual([], self.rules(RUN + "lockstep run %s\n// expected-value of the expected-error case\n"))

    def test_prefixes(self):
        run = RUN + "lockstep-opt %s | FileCheck %s --check-prefixes=CHECK,OTHER\n"
        self.assertEqual([], self.rules(run + "// CHECK: x\n// OTHER-NEXT: y\n"))
        self.assertEqual([(1, "lit-prefix")], self.rules(run + "// CHECK: x\n"))
        self.assertEqual([(4, "lit-prefix")], self.rules(run + "// CHECK: x\n// OTHER: y\n// THIRD-NEXT: z\n"))

    def test_misspelt_directives(self):
        run = RUN + "lockstep-opt %s | FileCheck %s\n// CHECK: x\n"
        for bad in ("CHECK-NXT", "CHEKC", "CHECKS", "CHECK-NEXTT"):
            with self.subTest(bad=bad):
                self.assertEqual([(3, "lit-prefix")], self.rules(run + f"// {bad}: y\n"))
        self.assertEqual([], self.rules(run + "// NOTE: prose\n// COM: CHECK-NXT\n"))

    def test_directives_in_another_file_are_not_looked_for_here(self):
        self.assertEqual([], self.rules(RUN + "lockstep-opt %s | FileCheck %S/Inputs/a.check\n"))
