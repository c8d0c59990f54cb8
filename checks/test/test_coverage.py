# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import coverage

RULES = coverage.RULES
ROWS = coverage.ROWS
TEST = "simgpu/test/StreamRulesTest.cpp"

GOOD = {
    RULES: "| label | rule | test |\n|---|---|---|\n| STREAM-1 | Order. | `Rules.STREAM_1_*`, `Other.Thing` |\n",
    ROWS: "| row | class | label | source | tests |\n|---|---|---|---|---|\n"
    "| Order | must | STREAM-1 | `cuX` | `Rules.STREAM_1_Holds` |\n\n"
    "| statement | why |\n|---|---|\n| Colour | Not ours. |\n",
    TEST: "// Tests.\nTEST_F(Rules, STREAM_1_Holds) {\n}\nTEST(Other, Thing) {}\n",
}


class Coverage(TreeCase):
    def with_change(self, path, old, new):
        self.assertIn(old, GOOD[path])
        return self.findings(coverage, GOOD | {path: GOOD[path].replace(old, new)})

    def test_a_good_tree(self):
        self.assert_clean(coverage, GOOD)

    def test_tests_of_other_folders_and_without_label_need_no_rule(self):
        other = {"harness/test/ATest.cpp": "TEST(A, STREAM_9_X) {}\n", "simgpu/test/BTest.cpp": "TEST(B, Plain) {}\n"}
        self.assert_clean(coverage, GOOD | other)

    def test_rule_without_test_of_its_name(self):
        found = self.with_change(RULES, "`Rules.STREAM_1_*`, ", "")
        self.assertEqual([(RULES, 3, "rule-test"), (TEST, 2, "rule-test")], found)

    def test_name_in_a_table_that_no_test_has(self):
        self.assertEqual([(RULES, 3, "rule-test")], self.with_change(RULES, "Other.Thing", "Other.Thin"))
        self.assertEqual([(ROWS, 3, "rule-test")], self.with_change(ROWS, "STREAM_1_Holds", "STREAM_1_Hold"))

    def test_names_in_tables_of_properties_count_too(self):
        found = self.with_change(RULES, "Thing` |\n", "Thing` |\n| P | `No.Test*` |\n")
        self.assertEqual([(RULES, 4, "rule-test")], found)

    def test_test_whose_label_has_no_rule(self):
        more = "TEST_F(Rules,\n       STREAM_2_IsNew) {\n}\n"
        self.assertEqual([(TEST, 5, "rule-test")], self.findings(coverage, GOOD | {TEST: GOOD[TEST] + more}))

    def test_test_that_the_row_of_its_label_leaves_out(self):
        more = "TEST_F(Others, STREAM_1_Too) {}\n"
        self.assertEqual([(TEST, 5, "rule-test")], self.findings(coverage, GOOD | {TEST: GOOD[TEST] + more}))

    def test_labelled_tests_without_the_page(self):
        self.assertEqual([(TEST, 2, "rule-test")], self.findings(coverage, {TEST: GOOD[TEST]}))

    def test_rows(self):
        self.assertEqual([(ROWS, 3, "rule-test")], self.with_change(ROWS, "must", "should"))
        self.assertEqual([(ROWS, 3, "rule-test")], self.with_change(ROWS, "| STREAM-1", "| STREAM-2"))
        self.assertEqual([(ROWS, 3, "rule-test")], self.with_change(ROWS, "`Rules.STREAM_1_Holds`", "none"))
