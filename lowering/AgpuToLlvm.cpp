// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-to-llvm: the last step of host code, to nothing but the LLVM dialect.

#include "dialect/AgpuDialect.h"
#include "lowering/GpuImport.h"
#include "lowering/HostTypes.h"
#include "lowering/Passes.h"
#include "lowering/StructuredControlFlow.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#define DEBUG_TYPE "agpu-to-llvm"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUTOLLVMPASS
#include "lowering/Passes.h.inc"

namespace {

void populatePatterns(HostTypeConverter &types, SymbolTableCollection &symbols, RewritePatternSet &patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateMathToLibmConversionPatterns(patterns);
  populateComplexToLLVMConversionPatterns(types, patterns);
  index::populateIndexToLLVMConversionPatterns(types, patterns);
  ub::populateUBToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  cf::populateAssertToLLVMConversionPattern(types, patterns, /*abortOnFailure=*/true, &symbols);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns, &symbols);
  populateFuncToLLVMConversionPatterns(types, patterns, &symbols);
}

/// What would have to run before this pass for the operation to be gone.
StringRef explainLeftover(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (isa<gpu::GPUModuleOp>(op))
    return "agpu-serialize-kernels turns it into a gpu.binary";
  if (isa<gpu::BinaryOp>(op))
    return "agpu-embed-kernels embeds it";
  if (dialect == AgpuDialect::getDialectNamespace())
    return "convert-agpu-to-streams, -graph or -serial lowers it";
  if (isImportableGpuOp(op))
    return "convert-gpu-to-agpu imports it";
  if (dialect == "gpu" && !isa<gpu::AsyncOpInterface>(op))
    return "it has a meaning in kernels only: in gpu.launch, agpu.launch or gpu.func";
  if (dialect == "async")
    return "convert-async-to-agpu imports it where it holds device operations";
  if (dialect == "affine")
    return "lower-affine lowers it";
  if (dialect == "tensor" || dialect == "bufferization")
    return "host code has memrefs: bufferize it (one-shot-bufferize) first";
  if (dialect == "linalg")
    return "convert-linalg-to-loops lowers it, once it is bufferized";
  if (dialect == "memref")
    return "expand-strided-metadata, then lower-affine, expand what addresses memory through strides";
  return "no step of this pipeline lowers it";
}

LogicalResult reportLeftovers(ModuleOp module) {
  SmallVector<Operation *> leftovers;
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
      casts.push_back(cast);
    else
      leftovers.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : leftovers)
    op->emitOpError("is left after the conversion to LLVM").attachNote() << explainLeftover(op);
  if (!leftovers.empty())
    return failure();
  // Casts around other leftovers are no news; alone they mean that two conversions disagree on a type.
  for (UnrealizedConversionCastOp cast : casts)
    cast.emitOpError("is left after the conversion to LLVM").attachNote()
        << "from " << cast.getOperandTypes() << " to " << cast.getResultTypes();
  return failure(!casts.empty());
}

/// Before the conversion, not in it: what scf.parallel and scf.forall become is structured again, and their bodies must
/// not be half converted by then.
LogicalResult flattenHostFunctions(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) -> WalkResult {
    auto function = dyn_cast<func::FuncOp>(op);
    if (function && failed(flattenControlFlow(function)))
      return WalkResult::interrupt();
    return function || isa<gpu::GPUModuleOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

class AgpuToLlvmPass : public impl::AgpuToLlvmPassBase<AgpuToLlvmPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(flattenHostFunctions(module)))
      return signalPassFailure();
    HostTypeConverter types(&getContext());
    SymbolTableCollection symbols;
    RewritePatternSet patterns(&getContext());
    populatePatterns(types, symbols, patterns);
    LLVMConversionTarget target(getContext());
    // Kernels and everything that is not host code stay as they are; what is left is reported below by name.
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    target.markOpRecursivelyLegal<gpu::GPUModuleOp>();
    target.addLegalDialect<gpu::GPUDialect, AgpuDialect>();
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    if (failed(reportLeftovers(module)))
      signalPassFailure();
  }
};

} // namespace
} // namespace lockstep::agpu
