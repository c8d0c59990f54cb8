// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the bodies of gpu.module to the NVVM dialect, complete for what the test kernel-pipeline.mlir lists.

#ifndef LOCKSTEP_LOWERING_KERNELPIPELINE_H
#define LOCKSTEP_LOWERING_KERNELPIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace lockstep::agpu {

/// Adds to a pass manager for builtin.module the passes that turn the bodies of its gpu.modules into the LLVM and NVVM
/// dialects, without debug information. Host code is not touched. What comes out is ready for agpu-serialize-kernels.
void buildNVVMKernelPipeline(mlir::OpPassManager &passes);

/// Registers the same as the pipeline `agpu-kernels-to-nvvm`.
void registerNVVMKernelPipeline();

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_KERNELPIPELINE_H
