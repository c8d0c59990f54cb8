// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel operations that upstream's conversion to ROCDL gets wrong or does not know. Part of agpu-legalize-kernels.

#ifndef LOCKSTEP_LOWERING_ROCDLEXPANSION_H
#define LOCKSTEP_LOWERING_ROCDLEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace lockstep::agpu {

/// Adds patterns for waves of `subgroupSize` lanes:
/// - gpu.shuffle of 32 bits becomes ds_bpermute. A width under the wave's size divides the wave into segments of the
///   next power of two, each of which works alone, so code that was written for 32 lanes runs in a wave of 64. A lane
///   whose partner is outside of its segment keeps its value.
/// - gpu.subgroup_reduce of a scalar becomes shuffles that leave out lanes which the block does not have.
/// - cf.assert becomes a message by gpu.printf and a trap.
void populateRocdlExpansionPatterns(mlir::RewritePatternSet &patterns, unsigned subgroupSize);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_ROCDLEXPANSION_H
