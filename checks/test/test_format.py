# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import format

STYLE = {".clang-format": "BasedOnStyle: LLVM\nColumnLimit: 120\n"}


class Format(TreeCase):
    def test_formatted(self):
        self.assert_clean(format, {**STYLE, "a.cpp": "int f(int x) { return x; }\n"})

    def test_not_formatted(self):
        files = {**STYLE, "a.cpp": "int x;\nint   f( int x ) {return x;}\n", "a/test/Inputs/b.cpp": "int   x;\n"}
        self.assertEqual([("a.cpp", 2, "format")], self.findings(format, files))

    def test_style_of_a_folder_counts(self):
        indented = "int f() {\n    g();\n    return 1;\n}\n"
        found = self.findings(format, {**STYLE, "b.cpp": indented})
        self.assertEqual([("b.cpp", 1, "format"), ("b.cpp", 2, "format")], found)
        (self.root / "b.cpp").unlink()
        four = {"a/.clang-format": "BasedOnStyle: LLVM\nIndentWidth: 4\n", "a/b.cpp": indented}
        self.assert_clean(format, {**STYLE, **four})

    def test_missing_program_is_a_finding(self):
        tree = self.tree({"a.cpp": "int x;\n"})
        self.assertIn("is not installed", str(next(format.check(tree, program=None))))
