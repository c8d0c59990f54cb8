// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/ChainTypes.h"

#include "dialect/AgpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace lockstep::agpu {

static bool isChain(Type type) { return isa<ChainType>(type); }

static bool mentionsChain(Type type) {
  return type.walk([](Type part) { return isChain(part) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool passesChains(Operation *op) {
  return isa<func::CallOp, func::ReturnOp, arith::SelectOp, BranchOpInterface, RegionBranchOpInterface,
             RegionBranchTerminatorOpInterface, scf::ReduceReturnOp>(op);
}

static LogicalResult verifyOp(Operation *op, ModuleOp module) {
  if (auto function = dyn_cast<func::FuncOp>(op)) {
    if (!function.isExternal() || !mentionsChain(function.getFunctionType()))
      return success();
    return function.emitOpError("has chains in its signature but no body: a function that is defined elsewhere cannot "
                                "take or give chains; wait for them before the call");
  }
  auto isNested = [](Type type) { return !isChain(type) && mentionsChain(type); };
  if (llvm::any_of(op->getOperandTypes(), isNested) || llvm::any_of(op->getResultTypes(), isNested))
    return op->emitOpError("has a chain inside another type, which has no lowering");
  bool touchesChains = llvm::any_of(op->getOperandTypes(), isChain) || llvm::any_of(op->getResultTypes(), isChain);
  if (isa<ChainOpInterface>(op) && op->getParentOfType<ModuleOp>() != module)
    return op->emitOpError(
        "is in a module inside the program's: only functions of the program's own module are lowered");
  if (!touchesChains || isa<ChainOpInterface>(op) || passesChains(op))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("uses a chain but is not known to pass it on");
  diagnostic.attachNote() << "chains pass through branches, structured control flow, calls, returns and selects";
  return diagnostic;
}

LogicalResult verifyChainUses(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    return failed(verifyOp(op, module)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

llvm::DenseSet<Value> convertChainTypes(ModuleOp module) {
  llvm::DenseSet<Value> converted;
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto convert = [&](ValueRange values) {
    for (Value value : values) {
      if (!isChain(value.getType()))
        continue;
      value.setType(pointer);
      converted.insert(value);
    }
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      AttrTypeReplacer replacer;
      replacer.addReplacement([&](ChainType) -> Type { return pointer; });
      function.setFunctionType(cast<FunctionType>(replacer.replace(function.getFunctionType())));
    }
    if (!isa<ChainOpInterface>(op))
      convert(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        convert(block.getArguments());
    return WalkResult::advance();
  });
  return converted;
}

SmallVector<func::FuncOp> getFunctionsWithBodies(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(),
                                [](func::FuncOp function) { return !function.isExternal(); });
}

} // namespace lockstep::agpu
