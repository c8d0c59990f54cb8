// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the bodies of gpu.module to the NVVM or ROCDL dialect, complete for what the test kernel-pipeline.mlir lists.

#ifndef LOCKSTEP_LOWERING_KERNELPIPELINE_H
#define LOCKSTEP_LOWERING_KERNELPIPELINE_H

#include "lowering/KernelTarget.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace lockstep::agpu {

/// Adds to a pass manager for builtin.module the passes that turn the bodies of its gpu.modules into the LLVM dialect
/// and the target's, without debug information. Host code is not touched. What comes out is ready for
/// agpu-serialize-kernels.
void buildKernelPipeline(mlir::OpPassManager &passes, const KernelTarget &target);

/// Registers the same as the pipelines `agpu-kernels-to-nvvm` and `agpu-kernels-to-rocdl`.
void registerKernelPipelines();

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_KERNELPIPELINE_H
