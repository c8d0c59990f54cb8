// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/KernelPipeline.h"

#include "lowering/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

/// What a textual pipeline says about the target.
struct RocdlPipelineOptions : PassPipelineOptions<RocdlPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("AMD processor; empty: gfx90a."), llvm::cl::init("")};
  Option<std::string> features{*this, "features", llvm::cl::desc("LLVM target features."), llvm::cl::init("")};
};

void addTargetConversion(OpPassManager &kernels, const KernelTarget &target) {
  if (target.kind == KernelTargetKind::Nvvm) {
    kernels.addPass(createConvertGpuOpsToNVVMOps());
    return;
  }
  ConvertGpuOpsToROCDLOpsOptions options;
  options.chipset = target.getChip();
  options.runtime = gpu::amd::Runtime::HIP;
  kernels.addPass(createConvertGpuOpsToROCDLOps(options));
}

} // namespace

void buildKernelPipeline(OpPassManager &passes, const KernelTarget &target) {
  OpPassManager &kernels = passes.nest<gpu::GPUModuleOp>();
  kernels.addPass(createConvertVectorToSCFPass());
  AgpuLegalizeKernelsPassOptions legalize;
  legalize.target = target.kind == KernelTargetKind::Nvvm ? "nvvm" : "rocdl";
  legalize.subgroupSize = target.getSubgroupSize();
  kernels.addPass(createAgpuLegalizeKernelsPass(legalize));
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  addTargetConversion(kernels, target);
  // What is left of math then has an LLVM intrinsic that the targets know: counts of bits, trunc, absi.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createStripDebugInfoPass());
}

void registerKernelPipelines() {
  PassPipelineRegistration<>("agpu-kernels-to-nvvm", "Turns the bodies of gpu.module into the LLVM and NVVM dialects.",
                             [](OpPassManager &passes) { buildKernelPipeline(passes, KernelTarget()); });
  PassPipelineRegistration<RocdlPipelineOptions>(
      "agpu-kernels-to-rocdl", "Turns the bodies of gpu.module into the LLVM and ROCDL dialects.",
      [](OpPassManager &passes, const RocdlPipelineOptions &options) {
        buildKernelPipeline(passes, {KernelTargetKind::Rocdl, options.chip, options.features});
      });
}

} // namespace lockstep::agpu
