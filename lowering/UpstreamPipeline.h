// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering `upstream`: the passes that MLIR itself documents for asynchronous GPU programs (its test
// Integration/GPU/CUDA/async.mlir), run on the program as the subject of a test.
//
// A program without agpu device operations goes to them as it was written: what they make of its form is what is asked.
// Any other is exported to tokens first (convert-agpu-to-gpu, one token an operation). Kernels take the same road as in
// the project's own lowerings, so that the host part alone differs.

#ifndef LOCKSTEP_LOWERING_UPSTREAMPIPELINE_H
#define LOCKSTEP_LOWERING_UPSTREAMPIPELINE_H

#include "lowering/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"

namespace lockstep::agpu {

/// Which of upstream's forms a program has; it decides which passes apply.
struct UpstreamForm {
  bool hasDeviceOps = false;    ///< agpu operations that become device work: it must be exported.
  bool hasTokens = false;       ///< gpu operations that are asynchronous: gpu-async-region refuses them.
  bool hasAsyncRegions = false; ///< async.execute and what belongs to it.
};

UpstreamForm inspectUpstreamForm(mlir::ModuleOp module);

/// Adds the passes up to `last` for programs of that form: `Agpu` is the program as gpu-to-llvm gets it, still in gpu
/// and async; `Kernels` has its kernels serialized; `Lowered` and `LLVM` are the LLVM dialect and gpu.binary, which the
/// translation to LLVM IR embeds. Of the options, what concerns chains has no meaning here. Whatever cannot be
/// legalized is left in place by some of these passes without a word; translating the result reports it.
void buildUpstreamPipeline(mlir::OpPassManager &passes, const LoweringOptions &options, const UpstreamForm &form,
                           LoweringStage last = LoweringStage::LLVM);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_UPSTREAMPIPELINE_H
