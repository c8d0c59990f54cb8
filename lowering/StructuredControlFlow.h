// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_STRUCTUREDCONTROLFLOW_H
#define LOCKSTEP_LOWERING_STRUCTUREDCONTROLFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lockstep::agpu {

/// Turns the scf operations of a function into blocks, so that every straight-line region is one, and drops blocks that
/// nothing reaches. scf.parallel and scf.forall become loops: the host goes through their rounds in turn. Reports
/// scf.forall with results, which are tensors.
mlir::LogicalResult flattenControlFlow(mlir::func::FuncOp function);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_STRUCTUREDCONTROLFLOW_H
