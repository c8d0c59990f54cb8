// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams are chains of operations; an event is a name for the record operation that it saw last.

#include "simgpu/core/StreamApi.h"

#include "simgpu/core/CaptureApi.h"
#include "simgpu/core/Vendor.h"

#include <algorithm>

namespace lockstep::simgpu {

Status createStream(Call &call, bool isBlocking, int priority, uint64_t &handle) {
  int clamped = std::clamp(priority, greatestStreamPriority, leastStreamPriority);
  handle = createStreamObject(call.machine, call.context, Stream::Kind::Created, isBlocking, clamped)->handle;
  return Status::Success;
}

Status destroyStream(Call &call, uint64_t handle) {
  if (handle <= perThreadStreamHandle)
    return call.report(Status::InvalidHandle, "lifetime", "ERROR-4",
                       "argument hStream is a default stream, which cannot be destroyed");
  Status status;
  auto stream = call.resolve<Stream>(handle, HandleKind::Stream, "hStream", status);
  if (!stream)
    return status;
  abandonCapture(call, *stream);
  Status earlier = Status::Success;
  if (vendor().destroyWaitsForStream) {
    earlier = call.waitFor({stream->tail}, *stream->context.lock());
    if (!call.resolve<Stream>(handle, HandleKind::Stream, "hStream", status)) // Another thread was faster.
      return status;
  }
  stream->isDestroyed = true;
  call.machine.handles.destroy(handle);
  std::shared_ptr<Context> owner = stream->context.lock();
  if (!stream->tail || stream->tail->isDone())
    std::erase(owner->streams, stream);
  return earlier;
}

Status synchronizeStream(Call &call, uint64_t handle) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(handle, "hStream", status);
  if (!stream || (status = refuseOnCaptured(call, *stream)) != Status::Success)
    return status;
  // Waiting is no action in the stream, so the legacy stream's edges to blocking streams give nothing here.
  return call.waitFor({stream->tail}, *stream->context.lock());
}

/// Answers from the state before the call, then lets the queried work move on, so that a polling loop ends under every
/// schedule.
static Status query(Call &call, const std::vector<OperationPtr> &operations, const Context &owner) {
  bool isDone =
      std::all_of(operations.begin(), operations.end(), [](const OperationPtr &o) { return !o || o->isDone(); });
  Status failure = owner.failure;
  call.machine.engine.advanceQuery(call.lock, operations);
  if (failure != Status::Success)
    return failure;
  return isDone ? Status::Success : Status::NotReady;
}

Status queryStream(Call &call, uint64_t handle) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(handle, "hStream", status);
  if (!stream || (status = refuseOnCaptured(call, *stream)) != Status::Success)
    return status;
  return query(call, {stream->tail}, *stream->context.lock());
}

static Status refuseExternal(Call &call) {
  return call.report(Status::InvalidValue, "errors", "EVENT-7",
                     "the external flag is valid only while the stream is captured");
}

Status waitEvent(Call &call, uint64_t streamHandle, uint64_t eventHandle, bool isExternal) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream)
    return status;
  auto event = call.resolve<Event>(eventHandle, HandleKind::Event, "hEvent", status);
  if (!event)
    return status;
  if (isExternal)
    return stream->capture ? captureTask(call, *stream, EventWaitTask{event}) : refuseExternal(call);
  bool isCaptured = false;
  status = captureWait(call, stream, *event, isCaptured);
  if (isCaptured || status != Status::Success)
    return status;
  if (!event->record) // Never recorded: an empty set of work, so there is nothing to wait for.
    return Status::Success;
  OperationPtr wait = call.createOperation(OperationKind::EventWait, *stream, HandleTable::shortName(eventHandle), 0);
  call.submit(*stream, wait, {event->record});
  return Status::Success;
}

Status createEvent(Call &call, bool hasTiming, bool isBlockingSync, uint64_t &handle) {
  auto event = std::make_shared<Event>();
  event->context = call.context;
  event->hasTiming = hasTiming;
  event->isBlockingSync = isBlockingSync;
  handle = call.machine.handles.create(HandleKind::Event, event);
  return Status::Success;
}

Status destroyEvent(Call &call, uint64_t handle) {
  Status status;
  if (call.resolve<Event>(handle, HandleKind::Event, "hEvent", status))
    call.machine.handles.destroy(handle);
  return status;
}

Status recordEvent(Call &call, uint64_t eventHandle, uint64_t streamHandle, bool isExternal) {
  Status status;
  auto event = call.resolve<Event>(eventHandle, HandleKind::Event, "hEvent", status);
  if (!event)
    return status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (event->context.lock() != stream->context.lock())
    return call.report(Status::InvalidHandle, "lifetime", "EVENT-4", "event and stream belong to different contexts");
  if (isExternal)
    return stream->capture ? captureTask(call, *stream, EventRecordTask{event}) : refuseExternal(call);
  if (stream->capture) {
    captureRecord(*stream, *event);
    return Status::Success;
  }
  event->capture.reset();
  bool isInFlight = event->record && !event->record->isDone();
  if (isInFlight && vendor().reRecordMightBeLost && call.machine.engine.getScheduler().losesRecordInFlight())
    return Status::Success;
  event->record = call.createOperation(OperationKind::EventRecord, *stream, HandleTable::shortName(eventHandle), 0);
  call.submit(*stream, event->record);
  return Status::Success;
}

Status synchronizeEvent(Call &call, uint64_t handle) {
  Status status;
  auto event = call.resolve<Event>(handle, HandleKind::Event, "hEvent", status);
  if (!event || (status = refuseCapturedEvent(call, *event)) != Status::Success)
    return status;
  return call.waitFor({event->record}, *event->context.lock());
}

Status queryEvent(Call &call, uint64_t handle) {
  Status status;
  auto event = call.resolve<Event>(handle, HandleKind::Event, "hEvent", status);
  if (!event || (status = refuseCapturedEvent(call, *event)) != Status::Success)
    return status;
  return query(call, {event->record}, *event->context.lock());
}

Status elapsedTime(Call &call, float &milliseconds, uint64_t startHandle, uint64_t endHandle) {
  Status status;
  auto start = call.resolve<Event>(startHandle, HandleKind::Event, "hStart", status);
  if (!start)
    return status;
  auto end = call.resolve<Event>(endHandle, HandleKind::Event, "hEnd", status);
  if (!end)
    return status;
  for (const auto &[event, name] : {std::pair{start, "hStart"}, std::pair{end, "hEnd"}}) {
    if (event->capture)
      return refuseCapturedEvent(call, *event);
    if (!event->hasTiming)
      return call.report(Status::InvalidHandle, "errors", "EVENT-6", std::string(name) + " was created without timing");
    if (!event->record)
      return call.report(Status::InvalidHandle, "errors", "EVENT-6", std::string(name) + " was never recorded");
  }
  if (!start->record->isDone() || !end->record->isDone())
    return query(call, {start->record, end->record}, *start->context.lock());
  milliseconds =
      static_cast<float>((static_cast<double>(end->record->endNs) - static_cast<double>(start->record->endNs)) / 1e6);
  return Status::Success;
}

} // namespace lockstep::simgpu
