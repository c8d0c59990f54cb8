# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Length of functions in C++ and Python.

C++ is not parsed: comments, literals and preprocessor lines are blanked, then braces are counted. A brace opens a
function where the text before it, back to the last ';' or brace, ends a parameter list in a namespace or class.
"""

import ast
import re

from tree import Finding, is_test_input

FUNCTION_LENGTH_MAX = 70

SKIPPED = re.compile(
    r'R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)"'
    r"|//[^\n]*|/\*.*?\*/"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)*'"
    r"|^[ ]*\#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE,
)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
ACCESS_LABEL = re.compile(r"\b(public|private|protected)\s*:(?!:)")
FUNCTION_NAME = re.compile(r"([~\w:]+|operator\s*\S+)\s*\(")


def check(tree):
    for path in tree.paths(".cpp", ".h", ".c"):
        if not is_test_input(path):
            for name, first, last in cpp_functions(tree.texts[path]):
                yield from judge(path, name, first, last)
    for path in tree.paths(".py"):
        if not is_test_input(path):
            for node in ast.walk(ast.parse(tree.texts[path])):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield from judge(path, node.name, node.lineno, node.end_lineno)


def judge(path, name, first, last):
    length = last - first + 1
    if length > FUNCTION_LENGTH_MAX:
        yield Finding(path, first, f"{name}: {length} lines, at most {FUNCTION_LENGTH_MAX}", "function-length")


def blank(match):
    """What is skipped keeps its line ends, so that line numbers stay."""
    return " " + "\n" * match.group().count("\n")


def cpp_functions(text):
    """Yields (name, first line, last line) of each function body outside other functions."""
    text = SKIPPED.sub(blank, text)
    kinds = []  # For each open brace: "scope", "function" or "other".
    function_begin = 0
    header_begin = 0
    for match in re.finditer(r"[{};]", text):
        mark, position = match.group(), match.start()
        if mark == "{":
            outside_functions = all(kind == "scope" for kind in kinds)
            kinds.append(classify(text[header_begin:position]) if outside_functions else "other")
            if kinds[-1] == "function":
                function_begin = header_begin
        elif mark == "}" and kinds and kinds.pop() == "function":
            if re.match(r"\s*[,{]", text[position + 1 :]):
                header_begin = function_begin  # The braces of a member in a constructor's initialiser list.
                continue
            yield described(text, function_begin, position)
        header_begin = position + 1


def described(text, begin, end):
    header = text[begin : text.index("{", begin)]
    label = list(ACCESS_LABEL.finditer(header))
    if label:
        begin += label[-1].end()
        header = header[label[-1].end() :]
    first_character = begin + len(header) - len(header.lstrip())
    match = FUNCTION_NAME.search(header)
    name = match.group(1) if match else "function"
    return name, text.count("\n", 0, first_character) + 1, text.count("\n", 0, end) + 1


def classify(header):
    outside = re.sub(r"\([^()]*\)", "", header)
    while outside != (outside := re.sub(r"\([^()]*\)", "", outside)):
        pass
    outside = re.sub(r"<[^<>]*>", "", outside)
    if "(" in header and not re.search(r"(?<!operator)(?<!operator=)(?<![=!<>])=(?!=)", outside):
        return "function"
    return "scope" if SCOPE.search(outside) else "other"
