# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import function


def body(lines):
    return "  call();\n" * lines


class CppFunctions(TreeCase):
    def names(self, text):
        return [name for name, _, _ in function.cpp_functions(text)]

    def test_kinds_of_functions(self):
        text = """
namespace a::b {
class C final : public D<int> {
  C() : x(1), y{2} { run(); }
  int get() const override { return x; }
  bool operator==(const C &other) const { return true; }
  int table[2] = {1, 2};
};
enum class E { One, Two };
static const int values[] = {f(1), f(2)};
template <typename T> auto f(T t = T()) -> int { auto g = [](int i) { return i; }; if (t) { return g(1); } return 0; }
TEST(Suite, name) { EXPECT_EQ(1, 1); }
} // namespace a::b
extern "C" { void h(void) {} }
"""
        self.assertEqual(["C", "get", "operator==", "f", "TEST", "h"], self.names(text))

    def test_member_initialised_with_braces_is_not_the_body(self):
        text = "A::A()\n    : x{1}, y(2), z{3} {\n  f();\n}\nvoid g() {}\n"
        self.assertEqual([("A::A", 1, 4), ("g", 5, 5)], list(function.cpp_functions(text)))

    def test_access_labels_and_comments_before_a_function_are_not_part_of_it(self):
        text = "class A : public B {\npublic:\n  // Comment.\n  void f() {\n  }\n};\n"
        self.assertEqual([("f", 4, 5)], list(function.cpp_functions(text)))

    def test_braces_in_comments_and_literals_do_not_count(self):
        text = "void f() {\n  // }\n  /* } */\n  g(\"}\", '}', R\"x(})x\", 1'000);\n}\nvoid g() {}\n"
        self.assertEqual([("f", 1, 5), ("g", 6, 6)], list(function.cpp_functions(text)))

    def test_preprocessor_lines_do_not_count(self):
        text = "#define OPEN {{ \\\n  {\nvoid f() {\n}\nvoid g() {}\n"
        self.assertEqual([("f", 3, 4), ("g", 5, 5)], list(function.cpp_functions(text)))

    def test_limit_is_for_the_whole_function(self):
        files = {
            "good.cpp": "void f() {\n" + body(68) + "}\n",
            "bad.cpp": "void f() {\n" + body(69) + "}\n",
            "method.h": "class A {\n  void f() {\n" + body(69) + "}\n};\n",
            "signature.cpp": "void f(int a,\n       int b) {\n" + body(68) + "}\n",
            "lambda.cpp": "void f() {\n  auto g = [] {\n" + body(69) + "  };\n}\n",
        }
        self.assertEqual(
            [
                ("bad.cpp", 1, "function-length"),
                ("lambda.cpp", 1, "function-length"),
                ("method.h", 2, "function-length"),
                ("signature.cpp", 1, "function-length"),
            ],
            self.findings(function, files),
        )


class PythonFunctions(TreeCase):
    def test_limit(self):
        files = {"a.py": "def f():\n" + "    g()\n" * 69, "b.py": "class A:\n  def f():\n" + "    g()\n" * 70}
        self.assertEqual([("b.py", 2, "function-length")], self.findings(function, files))
