// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For pass-names.test: every name here is wrong in one way.

def TwoPass : Pass<"convert-one"> {}
def ConvertThreePass : Pass<"convert-three", "::mlir::ModuleOp"> {}
