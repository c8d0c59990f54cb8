// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic updates in kernels that neither LLVM nor upstream's lowering has an instruction for. Part of
// agpu-legalize-kernels.

#ifndef LOCKSTEP_LOWERING_ATOMICEXPANSION_H
#define LOCKSTEP_LOWERING_ATOMICEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace lockstep::agpu {

/// Adds patterns that turn memref.atomic_rmw of products into memref.generic_atomic_rmw, and memref.generic_atomic_rmw
/// of floats into a loop of compare-and-exchange on integers of the same width.
void populateAtomicExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_ATOMICEXPANSION_H
