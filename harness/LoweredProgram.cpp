// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/LoweredProgram.h"

#include "harness/Lowerings.h"
#include "harness/ProgramLoader.h"
#include "harness/UserPipeline.h"
#include "lowering/UpstreamPipeline.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace lockstep::harness;
using lockstep::agpu::LoweringOptions;
using lockstep::agpu::LoweringStage;

static LoweringOptions optionsOf(const LoweringRequest &request) {
  LoweringOptions options;
  options.lowering = request.lowering;
  options.backend = request.backend;
  options.kernelTarget = request.backend == "hip" ? "rocdl" : "nvvm";
  // A vendor's driver compiles assembly itself, for whatever device it finds.
  options.kernelFormat = request.isSimulated ? "bitcode" : "isa";
  options.traceChains = request.traceChains;
  return options;
}

static llvm::Error runPipeline(mlir::ModuleOp module, const LoweringOptions &options, LoweringStage last) {
  bool isUpstream = options.lowering == kUpstreamLowering;
  LoweringOptions checked = options;
  if (isUpstream)
    checked.lowering = LoweringOptions().lowering;
  if (std::optional<std::string> problem = lockstep::agpu::explainInvalid(checked))
    return llvm::createStringError(*problem);
  mlir::PassManager passes(module.getContext());
  if (isUpstream)
    lockstep::agpu::buildUpstreamPipeline(passes, options, lockstep::agpu::inspectUpstreamForm(module), last);
  else
    lockstep::agpu::buildLoweringPipeline(passes, options, last);
  DiagnosticText diagnostics(*module.getContext());
  if (mlir::succeeded(passes.run(module)))
    return llvm::Error::success();
  const std::string &message = diagnostics.firstError();
  return llvm::createStringError(message.empty() ? "the lowering failed and did not say why" : message);
}

llvm::Error lockstep::harness::importProgram(mlir::ModuleOp module) {
  return runPipeline(module, LoweringOptions(), LoweringStage::Agpu);
}

llvm::Error lockstep::harness::exportProgram(mlir::ModuleOp module) {
  LoweringOptions options;
  options.lowering = kUpstreamLowering;
  return runPipeline(module, options, LoweringStage::Agpu);
}

llvm::Error lockstep::harness::lowerToRuntimeCalls(mlir::ModuleOp module, const LoweringRequest &request) {
  return runPipeline(module, optionsOf(request), LoweringStage::Lowered);
}

static llvm::Error lowerByUserPipeline(mlir::ModuleOp module, const LoweringRequest &request) {
  if (llvm::Error error = registerPasses(request.passPlugins))
    return error;
  if (llvm::Error error = importProgram(module))
    return error;
  return runUserPipeline(module, request.pipeline);
}

llvm::Error lockstep::harness::lowerProgram(mlir::ModuleOp module, const LoweringRequest &request) {
  if (!request.pipeline.empty())
    return lowerByUserPipeline(module, request);
  return runPipeline(module, optionsOf(request), LoweringStage::LLVM);
}

llvm::Expected<std::string> lockstep::harness::emitKernelAssembly(mlir::ModuleOp module,
                                                                  const LoweringRequest &request) {
  LoweringOptions options = optionsOf(request);
  options.kernelFormat = "isa";
  if (llvm::Error error = runPipeline(module, options, LoweringStage::Kernels))
    return error;
  std::string text;
  module.walk([&](mlir::gpu::BinaryOp binary) {
    for (mlir::Attribute object : binary.getObjects())
      if (auto assembly = mlir::dyn_cast<mlir::gpu::ObjectAttr>(object))
        text += assembly.getObject().getValue();
  });
  return text;
}

llvm::Expected<std::unique_ptr<llvm::Module>> lockstep::harness::translateHostPart(mlir::ModuleOp module,
                                                                                   llvm::LLVMContext &context) {
  DiagnosticText diagnostics(*module.getContext());
  std::unique_ptr<llvm::Module> host = mlir::translateModuleToLLVMIR(module, context, "program");
  if (host)
    return host;
  const std::string &message = diagnostics.firstError();
  return llvm::createStringError(message.empty() ? "the translation to LLVM IR failed" : message);
}
