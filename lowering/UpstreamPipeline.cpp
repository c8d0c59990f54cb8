// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/UpstreamPipeline.h"

#include "dialect/AgpuOps.h"
#include "lowering/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Async/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"

using namespace mlir;

namespace lockstep::agpu {

UpstreamForm inspectUpstreamForm(ModuleOp module) {
  UpstreamForm form;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    form.hasDeviceOps |= isa<ChainOpInterface, HostRegisterOp, HostUnregisterOp>(op);
    form.hasAsyncRegions |= isa<async::ExecuteOp, async::AwaitOp>(op);
    if (auto asyncOp = dyn_cast<gpu::AsyncOpInterface>(op))
      form.hasTokens |= asyncOp.getAsyncToken() || !asyncOp.getAsyncDependencies().empty();
    return WalkResult::advance();
  });
  // The export gives tokens, and no operation of the async dialect is left by the import before it.
  if (form.hasDeviceOps) {
    form.hasTokens = true;
    form.hasAsyncRegions = false;
  }
  return form;
}

static void buildExport(OpPassManager &passes) {
  passes.addPass(createConvertGpuToAgpuPass());
  passes.addPass(createConvertAsyncToAgpuPass());
  passes.addPass(createAgpuOutlineKernelsPass());
  passes.addPass(createAgpuPruneChainsPass());
  ConvertAgpuToGpuPassOptions options;
  options.oneToken = true;
  passes.addPass(createConvertAgpuToGpuPass(options));
}

/// What is left of the host part once gpu-to-llvm and the async passes have taken theirs.
static void buildHostToLlvm(OpPassManager &passes) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

void buildUpstreamPipeline(OpPassManager &passes, const LoweringOptions &options, const UpstreamForm &form,
                           LoweringStage last) {
  if (form.hasDeviceOps)
    buildExport(passes);
  passes.addPass(createGpuKernelOutliningPass());
  if (!form.hasTokens)
    passes.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  if (last == LoweringStage::Agpu)
    return;
  buildKernelStage(passes, options);
  if (last == LoweringStage::Kernels)
    return;
  passes.addPass(createAgpuLowerExpectPass());
  // Not inside of async.execute, whose body is one block until its own passes have made a function of it.
  if (!form.hasAsyncRegions)
    passes.addPass(createSCFToControlFlowPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createGpuToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (form.hasAsyncRegions) {
    passes.addPass(createAsyncToAsyncRuntimePass());
    passes.addPass(createAsyncRuntimeRefCountingPass());
    passes.addPass(createConvertAsyncToLLVMPass());
  }
  buildHostToLlvm(passes);
  passes.addPass(createAgpuNameRuntimeCallsPass());
}

} // namespace lockstep::agpu
