// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/BlockLowering.h"

#include "lowering/ChainReferences.h"
#include "lowering/ChainTypes.h"
#include "lowering/StructuredControlFlow.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace lockstep::agpu {

void PlannedEvents::reset(const StreamPlan &plan) {
  events.clear();
  waitsLeft.assign(plan.steps.size(), 0);
  for (const StreamPlanStep &step : plan.steps)
    for (StreamPlanWait wait : step.waits)
      if (wait.kind == StreamPlanWait::Kind::Event)
        ++waitsLeft[wait.index];
}

void PlannedEvents::use(uint32_t node, bool isCarried) {
  // A wait keeps the state that it saw (EVENT rules), so the event may go back as soon as the last one is issued.
  if (--waitsLeft[node] == 0 && !isCarried)
    emitter.call(RuntimeFunction::mgpuEventPoolRelease, events[node]);
}

Value BlockLowering::getStream(SmallVectorImpl<Value> &list, uint32_t path) {
  while (list.size() <= path) {
    list.push_back(emitter.acquireStream());
    acquired.push_back(list.back());
    ++counts.streams;
  }
  return list[path];
}

Value BlockLowering::recordEvent(Value stream) {
  Value event = emitter.call(RuntimeFunction::mgpuEventPoolAcquire, {});
  emitter.call(RuntimeFunction::mgpuEventRecord, {event, stream});
  ++counts.events;
  return event;
}

void BlockLowering::waitForEvent(Value stream, Value event) {
  emitter.call(RuntimeFunction::mgpuStreamWaitEvent, {stream, event});
  ++counts.streamWaits;
}

void BlockLowering::emitWaits(uint32_t node) {
  const StreamPlanStep &step = plan.steps[node];
  for (StreamPlanWait wait : step.waits) {
    Value stream = getStream(streams, *step.path);
    if (wait.kind == StreamPlanWait::Kind::External) {
      emitter.call(RuntimeFunction::mgpuStreamWaitChain, {stream, units.externals[wait.index]});
      ++counts.streamWaits;
      continue;
    }
    waitForEvent(stream, events.get(wait.index));
    events.use(wait.index, units.graph.nodes[wait.index].isCarried);
  }
}

void BlockLowering::emitHostWaits(uint32_t node) {
  for (StreamPlanWait wait : plan.steps[node].waits) {
    ++counts.hostWaits;
    switch (wait.kind) {
    case StreamPlanWait::Kind::Path:
      emitter.call(RuntimeFunction::mgpuStreamSynchronize, getStream(streams, wait.index));
      break;
    case StreamPlanWait::Kind::External:
      emitter.call(RuntimeFunction::mgpuChainSynchronize, units.externals[wait.index]);
      break;
    case StreamPlanWait::Kind::Event:
      emitter.call(RuntimeFunction::mgpuEventSynchronize, events.get(wait.index));
      events.use(wait.index, units.graph.nodes[wait.index].isCarried);
      break;
    }
  }
}

void BlockLowering::emitRecord(uint32_t node) {
  const StreamPlanStep &step = plan.steps[node];
  Value event;
  if (step.recordsEvent) {
    event = recordEvent(getStream(streams, *step.path));
    events.set(node, event);
  }
  if (!units.graph.nodes[node].isCarried)
    return;
  // Nothing is issued for a carried join whose operands the host knows to be complete.
  if (event)
    owned.insert(event);
  else
    event = emitter.nullPointer();
  for (ChainOpInterface op : units.ops[node])
    if (op.isAsync() && isCarriedChain(op.getChain()))
      op.getChain().replaceAllUsesWith(event);
}

LogicalResult BlockLowering::lowerOp(ChainOpInterface op) {
  auto found = units.nodes.find(op);
  if (found == units.nodes.end())
    return success();
  uint32_t node = found->second;
  const StreamPlanStep &step = plan.steps[node];
  emitter.setInsertionPoint(op);
  if (isa<WaitOp>(op)) {
    if (!step.waits.empty())
      emitter.emitName(op);
    emitHostWaits(node);
    return success();
  }
  bool isWork = units.graph.nodes[node].kind == StreamPlanNode::Kind::Work;
  ArrayRef<ChainOpInterface> ops = units.ops[node];
  if (op == ops.front()) {
    if (isWork)
      beginUnit(node);
    if (step.path)
      emitter.emitName(isWork ? getFirstEmitted(node) : op);
    emitWaits(node);
  }
  if (isWork && failed(emitOp(op, getStream(streams, *step.path))))
    return failure();
  if (op != ops.back())
    return success();
  if (isWork && failed(endUnit(getStream(streams, *step.path))))
    return failure();
  emitRecord(node);
  if (!op.isAsync())
    emitHostWaits(node + 1);
  return success();
}

LogicalResult BlockLowering::lowerBlock(Block &block) {
  units = buildUnits(block);
  plan = planStreams(units.graph, maxStreams);
  events.reset(plan);
  SmallVector<Operation *> lowered;
  for (Operation &operation : block) {
    if (RuntimeEmitter::isHostOp(&operation)) {
      if (failed(emitter.emitHostOp(&operation)))
        return failure();
      lowered.push_back(&operation);
    } else if (auto op = dyn_cast<ChainOpInterface>(operation)) {
      if (failed(lowerOp(op)))
        return failure();
      lowered.push_back(op);
    }
  }
  // Users stand behind definitions, so going backwards leaves nothing in use.
  for (Operation *op : llvm::reverse(lowered))
    op->erase();
  return success();
}

/// Block arguments, and results of calls and selects. Events of carried units are added as they are recorded.
void BlockLowering::collectOwnedHandles(Region &region) {
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

static LogicalResult verifyPlaces(func::FuncOp function) {
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

LogicalResult BlockLowering::lower(ModuleOp module) {
  if (maxStreams == 0)
    return module.emitError("option max-streams must be at least 1");
  if (failed(emitter.verify()) || failed(verifyChainUses(module)))
    return failure();
  SmallVector<func::FuncOp> functions = getFunctionsWithBodies(module);
  for (func::FuncOp function : functions)
    if (failed(flattenControlFlow(function)) || failed(verifyPlaces(function)))
      return failure();
  handles = convertChainTypes(module);
  for (func::FuncOp function : functions)
    if (failed(lower(function)))
      return failure();
  return success();
}

LogicalResult BlockLowering::lower(func::FuncOp function) {
  if (failed(emitter.enterFunction(function)))
    return failure();
  acquired.clear();
  streams.clear();
  owned.clear();
  enterFunction();
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
    for (Value stream : acquired)
      emitter.call(RuntimeFunction::mgpuStreamPoolRelease, stream);
  }
  return success();
}

} // namespace lockstep::agpu
