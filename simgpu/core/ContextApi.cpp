// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of contexts and the stack of them that each thread has.

#include "simgpu/core/ContextApi.h"

#include "simgpu/core/CaptureApi.h"

#include "simgpu/core/Module.h"

#include <utility>
#include <vector>

namespace lockstep::simgpu {

static std::shared_ptr<Context> makeContext(Call &call, int deviceOrdinal, unsigned flags) {
  auto context = std::make_shared<Context>();
  context->deviceOrdinal = deviceOrdinal;
  context->flags = flags;
  call.machine.handles.create(HandleKind::Context, context);
  context->legacyStream = createStreamObject(call.machine, context, Stream::Kind::Legacy, true, 0);
  return context;
}

Status checkDevice(Call &call, int deviceOrdinal) {
  if (deviceOrdinal >= 0 && static_cast<size_t>(deviceOrdinal) < call.machine.devices.size())
    return Status::Success;
  return call.report(Status::InvalidDevice, "errors", "", "there is no device " + std::to_string(deviceOrdinal));
}

/// A device to make a context on. After a failure of the whole process there is none.
static Status checkNewContext(Call &call, int deviceOrdinal) {
  Status failure = call.machine.engine.getProcessFailure();
  return failure != Status::Success ? failure : checkDevice(call, deviceOrdinal);
}

Status createContext(Call &call, int deviceOrdinal, unsigned flags, uint64_t &handle) {
  Status status = checkNewContext(call, deviceOrdinal);
  if (status != Status::Success)
    return status;
  std::shared_ptr<Context> context = makeContext(call, deviceOrdinal, flags);
  call.thread.contexts.push_back(context);
  handle = context->handle;
  return Status::Success;
}

/// Handles of `kind` whose object belongs to `context`.
template <typename T> static std::vector<uint64_t> handlesOf(Call &call, HandleKind kind, const Context &context) {
  std::vector<uint64_t> handles;
  call.machine.handles.forEach(kind, [&](HandleObject &object) {
    if (static_cast<T &>(object).context.lock().get() == &context)
      handles.push_back(object.handle);
  });
  return handles;
}

/// Waits for the work in the context and ends it; false where another thread was faster meanwhile.
static bool tearDown(Call &call, const std::shared_ptr<Context> &context) {
  Machine &machine = call.machine;
  for (const std::shared_ptr<Stream> &stream : std::vector(context->streams))
    abandonCapture(call, *stream);
  machine.engine.waitFor(call.lock, machine.engine.pendingOf(*context));
  if (context->isDestroyed)
    return false;
  for (uint64_t handle : handlesOf<Stream>(call, HandleKind::Stream, *context))
    machine.handles.destroy(handle);
  for (uint64_t handle : handlesOf<Event>(call, HandleKind::Event, *context))
    machine.handles.destroy(handle);
  for (uint64_t handle : handlesOf<LoadedModule>(call, HandleKind::Module, *context))
    machine.handles.destroy(handle);
  for (uint64_t handle : handlesOf<LoadedFunction>(call, HandleKind::Function, *context))
    machine.handles.destroy(handle);
  for (const AllocationPtr &allocation : machine.memory.listLive())
    if (allocation->context.lock() == context)
      machine.memory.release(allocation);
  context->isDestroyed = true;
  machine.handles.destroy(context->handle);
  return true;
}

Status destroyContext(Call &call, uint64_t handle) {
  Status status;
  auto context = call.resolve<Context>(handle, HandleKind::Context, "ctx", status);
  if (!context)
    return status;
  if (context->isPrimary)
    return call.report(Status::InvalidContext, "lifetime", "ERROR-3",
                       "argument ctx is the primary context, which is released and not destroyed");
  if (!tearDown(call, context))
    call.resolve<Context>(handle, HandleKind::Context, "ctx", status);
  if (!call.thread.contexts.empty() && call.thread.contexts.back() == context)
    call.thread.contexts.pop_back();
  return status;
}

Status retainPrimary(Call &call, int deviceOrdinal, uint64_t &handle) {
  Status status = checkNewContext(call, deviceOrdinal);
  if (status != Status::Success)
    return status;
  Device &device = call.machine.devices[deviceOrdinal];
  if (!device.primary) {
    device.primary = makeContext(call, deviceOrdinal, device.primaryFlags);
    device.primary->isPrimary = true;
  }
  ++device.primaryRetainCount;
  handle = device.primary->handle;
  return Status::Success;
}

Status releasePrimary(Call &call, int deviceOrdinal) {
  Status status = checkDevice(call, deviceOrdinal);
  if (status != Status::Success)
    return status;
  Device &device = call.machine.devices[deviceOrdinal];
  if (device.primaryRetainCount == 0)
    return call.report(Status::InvalidContext, "lifetime", "ERROR-3", "the primary context is not retained");
  if (--device.primaryRetainCount > 0)
    return Status::Success;
  tearDown(call, std::exchange(device.primary, nullptr));
  return Status::Success;
}

Status resetPrimary(Call &call, int deviceOrdinal) {
  Status status = checkDevice(call, deviceOrdinal);
  if (status != Status::Success)
    return status;
  Device &device = call.machine.devices[deviceOrdinal];
  device.primaryRetainCount = 0;
  if (device.primary)
    tearDown(call, std::exchange(device.primary, nullptr));
  return Status::Success;
}

Status pushContext(Call &call, uint64_t handle) {
  Status status;
  auto context = call.resolve<Context>(handle, HandleKind::Context, "ctx", status);
  if (context)
    call.thread.contexts.push_back(context);
  return status;
}

Status popContext(Call &call, uint64_t *handle) {
  std::vector<std::shared_ptr<Context>> &contexts = call.thread.contexts;
  if (contexts.empty())
    return call.report(Status::InvalidContext, "errors", "ERROR-3", "this thread's stack of contexts is empty");
  if (handle)
    *handle = contexts.back() ? contexts.back()->handle : 0;
  contexts.pop_back();
  return Status::Success;
}

Status setCurrentContext(Call &call, uint64_t handle) {
  Status status = Status::Success;
  std::shared_ptr<Context> context;
  if (handle != 0 && !(context = call.resolve<Context>(handle, HandleKind::Context, "ctx", status)))
    return status;
  if (!call.thread.contexts.empty())
    call.thread.contexts.pop_back();
  if (context)
    call.thread.contexts.push_back(context);
  return Status::Success;
}

uint64_t currentContext(Call &call) {
  const std::vector<std::shared_ptr<Context>> &contexts = call.thread.contexts;
  return contexts.empty() || !contexts.back() ? 0 : contexts.back()->handle;
}

Status synchronizeContext(Call &call) {
  if (Status status = refuseInCapturingContext(call, *call.context); status != Status::Success)
    return status;
  return call.waitFor(call.machine.engine.pendingOf(*call.context), *call.context);
}

} // namespace lockstep::simgpu
