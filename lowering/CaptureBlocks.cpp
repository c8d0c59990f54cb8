// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/CaptureBlocks.h"

using namespace mlir;

namespace lockstep::agpu {

LogicalResult CaptureBlocks::emitOp(ChainOpInterface op, Value stream) {
  if (!isa<AllocOp>(op))
    return success();
  emitter.emitName(op);
  return emitter.emitWork(op, stream);
}

/// Allocations stand before the capture.
ChainOpInterface CaptureBlocks::getFirstEmitted(uint32_t node) {
  const ChainOpInterface *alloc = llvm::find_if(getOps(), [](ChainOpInterface op) { return isa<AllocOp>(op); });
  return alloc == getOps().end() ? RegionBlocks::getFirstEmitted(node) : *alloc;
}

/// Node 0 stands for the begin of the capture, before everything; the last one for its end, behind everything. The
/// nodes between are the operations, in order.
StreamPlan CaptureBlocks::planRegion(ArrayRef<ChainOpInterface> ops) const {
  StreamPlanGraph graph;
  graph.nodes.resize(ops.size() + 2);
  llvm::DenseMap<Operation *, uint32_t> nodes;
  for (auto [index, op] : llvm::enumerate(ops)) {
    StreamPlanNode &node = graph.nodes[index + 1];
    forEachDependency(
        op, [](JoinOp) { return true; },
        [&](Operation *dependency) {
          auto found = nodes.find(dependency);
          if (found != nodes.end())
            node.dependencies.push_back(found->second);
        });
    if (node.dependencies.empty())
      node.dependencies.push_back(0);
    nodes[op] = index + 1;
  }
  StreamPlanNode &end = graph.nodes.back();
  end.kind = StreamPlanNode::Kind::HostWait;
  for (uint32_t node = 1; node <= ops.size(); ++node)
    end.dependencies.push_back(node);
  return planStreams(graph, maxStreams);
}

LogicalResult CaptureBlocks::capture(ArrayRef<ChainOpInterface> ops, Value stream) {
  StreamPlan plan = planRegion(ops);
  uint32_t origin = *plan.steps.front().path;
  auto streamOf = [&](uint32_t path) {
    return path == origin ? stream : getStream(forks, path < origin ? path : path - 1);
  };
  PlannedEvents events(emitter);
  events.reset(plan);
  auto wait = [&](StreamPlanWait wait, Value waiting) {
    waitForEvent(waiting, events.get(wait.index));
    events.use(wait.index, /*isCarried=*/false);
  };
  auto record = [&](uint32_t node) {
    if (plan.steps[node].recordsEvent)
      events.set(node, recordEvent(streamOf(*plan.steps[node].path)));
  };

  Value slot = emitter.createGraphSlot();
  emitter.call(RuntimeFunction::mgpuGraphCaptureBegin, {slot, stream});
  record(0);
  for (auto [index, op] : llvm::enumerate(ops)) {
    const StreamPlanStep &step = plan.steps[index + 1];
    emitter.setLocation(op->getLoc());
    emitter.emitName(op);
    for (StreamPlanWait needed : step.waits)
      wait(needed, streamOf(*step.path));
    if (failed(emitter.emitWork(op, streamOf(*step.path))))
      return failure();
    record(index + 1);
  }
  // Every stream that took part has to be waited for by the one that is captured (rules 5.7, code 904).
  for (StreamPlanWait needed : plan.steps.back().waits) {
    if (needed.kind == StreamPlanWait::Kind::Event) {
      wait(needed, stream);
    } else if (needed.index != origin) {
      Value event = recordEvent(streamOf(needed.index));
      waitForEvent(stream, event);
      emitter.call(RuntimeFunction::mgpuEventPoolRelease, event);
    }
  }
  emitter.call(RuntimeFunction::mgpuGraphCaptureLaunch, {slot, stream});
  ++graphCounts.graphs;
  graphCounts.nodes += ops.size();
  return success();
}

LogicalResult CaptureBlocks::endUnit(Value stream) {
  SmallVector<ChainOpInterface> ops;
  for (ChainOpInterface op : getOps())
    if (!isa<JoinOp>(op) && !isHoisted(op))
      ops.push_back(op);
  if (!ops.empty() && failed(capture(ops, stream)))
    return failure();
  return emitHoistedDeallocs(stream);
}

} // namespace lockstep::agpu
