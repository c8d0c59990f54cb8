// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How chains pass between blocks and functions once they are lowered: as !llvm.ptr, an event handle or null.
//
// Convention (LOWER-4): whoever defines a chain value owns one reference to its event; a branch, call or return passes
// one reference for each operand to the block argument, callee or caller. Both lowerings have the same types, so that
// functions lowered by one can be called from the other: the serial one passes nulls, which need no reference.

#ifndef LOCKSTEP_LOWERING_CHAINTYPES_H
#define LOCKSTEP_LOWERING_CHAINTYPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace lockstep::agpu {

/// Whether the operation only hands chains on: a branch, a yield, a reduction, a call, a return or a select.
bool passesChains(mlir::Operation *op);

/// Reports operations that use chains in a way that has no lowering, device operations in modules inside this one, and
/// functions without a body that have chains in their signature: what is on the other side would have to follow the
/// convention.
mlir::LogicalResult verifyChainUses(mlir::ModuleOp module);

/// Gives every chain of host code the type !llvm.ptr but the results of agpu operations: arguments of blocks, results
/// of operations, types of functions. Returns these values.
llvm::DenseSet<mlir::Value> convertChainTypes(mlir::ModuleOp module);

/// The functions of the module itself that have a body, in order: what a lowering of chains goes through.
llvm::SmallVector<mlir::func::FuncOp> getFunctionsWithBodies(mlir::ModuleOp module);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CHAINTYPES_H
