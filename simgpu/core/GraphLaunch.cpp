// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch: every node becomes an operation, between a begin and an end in the stream.

#include "simgpu/core/CaptureApi.h"
#include "simgpu/core/CostModel.h"
#include "simgpu/core/GraphExecApi.h"
#include "simgpu/core/Vendor.h"

namespace lockstep::simgpu {

namespace {
/// What a launch would find: judges memory, contexts and handles before anything is queued.
class LaunchCheck {
public:
  LaunchCheck(Call &call, const GraphExec &exec) : call(call), freesOnLaunch(exec.freesOnLaunch) {}

  Status check(const ExecGraph &level) {
    for (const ExecNode &node : level.nodes) {
      Status status = node.child ? check(*node.child) : checkNode(node);
      if (status != Status::Success)
        return status;
    }
    return Status::Success;
  }

private:
  Status refuse(const ExecNode &node, Status status, const char *oracle, const char *rule, const std::string &message) {
    call.machine.addFinding({oracle, rule, call.name, "node " + std::to_string(node.number) + ": " + message, node.op});
    return status;
  }

  Status checkNode(const ExecNode &node) {
    if (!node.isEnabled)
      return Status::Success;
    std::shared_ptr<Context> context = node.context.lock();
    if (!context || context->isDestroyed)
      return refuse(node, Status::ContextIsDestroyed, "lifetime", "ERROR-3", "its context was destroyed");
    if (const auto *kernel = std::get_if<KernelTask>(&node.task))
      return checkHandle(node, kernel->function->handle, HandleKind::Function);
    if (const auto *record = std::get_if<EventRecordTask>(&node.task))
      return checkHandle(node, record->event->handle, HandleKind::Event);
    if (const auto *wait = std::get_if<EventWaitTask>(&node.task))
      return checkHandle(node, wait->event->handle, HandleKind::Event);
    if (const auto *allocate = std::get_if<AllocateTask>(&node.task))
      return checkAllocation(node, allocate->memory);
    if (const auto *free = std::get_if<FreeTask>(&node.task))
      return checkFree(node, free->memory);
    return Status::Success;
  }

  Status checkHandle(const ExecNode &node, uint64_t handle, HandleKind kind) {
    if (call.machine.handles.lookup(handle, kind).object)
      return Status::Success;
    return refuse(node, Status::InvalidHandle, "lifetime", "ERROR-4",
                  "it uses " + call.machine.handles.describe(handle));
  }

  Status checkAllocation(const ExecNode &node, const std::shared_ptr<GraphMemory> &memory) {
    auto [entry, isNew] = isLive.try_emplace(memory, memory->isLive());
    if (entry->second && !freesOnLaunch)
      return refuse(node, Status::InvalidValue, "errors", "GRAPH-6",
                    memory->allocation->describe() + " of an earlier launch is not freed");
    entry->second = true;
    return Status::Success;
  }

  Status checkFree(const ExecNode &node, const std::shared_ptr<GraphMemory> &memory) {
    auto [entry, isNew] = isLive.try_emplace(memory, memory->isLive());
    if (!entry->second)
      return refuse(node, Status::InvalidValue, "lifetime", "GRAPH-7",
                    memory->allocation->describe() + " is not allocated when the launch frees it");
    entry->second = false;
    return Status::Success;
  }

  Call &call;
  bool freesOnLaunch;
  std::map<std::shared_ptr<GraphMemory>, bool> isLive; ///< As the launch goes on.
};

/// Queues the operations of one launch.
class Launch {
public:
  Launch(Call &call, Stream &stream, GraphExec &exec)
      : call(call), stream(stream), exec(exec), name(HandleTable::shortName(exec.handle)) {}

  void run() {
    if (exec.freesOnLaunch)
      freeLive(exec.root);
    OperationPtr begin = call.createOperation(OperationKind::GraphBegin, stream, name, 0);
    begin->hostCostNs = hostGraphLaunchCostNs;
    call.submit(stream, begin, {vendor().launchesAreOrdered ? exec.lastLaunch : nullptr});
    std::vector<OperationPtr> sinks = queueLevel(exec.root, begin);
    OperationPtr end = call.createOperation(OperationKind::GraphEnd, stream, name, 0);
    end->hostCostNs = 0;
    call.submit(stream, end, sinks);
    exec.lastLaunch = end;
  }

private:
  /// As if each launch first freed what earlier ones left, in stream order.
  void freeLive(const ExecGraph &level) {
    for (const ExecNode &node : level.nodes) {
      if (node.child)
        freeLive(*node.child);
      const auto *allocate = std::get_if<AllocateTask>(&node.task);
      if (!allocate || !allocate->memory->isLive())
        continue;
      OperationPtr operation = call.createOperation(OperationKind::Free, stream, "", 0);
      operation->op = node.op;
      allocate->memory->setFree(*operation);
      allocate->memory->markFreed();
      call.submit(stream, operation, {exec.lastLaunch});
    }
  }

  /// Gives what the end of the level waits for.
  std::vector<OperationPtr> queueLevel(const ExecGraph &level, const OperationPtr &begin) {
    std::vector<OperationPtr> operations;
    operations.reserve(level.nodes.size());
    for (const ExecNode &node : level.nodes) {
      std::vector<OperationPtr> after;
      for (uint32_t position : node.dependencies)
        after.push_back(operations[position]);
      if (after.empty())
        after.push_back(begin);
      operations.push_back(queueNode(node, after));
    }
    std::vector<OperationPtr> sinks;
    for (uint32_t position : level.sinks)
      sinks.push_back(operations[position]);
    return sinks;
  }

  OperationPtr queueNode(const ExecNode &node, std::vector<OperationPtr> &after) {
    OperationPtr operation = createOperation(node);
    if (const auto *wait = std::get_if<EventWaitTask>(&node.task))
      after.push_back(wait->event->record);
    if (const auto *allocate = std::get_if<AllocateTask>(&node.task)) {
      allocate->memory->setAllocation(*operation);
      allocate->memory->markAllocated();
    }
    if (const auto *free = std::get_if<FreeTask>(&node.task)) {
      free->memory->setFree(*operation);
      free->memory->markFreed();
    }
    call.machine.engine.submit(operation, after);
    if (const auto *record = std::get_if<EventRecordTask>(&node.task))
      record->event->record = operation;
    if (!node.child)
      return operation;
    OperationPtr end = createOperation(node);
    std::vector<OperationPtr> sinks = queueLevel(*node.child, operation);
    sinks.push_back(operation);
    call.machine.engine.submit(end, sinks);
    return end;
  }

  OperationPtr createOperation(const ExecNode &node) {
    OperationPtr operation = call.createOperation(OperationKind::Empty, stream, "", 0);
    operation->op = node.op;
    operation->nodeNumber = node.number;
    operation->context = node.context.lock();
    operation->hostCostNs = hostGraphNodeCostNs;
    equip(call.machine, *operation, node.isEnabled ? node.task : Task(EmptyTask{}));
    operation->detail +=
        (operation->detail.empty() ? "node " : ", node ") + std::to_string(node.number) + " of " + name;
    return operation;
  }

  Call &call;
  Stream &stream;
  GraphExec &exec;
  std::string name;
};
} // namespace

Status launchGraph(Call &call, uint64_t execHandle, uint64_t streamHandle) {
  Status status;
  auto exec = call.resolve<GraphExec>(execHandle, HandleKind::GraphExec, "hGraphExec", status);
  if (!exec)
    return status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (stream && stream->capture)
    return captureLaunch(call, *stream, *exec);
  if (!stream || (status = LaunchCheck(call, *exec).check(exec->root)) != Status::Success)
    return status;
  Launch(call, *stream, *exec).run();
  return Status::Success;
}

Status uploadGraph(Call &call, uint64_t execHandle, uint64_t streamHandle) {
  Status status;
  auto exec = call.resolve<GraphExec>(execHandle, HandleKind::GraphExec, "hGraphExec", status);
  if (!exec)
    return status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream || (stream->capture && (status = refuseOnCaptured(call, *stream)) != Status::Success))
    return status;
  OperationPtr operation =
      call.createOperation(OperationKind::GraphUpload, *stream, HandleTable::shortName(exec->handle), 0);
  call.submit(*stream, operation, {exec->lastLaunch, exec->lastUpload});
  exec->lastUpload = operation;
  return Status::Success;
}

} // namespace lockstep::simgpu
