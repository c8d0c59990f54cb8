# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import text


class TextRules(TreeCase):
    def test_a_plain_file_is_clean(self):
        long = "x" * 200
        self.assert_clean(text, {"a.cpp": "int x;\n", "docs/a.md": f"| {long} |\nSee https://{long}\n"})

    def test_each_line_rule(self):
        long = "x" * 121
        files = {
            "a.cpp": f"{long}\nint x; \n\tint y;\n// {'TO' + 'DO'}: later\n",
            "b.py": f"open('{'/wo' + 'rk'}/main/x')\nopen('{'/ro' + 'ot'}/x')\nopen('{'/tmp/' + 'wt'}/x')\n",
            "c.sh": "curl https://" + "mirror.example/debian\n",
        }
        self.assertEqual(
            [
                ("a.cpp", 1, "line-length"),
                ("a.cpp", 2, "trailing-blank"),
                ("a.cpp", 3, "tab"),
                ("a.cpp", 4, "leftover"),
                ("b.py", 1, "machine-path"),
                ("b.py", 2, "machine-path"),
                ("b.py", 3, "machine-path"),
                ("c.sh", 1, "registry-host"),
            ],
            self.findings(text, files),
        )

    def test_paths_below_another_folder_are_no_machine_paths(self):
        folders = "/wo" + "rk/", "/ro" + "ot/"
        self.assert_clean(text, {"a.sh": "cd $dir{0}x; cd build{1}y; cat %t{0}z\n".format(*folders)})

    def test_long_lines_of_ir_are_allowed(self):
        self.assert_clean(text, {"test/a.mlir": "// " + "x" * 200 + "\n"})

    def test_long_rows_of_a_definition_table_are_allowed_but_comments_are_not(self):
        files = {"a.def": f"X({'x' * 120})\n// {'x' * 120}\n"}
        self.assertEqual([("a.def", 2, "line-length")], self.findings(text, files))

    def test_generated_pages_are_as_their_generator_writes_them(self):
        long = "x" * 121 + "\n\n"
        files = {"docs/generated/a.md": long, "docs/a.md": long}
        expected = [("docs/a.md", 1, "line-length"), ("docs/a.md", 2, "final-newline")]
        self.assertEqual(expected, self.findings(text, files))

    def test_prose_in_markdown_has_the_limit(self):
        self.assertEqual([("a.md", 1, "line-length")], self.findings(text, {"a.md": "x" * 121 + "\n"}))

    def test_file_length(self):
        files = {"long.py": "x = 1\n" * 1001, "short.py": "x = 1\n" * 1000}
        self.assertEqual([("long.py", 0, "file-length")], self.findings(text, files))

    def test_end_of_file(self):
        files = {"a.py": "x = 1", "b.py": "x = 1\n\n", "empty.py": ""}
        self.assertEqual([("a.py", 1, "final-newline"), ("b.py", 2, "final-newline")], self.findings(text, files))

    def test_inputs_of_tests_are_free(self):
        self.assert_clean(text, {"a/test/Inputs/b.cpp": "x \n"})
