# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import header

LICENSE = "{0} " + ("\n{0} ".join(header.LICENSE_LINES)) + "\n"
CPP, HASH = LICENSE.format("//"), LICENSE.format("#")


class License(TreeCase):
    def test_present_in_each_language(self):
        files = {
            "a.cpp": CPP + "int x;\n",
            "b.td": CPP,
            "c/CMakeLists.txt": HASH,
            "d.py": HASH,
            "e": "#!/bin/sh\n" + HASH,
            "f.md": "text\n",
            "g.mlir": "func.func @f()\n",
        }
        self.assert_clean(header, files)

    def test_absent_misplaced_or_misspelt(self):
        files = {
            "a.cpp": "int x;\n",
            "b.py": "import os\n" + HASH,
            "c.td": CPP.replace("Apache-2.0", "Apache-2"),
            "d": "#!/bin/sh\necho\n",
        }
        self.assertEqual(
            [("a.cpp", 1, "license"), ("b.py", 1, "license"), ("c.td", 2, "license"), ("d", 2, "license")],
            self.findings(header, files),
        )


class Guard(TreeCase):
    def header(self, guard, end="#endif"):
        return f"{CPP}#ifndef {guard}\n#define {guard}\n{end}\n"

    def test_named_after_the_path(self):
        guard = "LOCKSTEP_RUNTIME_API_SUPPORT_POOL_H"
        self.assert_clean(header, {"runtime-api/support/Pool.h": self.header(guard, f"#endif // {guard}")})
        self.assert_clean(header, {"runtime-api/support/Pool.h": self.header(guard)})

    def test_wrong_name_missing_or_wrong_end(self):
        files = {
            "a/B.h": self.header("A_B_H"),
            "a/C.h": CPP + "#pragma once\n",
            "a/D.h": self.header("LOCKSTEP_A_D_H", "#endif // OTHER"),
            "a/E.h": f"{CPP}#ifndef LOCKSTEP_A_E_H\n#define LOCKSTEP_E_H\n#endif\n",
        }
        self.assertEqual(
            [
                ("a/B.h", 3, "header-guard"),
                ("a/C.h", 3, "header-guard"),
                ("a/D.h", 5, "header-guard"),
                ("a/E.h", 4, "header-guard"),
            ],
            self.findings(header, files),
        )
