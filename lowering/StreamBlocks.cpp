// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/StreamBlocks.h"

#include "lowering/ChainReferences.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace lockstep::agpu {

bool isCarriedChain(Value chain) {
  Block *block = chain.getParentBlock();
  return llvm::any_of(chain.getUsers(),
                      [&](Operation *user) { return user->getBlock() != block || !isa<ChainOpInterface>(user); });
}

BlockGraph buildBlockGraph(Block &block) {
  BlockGraph result;
  llvm::DenseMap<Value, uint32_t> externalNumbers;
  std::vector<StreamPlanNode> &nodes = result.graph.nodes;
  for (Operation &operation : block) {
    auto op = dyn_cast<ChainOpInterface>(operation);
    if (!op)
      continue;
    StreamPlanNode node;
    node.kind = isa<JoinOp>(op)   ? StreamPlanNode::Kind::Join
                : isa<WaitOp>(op) ? StreamPlanNode::Kind::HostWait
                                  : StreamPlanNode::Kind::Work;
    node.isCarried = op.isAsync() && isCarriedChain(op.getChain());
    for (Value chain : op.getChains()) {
      auto local = result.nodes.find(chain.getDefiningOp());
      if (local != result.nodes.end()) {
        node.dependencies.push_back(local->second);
        continue;
      }
      auto [external, isNew] = externalNumbers.try_emplace(chain, result.externals.size());
      if (isNew)
        result.externals.push_back(chain);
      node.externals.push_back(external->second);
    }
    uint32_t number = nodes.size();
    result.nodes[op] = number;
    nodes.push_back(std::move(node));
    if (!op.isAsync() && !isa<WaitOp>(op)) {
      StreamPlanNode wait;
      wait.kind = StreamPlanNode::Kind::HostWait;
      wait.dependencies.push_back(number);
      nodes.push_back(std::move(wait));
    }
  }
  result.graph.numExternals = result.externals.size();
  return result;
}

Value StreamBlocks::getStream(uint32_t path) {
  while (streams.size() <= path) {
    streams.push_back(emitter.acquireStream());
    ++counts.streams;
  }
  return streams[path];
}

void StreamBlocks::useEvent(uint32_t node) {
  // A wait keeps the state that it saw (EVENT rules), so the event may go back as soon as the last one is issued.
  if (--waitsLeft[node] == 0 && !current.graph.nodes[node].isCarried)
    emitter.call(RuntimeFunction::mgpuEventPoolRelease, events[node]);
}

void StreamBlocks::emitWaits(uint32_t node) {
  const StreamPlanStep &step = plan.steps[node];
  for (StreamPlanWait wait : step.waits) {
    Value stream = getStream(*step.path);
    ++counts.streamWaits;
    if (wait.kind == StreamPlanWait::Kind::External) {
      emitter.call(RuntimeFunction::mgpuStreamWaitChain, {stream, current.externals[wait.index]});
      continue;
    }
    emitter.call(RuntimeFunction::mgpuStreamWaitEvent, {stream, events[wait.index]});
    useEvent(wait.index);
  }
}

void StreamBlocks::emitHostWaits(uint32_t node) {
  for (StreamPlanWait wait : plan.steps[node].waits) {
    ++counts.hostWaits;
    switch (wait.kind) {
    case StreamPlanWait::Kind::Path:
      emitter.call(RuntimeFunction::mgpuStreamSynchronize, getStream(wait.index));
      break;
    case StreamPlanWait::Kind::External:
      emitter.call(RuntimeFunction::mgpuChainSynchronize, current.externals[wait.index]);
      break;
    case StreamPlanWait::Kind::Event:
      emitter.call(RuntimeFunction::mgpuEventSynchronize, events[wait.index]);
      useEvent(wait.index);
      break;
    }
  }
}

void StreamBlocks::emitRecord(ChainOpInterface op, uint32_t node) {
  const StreamPlanStep &step = plan.steps[node];
  bool isCarried = current.graph.nodes[node].isCarried;
  if (!step.recordsEvent) {
    // Nothing is issued for a carried join whose operands the host knows to be complete.
    if (isCarried)
      op.getChain().replaceAllUsesWith(emitter.nullPointer());
    return;
  }
  Value event = emitter.call(RuntimeFunction::mgpuEventPoolAcquire, {});
  emitter.call(RuntimeFunction::mgpuEventRecord, {event, getStream(*step.path)});
  ++counts.events;
  events[node] = event;
  if (isCarried) {
    owned.insert(event);
    op.getChain().replaceAllUsesWith(event);
  }
}

LogicalResult StreamBlocks::lowerStep(ChainOpInterface op, uint32_t node) {
  emitter.setInsertionPoint(op);
  if (isa<WaitOp>(op)) {
    if (!plan.steps[node].waits.empty())
      emitter.emitName(op);
    emitHostWaits(node);
    return success();
  }
  if (isa<JoinOp>(op)) {
    if (plan.steps[node].path)
      emitter.emitName(op);
    emitWaits(node);
    emitRecord(op, node);
    return success();
  }
  emitter.emitName(op);
  emitWaits(node);
  if (failed(emitter.emitWork(op, getStream(*plan.steps[node].path))))
    return failure();
  emitRecord(op, node);
  if (!op.isAsync())
    emitHostWaits(node + 1);
  return success();
}

LogicalResult StreamBlocks::lowerBlock(Block &block) {
  current = buildBlockGraph(block);
  plan = planStreams(current.graph, maxStreams);
  events.clear();
  waitsLeft.assign(plan.steps.size(), 0);
  for (const StreamPlanStep &step : plan.steps)
    for (StreamPlanWait wait : step.waits)
      if (wait.kind == StreamPlanWait::Kind::Event)
        ++waitsLeft[wait.index];
  SmallVector<Operation *> lowered;
  for (Operation &operation : block) {
    if (RuntimeEmitter::isHostOp(&operation)) {
      if (failed(emitter.emitHostOp(&operation)))
        return failure();
      lowered.push_back(&operation);
    } else if (auto op = dyn_cast<ChainOpInterface>(operation)) {
      if (failed(lowerStep(op, current.nodes.at(op))))
        return failure();
      lowered.push_back(op);
    }
  }
  // Users stand behind definitions, so going backwards leaves nothing in use.
  for (Operation *op : llvm::reverse(lowered))
    op->erase();
  return success();
}

/// Block arguments, and results of calls and selects. Events of carried operations are added as they are recorded.
void StreamBlocks::collectOwnedHandles(Region &region) {
  auto collect = [&](ValueRange values) {
    for (Value value : values)
      if (handles.contains(value))
        owned.insert(value);
  };
  for (Block &block : region) {
    collect(block.getArguments());
    for (Operation &op : block)
      collect(op.getResults());
  }
}

LogicalResult StreamBlocks::lower(func::FuncOp function) {
  if (failed(emitter.enterFunction(function)))
    return failure();
  streams.clear();
  owned.clear();
  collectOwnedHandles(function.getBody());
  // Definitions are lowered before their users in other blocks.
  llvm::ReversePostOrderTraversal<Region *> order(&function.getBody());
  for (Block *block : order)
    if (failed(lowerBlock(*block)))
      return failure();
  insertChainReferences(function.getBody(), owned, emitter);
  for (Block &block : function.getBody()) {
    auto terminator = dyn_cast<func::ReturnOp>(block.getTerminator());
    if (!terminator)
      continue;
    emitter.setInsertionPoint(terminator);
    for (Value stream : streams)
      emitter.call(RuntimeFunction::mgpuStreamPoolRelease, stream);
  }
  return success();
}

} // namespace lockstep::agpu
