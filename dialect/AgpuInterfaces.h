// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ChainOpInterface: what all operations share that take chains and may give one.

#ifndef LOCKSTEP_DIALECT_AGPUINTERFACES_H
#define LOCKSTEP_DIALECT_AGPUINTERFACES_H

#include "dialect/AgpuTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Operation.h"

namespace lockstep::agpu::detail {
/// Checks the rules that all operations with chains share (CHAIN-6, CHAIN-7).
mlir::LogicalResult verifyChains(mlir::Operation *op);
} // namespace lockstep::agpu::detail

#include "dialect/AgpuInterfaces.h.inc"

#endif // LOCKSTEP_DIALECT_AGPUINTERFACES_H
