// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prologue of driver calls, handles, and the implicit edges between streams.

#include "simgpu/core/Call.h"

#include "simgpu/core/CaptureApi.h"
#include "simgpu/core/CostModel.h"
#include "simgpu/core/Vendor.h"

#include <algorithm>

namespace lockstep::simgpu {

ThreadState &ThreadState::get() {
  static thread_local ThreadState state;
  return state;
}

Call::Call(const char *name) : name(name), machine(Machine::get()), thread(ThreadState::get()) {}

Status Call::begin(Needs needs) {
  // A host function runs without the lock, so this thread does not hold it here.
  lock = Lock(machine.mutex);
  if (thread.hostFunctionDepth > 0)
    return report(Status::NotPermitted, "errors", "HOSTFN-2",
                  "called inside a host function of a stream, where driver calls are forbidden");
  if (thread.resetCount != machine.resetCount) {
    thread.resetCount = machine.resetCount;
    thread.contexts.clear();
    thread.captureMode = CaptureMode::Global;
    thread.number = ++machine.threadCount;
  }
  if (machine.isDeinitialized)
    return Status::Deinitialized;
  if (needs == Needs::Nothing)
    return Status::Success;
  if (!machine.isInitialized)
    return report(Status::NotInitialized, "errors", "", "called before the driver was initialised");
  if (needs == Needs::Driver)
    return Status::Success;
  return checkCurrentContext(needs);
}

Status Call::checkCurrentContext(Needs needs) {
  context = thread.contexts.empty() ? nullptr : thread.contexts.back();
  if (!context)
    return report(Status::InvalidContext, "errors", "ERROR-3", "no context is current on this thread");
  if (context->isDestroyed)
    return report(Status::ContextIsDestroyed, "lifetime", "ERROR-3",
                  "the current context of this thread was destroyed (" + HandleTable::shortName(context->handle) + ")");
  if (needs != Needs::Context)
    return Status::Success;
  Status injected = machine.takeInjectedFailure();
  if (injected != Status::Success)
    machine.engine.fail(*context, injected);
  Status failure = machine.engine.failureOf(*context);
  return failure != Status::Success ? failure : injected;
}

void Call::end() { machine.engine.advance(lock); }

Status Call::report(Status status, const char *oracle, const char *rule, std::string message) {
  machine.addFinding({oracle, rule, name, std::move(message), thread.op});
  return status;
}

static Status statusOfBadHandle(HandleKind kind) {
  switch (kind) {
  case HandleKind::Context:
    return Status::InvalidContext;
  case HandleKind::Graph:
  case HandleKind::GraphNode:
  case HandleKind::GraphExec:
  case HandleKind::UserObject:
    return Status::InvalidValue;
  case HandleKind::Stream:
    return vendor().invalidStream;
  default:
    return Status::InvalidHandle;
  }
}

static const char *ruleOfBadHandle(HandleKind kind) {
  switch (kind) {
  case HandleKind::Context:
    return "ERROR-3";
  case HandleKind::Graph:
  case HandleKind::GraphNode:
  case HandleKind::GraphExec:
  case HandleKind::UserObject:
    return "GRAPH-15";
  default:
    return "ERROR-4";
  }
}

std::shared_ptr<HandleObject> Call::resolveObject(uint64_t handle, HandleKind kind, const char *argument,
                                                  Status &status) {
  HandleTable::Lookup lookup = machine.handles.lookup(handle, kind);
  if (lookup.object) {
    status = Status::Success;
    return lookup.object;
  }
  status = report(statusOfBadHandle(kind), "lifetime", ruleOfBadHandle(kind),
                  std::string("argument ") + argument + " is " + machine.handles.describe(handle) + ", " +
                      handleKindName(kind) + " is expected");
  return nullptr;
}

std::shared_ptr<Stream> Call::perThreadStream() {
  std::shared_ptr<Stream> &stream = context->perThreadStreams[thread.number];
  if (!stream)
    stream = createStreamObject(machine, context, Stream::Kind::PerThread, true, 0);
  return stream;
}

std::shared_ptr<Stream> Call::resolveStream(uint64_t handle, const char *argument, Status &status) {
  status = Status::Success;
  if (handle == perThreadStreamHandle || (handle == 0 && thread.zeroMeansPerThread))
    return perThreadStream();
  if (handle == 0 || handle == legacyStreamHandle)
    return context->legacyStream;
  return resolve<Stream>(handle, HandleKind::Stream, argument, status);
}

std::shared_ptr<Stream> Call::resolveForWork(uint64_t handle, const char *argument, Status &status) {
  std::shared_ptr<Stream> stream = resolveStream(handle, argument, status);
  if (stream && (status = checkWork(*this, *stream)) != Status::Success)
    return nullptr;
  return stream;
}

OperationPtr Call::createOperation(OperationKind kind, const Stream &stream, std::string detail, uint64_t sizeBytes) {
  auto operation = std::make_shared<Operation>();
  operation->kind = kind;
  operation->context = stream.context.lock();
  operation->streamAge = stream.age;
  operation->stream = stream.name;
  operation->detail = std::move(detail);
  operation->call = name;
  operation->op = thread.op;
  operation->sizeBytes = sizeBytes;
  operation->costNs = costOf(kind, sizeBytes);
  operation->hostCostNs = hostCallCostNs;
  return operation;
}

OperationPtr Call::createOperation(const Stream &stream, const Task &task) {
  OperationPtr operation = createOperation(OperationKind::Empty, stream, "", 0);
  equip(machine, *operation, task);
  return operation;
}

Status Call::enqueue(Stream &stream, const Task &task) {
  if (stream.capture)
    return captureTask(*this, stream, task);
  submit(stream, createOperation(stream, task));
  return Status::Success;
}

std::vector<OperationPtr> Call::operationsOf(const Stream &stream) const {
  std::vector<OperationPtr> operations{stream.tail};
  if (stream.kind == Stream::Kind::Legacy)
    for (const std::shared_ptr<Stream> &other : stream.context.lock()->streams)
      if (other->isBlocking)
        operations.push_back(other->tail);
  return operations;
}

void Call::submit(Stream &stream, const OperationPtr &operation, const std::vector<OperationPtr> &more) {
  std::shared_ptr<Context> owner = stream.context.lock();
  std::vector<OperationPtr> prerequisites = operationsOf(stream);
  if (stream.kind != Stream::Kind::Legacy && stream.isBlocking)
    prerequisites.push_back(owner->legacyStream->tail);
  prerequisites.insert(prerequisites.end(), more.begin(), more.end());
  machine.engine.submit(operation, prerequisites);
  stream.tail = operation;
  std::erase_if(owner->streams, [](const std::shared_ptr<Stream> &other) {
    return other->isDestroyed && (!other->tail || other->tail->isDone());
  });
}

Status Call::waitFor(const std::vector<OperationPtr> &operations, const Context &of) {
  machine.engine.waitFor(lock, operations);
  // The release threshold of a pool takes effect at the next wait of the host.
  for (const Device &device : machine.devices)
    device.pool->trimTo(device.pool->releaseThresholdBytes);
  return machine.engine.failureOf(of);
}

std::shared_ptr<Stream> createStreamObject(Machine &machine, const std::shared_ptr<Context> &context, Stream::Kind kind,
                                           bool isBlocking, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->kind = kind;
  stream->isBlocking = isBlocking;
  stream->priority = priority;
  stream->context = context;
  stream->age = ++machine.streamCount;
  switch (kind) {
  case Stream::Kind::Legacy:
    stream->name = "legacy " + HandleTable::shortName(context->handle);
    break;
  case Stream::Kind::PerThread:
    stream->name = "per-thread " + std::to_string(stream->age);
    break;
  case Stream::Kind::Created:
    stream->name = HandleTable::shortName(machine.handles.create(HandleKind::Stream, stream));
    break;
  }
  if (kind != Stream::Kind::Legacy)
    context->streams.push_back(stream);
  return stream;
}

} // namespace lockstep::simgpu
