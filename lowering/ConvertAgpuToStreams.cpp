// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-agpu-to-streams: chains become streams and events.

#include "lowering/LateReads.h"
#include "lowering/Passes.h"
#include "lowering/RuntimeEmitter.h"
#include "lowering/StreamBlocks.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "convert-agpu-to-streams"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_CONVERTAGPUTOSTREAMSPASS
#include "lowering/Passes.h.inc"

namespace {

class ConvertAgpuToStreamsPass : public impl::ConvertAgpuToStreamsPassBase<ConvertAgpuToStreamsPass> {
public:
  using ConvertAgpuToStreamsPassBase::ConvertAgpuToStreamsPassBase;

private:
  void runOnOperation() override {
    if (failed(lowerModule(getOperation())))
      signalPassFailure();
  }

  LogicalResult lowerModule(ModuleOp module) {
    RuntimeEmitter emitter(module, opNames);
    StreamBlocks blocks(emitter, maxStreams);
    lateReadCount += markLateReads(module);
    if (failed(blocks.lower(module)))
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
