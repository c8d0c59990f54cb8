// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-agpu-to-graph: straight-line regions become graphs, built or captured.

#include "lowering/CaptureBlocks.h"
#include "lowering/GraphBlocks.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "convert-agpu-to-graph"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_CONVERTAGPUTOGRAPHPASS
#include "lowering/Passes.h.inc"

namespace {

class ConvertAgpuToGraphPass : public impl::ConvertAgpuToGraphPassBase<ConvertAgpuToGraphPass> {
public:
  using ConvertAgpuToGraphPassBase::ConvertAgpuToGraphPassBase;

private:
  void runOnOperation() override {
    if (failed(lowerModule(getOperation())))
      signalPassFailure();
  }

  LogicalResult lowerModule(ModuleOp module) {
    bool isCapture = mode == "capture", asNodes = allocations == "nodes";
    if (!isCapture && mode != "explicit")
      return module.emitError("option mode of convert-agpu-to-graph must be explicit or capture, not '") << mode << "'";
    if (!asNodes && allocations != "hoisted")
      return module.emitError("option allocations of convert-agpu-to-graph must be hoisted or nodes, not '")
             << allocations << "'";
    if (isCapture && asNodes)
      return module.emitError("option allocations=nodes of convert-agpu-to-graph goes with mode=explicit: a captured "
                              "graph with memory nodes cannot be updated");
    RuntimeEmitter emitter(module, opNames);
    if (isCapture)
      return lower(module, CaptureBlocks(emitter, maxStreams, AllocationPlacement(asNodes)));
    return lower(module, GraphBlocks(emitter, maxStreams, AllocationPlacement(asNodes)));
  }

  LogicalResult lower(ModuleOp module, RegionBlocks &&blocks) {
    if (failed(blocks.lower(module)))
      return failure();
    graphCount += blocks.getGraphCounts().graphs;
    nodeCount += blocks.getGraphCounts().nodes;
    streamCount += blocks.getCounts().streams;
    eventCount += blocks.getCounts().events;
    streamWaitCount += blocks.getCounts().streamWaits;
    hostWaitCount += blocks.getCounts().hostWaits;
    return success();
  }
};

} // namespace
} // namespace lockstep::agpu
