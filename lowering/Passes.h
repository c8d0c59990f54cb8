// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of Lockstep: for each, a create function and an options struct generated from Passes.td.

#ifndef LOCKSTEP_LOWERING_PASSES_H
#define LOCKSTEP_LOWERING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace lockstep::agpu {

#define GEN_PASS_DECL
#include "lowering/Passes.h.inc"

/// Registers every pass of Passes.td, so that tools and textual pipelines know them by flag.
void registerLoweringPasses();

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_PASSES_H
