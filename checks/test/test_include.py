# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from tree_case import TreeCase
from rules import include

# Files that includes may name.
PRESENT = {
    path: ""
    for path in (
        "dialect/A.h",
        "lowering/B.h",
        "runtime-api/DriverControl.h",
        "runtime-api/Mgpu.h",
        "runtime-api/Symbols.def",
        "runtime-api/support/Pool.h",
        "runtime-cuda/C.h",
        "runtime-hip/D.h",
        "simgpu/E.h",
        "harness/F.h",
        "reports/Results.h",
        "reports/History.h",
    )
}

ALLOWED = [
    ("dialect/x.cpp", '"dialect/A.h"'),
    ("dialect/x.cpp", '"dialect/Ops.h.inc"'),
    ("dialect/x.cpp", '"mlir/IR/Builders.h"'),
    ("lowering/x.cpp", '"dialect/A.h"'),
    ("lowering/x.cpp", '"runtime-api/Symbols.def"'),
    ("runtime-cuda/x.cpp", '"runtime-api/support/Pool.h"'),
    ("runtime-cuda/x.cpp", "<dlfcn.h>"),
    ("runtime-cuda/test/x.cpp", '"gtest/gtest.h"'),
    ("runtime-cuda/test/x.cpp", "<gtest/gtest.h>"),
    ("runtime-cuda/test/x.cpp", "<cuda.h>"),
    ("simgpu/x.cpp", '"runtime-api/DriverControl.h"'),
    ("simgpu/x.cpp", '"llvm/IR/Module.h"'),
    ("harness/x.cpp", '"lowering/B.h"'),
    ("harness/x.cpp", '"reports/Results.h"'),
    ("suites/test/x.cpp", '"harness/F.h"'),
    ("tools/x.cpp", '"reports/History.h"'),
]

FORBIDDEN = [
    ("dialect/x.cpp", '"lowering/B.h"'),
    ("dialect/x.cpp", '"runtime-api/Mgpu.h"'),
    ("dialect/x.td", '"lowering/B.h"'),
    ("lowering/x.cpp", '"runtime-api/support/Pool.h"'),
    ("lowering/x.cpp", '"harness/F.h"'),
    ("lowering/x.cpp", '"gtest/gtest.h"'),
    ("runtime-api/x.cpp", '"llvm/ADT/StringRef.h"'),
    ("runtime-cuda/x.cpp", '"runtime-hip/D.h"'),
    ("runtime-cuda/x.cpp", '"mlir/IR/Builders.h"'),
    ("runtime-cuda/x.cpp", "<llvm/ADT/StringRef.h>"),
    ("runtime-cuda/x.cpp", "<cuda.h>"),
    ("runtime-cuda/test/x.cpp", '"simgpu/E.h"'),
    ("runtime-hip/x.cpp", '"runtime-cuda/C.h"'),
    ("runtime-hip/x.cpp", "<hip/hip_runtime.h>"),
    ("simgpu/x.cpp", '"runtime-api/Mgpu.h"'),
    ("simgpu/x.cpp", '"mlir/IR/Builders.h"'),
    ("harness/x.cpp", '"runtime-cuda/C.h"'),
    ("harness/x.cpp", '"simgpu/E.h"'),
    ("harness/test/x.cpp", '"runtime-hip/D.h"'),
    ("harness/x.cpp", '"reports/History.h"'),
    ("reports/x.cpp", '"harness/F.h"'),
    ("tools/x.cpp", '"runtime-cuda/C.h"'),
    ("harness/x.cpp", '"F.h"'),
    ("harness/x.cpp", '"../harness/F.h"'),
    ("harness/x.cpp", '"harness/Gone.h"'),
    ("newpart/x.cpp", '"harness/F.h"'),
]


class Include(TreeCase):
    def findings_for(self, path, name):
        mark = "" if path.endswith(".td") else "#"
        return self.findings(include, {**PRESENT, path: f"\n{mark}include {name}\n"})

    def test_allowed(self):
        for path, name in ALLOWED:
            with self.subTest(path=path, name=name):
                self.assertEqual([], self.findings_for(path, name))
                (self.root / path).unlink()

    def test_forbidden(self):
        for path, name in FORBIDDEN:
            with self.subTest(path=path, name=name):
                line = 0 if path.startswith("newpart") else 2
                self.assertEqual([(path, line, "include")], self.findings_for(path, name))
                (self.root / path).unlink()
