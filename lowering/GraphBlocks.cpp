// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/GraphBlocks.h"

using namespace mlir;

namespace lockstep::agpu {

bool RegionBlocks::isInUnit(Operation *op) const {
  auto found = getUnits().nodes.find(op);
  return found != getUnits().nodes.end() && found->second == current;
}

void RegionBlocks::beginUnit(uint32_t node) {
  current = node;
  hoisted.clear();
  for (ChainOpInterface op : getOps()) {
    auto alloc = dyn_cast<AllocOp>(op.getOperation());
    auto dealloc = dyn_cast<DeallocOp>(op.getOperation());
    if ((alloc && placement.isHoisted(alloc)) ||
        (dealloc && placement.isHoisted(dealloc, [&](Operation *other) { return isInUnit(other); })))
      hoisted.insert(op);
  }
}

/// Allocations and nodes come in order; hoisted deallocations come behind them.
ChainOpInterface RegionBlocks::getFirstEmitted(uint32_t) {
  const ChainOpInterface *first = llvm::find_if(
      getOps(), [&](ChainOpInterface op) { return isa<AllocOp>(op) || !(isa<JoinOp>(op) || isHoisted(op)); });
  return first == getOps().end() ? getOps().front() : *first;
}

LogicalResult RegionBlocks::emitHoistedDeallocs(Value stream) {
  for (ChainOpInterface op : getOps()) {
    if (!isa<DeallocOp>(op) || !isHoisted(op))
      continue;
    emitter.setLocation(op->getLoc());
    emitter.emitName(op);
    if (failed(emitter.emitWork(op, stream)))
      return failure();
  }
  return success();
}

bool GraphBlocks::needsEmptyNode(JoinOp op) const {
  unsigned numUsers = llvm::count_if(op.getChain().getUsers(), [&](Operation *user) { return isInUnit(user); });
  return numUsers > 1 && op.getChains().size() > 1;
}

WorkTarget GraphBlocks::targetFor(ChainOpInterface op) {
  SmallVector<int32_t> dependencies;
  // What is hoisted, or in another unit, is complete where it has to be before the graph begins.
  forEachDependency(
      op, [&](JoinOp join) { return !nodes.contains(join); },
      [&](Operation *dependency) {
        auto node = nodes.find(dependency);
        if (node != nodes.end())
          dependencies.push_back(node->second);
      });
  llvm::sort(dependencies);
  return emitter.behindNodes(graph, dependencies);
}

void GraphBlocks::beginUnit(uint32_t node) {
  RegionBlocks::beginUnit(node);
  graph = {};
  nodes.clear();
}

LogicalResult GraphBlocks::emitOp(ChainOpInterface op, Value stream) {
  bool isAlloc = isa<AllocOp>(op), hasNode = !isHoisted(op);
  if (auto join = dyn_cast<JoinOp>(op.getOperation()))
    hasNode = graph && needsEmptyNode(join);
  if (!hasNode && !isAlloc)
    return success();
  emitter.emitName(op);
  return hasNode ? emitNode(op) : emitter.emitWork(op, stream);
}

LogicalResult GraphBlocks::emitNode(ChainOpInterface op) {
  if (!graph) {
    graph = emitter.call(RuntimeFunction::mgpuGraphBegin, emitter.createGraphSlot());
    ++graphCounts.graphs;
  }
  WorkTarget target = targetFor(op);
  if (isa<JoinOp>(op))
    emitter.call(RuntimeFunction::mgpuGraphAddEmptyNode, {graph, target.dependencies, target.dependencyCount});
  else if (failed(emitter.emitWork(op, target)))
    return failure();
  int32_t number = nodes.size();
  nodes[op] = number;
  ++graphCounts.nodes;
  return success();
}

LogicalResult GraphBlocks::endUnit(Value stream) {
  if (graph)
    emitter.call(RuntimeFunction::mgpuGraphLaunch, {graph, stream});
  return emitHoistedDeallocs(stream);
}

} // namespace lockstep::agpu
