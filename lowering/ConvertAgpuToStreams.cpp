// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-agpu-to-streams: chains become streams and events.

#include "lowering/ChainTypes.h"
#include "lowering/Passes.h"
#include "lowering/RuntimeEmitter.h"
#include "lowering/StreamBlocks.h"
#include "lowering/StructuredControlFlow.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "convert-agpu-to-streams"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_CONVERTAGPUTOSTREAMSPASS
#include "lowering/Passes.h.inc"

namespace {

LogicalResult verifyPlaces(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    bool isPlaced = op->getParentOp() == function || op == function;
    if (isPlaced || !isa_and_nonnull<AgpuDialect>(op->getDialect()) || op->getParentOfType<LaunchOp>())
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = op->emitOpError("is inside '")
                                    << op->getParentOp()->getName() << "', which does not become blocks";
    diagnostic.attachNote(op->getParentOp()->getLoc()) << "device operations may stand in functions, in scf "
                                                          "operations, and in blocks";
    return diagnostic;
  });
  return failure(result.wasInterrupted());
}

class ConvertAgpuToStreamsPass : public impl::ConvertAgpuToStreamsPassBase<ConvertAgpuToStreamsPass> {
public:
  using ConvertAgpuToStreamsPassBase::ConvertAgpuToStreamsPassBase;

private:
  void runOnOperation() override {
    if (failed(lowerModule(getOperation())))
      signalPassFailure();
  }

  LogicalResult lowerModule(ModuleOp module) {
    if (maxStreams == 0)
      return module.emitError("option max-streams of convert-agpu-to-streams must be at least 1");
    RuntimeEmitter emitter(module, opNames);
    if (failed(emitter.verify()) || failed(verifyChainUses(module)))
      return failure();
    SmallVector<func::FuncOp> functions = getFunctionsWithBodies(module);
    for (func::FuncOp function : functions)
      if (failed(flattenControlFlow(function)) || failed(verifyPlaces(function)))
        return failure();
    llvm::DenseSet<Value> handles = convertChainTypes(module);
    StreamBlocks blocks(emitter, maxStreams, handles);
    for (func::FuncOp function : functions)
      if (failed(blocks.lower(function)))
        return failure();
    streamCount += blocks.getCounts().streams;
    eventCount += blocks.getCounts().events;
    streamWaitCount += blocks.getCounts().streamWaits;
    hostWaitCount += blocks.getCounts().hostWaits;
    return success();
  }
};

} // namespace
} // namespace lockstep::agpu
