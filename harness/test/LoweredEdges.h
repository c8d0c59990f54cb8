// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_TEST_LOWEREDEDGES_H
#define LOCKSTEP_HARNESS_TEST_LOWEREDEDGES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace lockstep::harness {

/// The calls of a function in a lowered program, in order.
std::vector<mlir::LLVM::CallOp> findCalls(mlir::ModuleOp module, llvm::StringRef function);

/// The calls that add a node to a graph behind others.
std::vector<mlir::LLVM::CallOp> findDependentNodes(mlir::ModuleOp module);

/// Takes all dependencies from a call of findDependentNodes.
void emptyDependencies(mlir::LLVM::CallOp node);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_TEST_LOWEREDEDGES_H
