// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Pools.h"

#include "runtime-hip/Capture.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

hipStream_t lockstep::hip::createStream(ApiCall &call, bool isPooled) {
  Runtime &state = runtimeState();
  int32_t device = state.defaultDevice.load(std::memory_order_relaxed);
  hipStream_t stream = nullptr;
  if (!call.enterDevice(device) ||
      !call.invoke(call.driver().hipStreamCreateWithFlags, &stream, unsigned(hipStreamNonBlocking)))
    return nullptr;
  HandleInfo info;
  info.kind = HandleKind::Stream;
  info.isPooled = isPooled;
  info.device = device;
  state.handles.add(stream, info);
  return stream;
}

hipEvent_t lockstep::hip::createEvent(ApiCall &call, int32_t device, bool isPooled, bool isTimed) {
  hipEvent_t event = nullptr;
  unsigned flags = isTimed ? hipEventDefault : hipEventDisableTiming;
  if (!call.enterDevice(device) || !call.invoke(call.driver().hipEventCreateWithFlags, &event, flags))
    return nullptr;
  HandleInfo info;
  info.kind = HandleKind::Event;
  info.isPooled = isPooled;
  info.isTimed = isTimed;
  info.device = device;
  runtimeState().handles.add(event, info);
  return event;
}

hipStream_t lockstep::hip::acquireStream(ApiCall &call) {
  Runtime &state = runtimeState();
  void *free = state.freeStreams.take(state.defaultDevice.load(std::memory_order_relaxed));
  if (!free)
    return createStream(call, /*isPooled=*/true);
  state.handles.change(free, HandleState::Idle, HandleState::Live);
  return static_cast<hipStream_t>(free);
}

/// Checks that `handle` is a live one of the pool. Nothing, with the failure recorded, where it is not.
static std::optional<HandleInfo> checkPooled(ApiCall &call, const char *argument, const void *handle, HandleKind kind) {
  std::optional<HandleInfo> info = call.check(argument, handle, kind);
  if (!info || info->isPooled)
    return info;
  call.refuse(kMgpuStatusInvalidHandle, std::string("argument '") + argument + "' is " + nameWithArticle(kind) +
                                            " that was not acquired from the pool");
  return std::nullopt;
}

static void refuseSecondRelease(ApiCall &call, const char *argument, const void *handle, HandleInfo info) {
  info.state = HandleState::Idle;
  call.refuse(kMgpuStatusInvalidHandle, explainMisuse(argument, handle, info.kind, info));
}

void lockstep::hip::releaseStream(ApiCall &call, const char *argument, hipStream_t stream) {
  Runtime &state = runtimeState();
  std::optional<HandleInfo> info = checkPooled(call, argument, stream, HandleKind::Stream);
  if (!info)
    return;
  if (!state.handles.change(stream, HandleState::Live, HandleState::Idle))
    refuseSecondRelease(call, argument, stream, *info);
  else if (!releaseAfterCapture(toMgpu(stream)))
    state.freeStreams.give(info->device, stream);
}

void lockstep::hip::returnStream(MgpuStream stream) {
  Runtime &state = runtimeState();
  if (std::optional<HandleInfo> info = state.handles.find(stream))
    state.freeStreams.give(info->device, stream);
}

/// Whether an event may be recorded again. HIP leaves the result undefined where the last record is in flight (HIP-5);
/// CUDA does not. A record of a capture is never in flight.
static bool mayRecordAgain(ApiCall &call, int32_t device, void *event) {
  if (runtimeState().capturedEvents.contains(event))
    return true;
  RelaxedCapture relaxed(call);
  return call.enterDevice(device) && call.driver().hipEventQuery(static_cast<hipEvent_t>(event)) != hipErrorNotReady;
}

hipEvent_t lockstep::hip::acquireEvent(ApiCall &call, int32_t device) {
  Runtime &state = runtimeState();
  void *free = state.freeEvents.take(device);
  if (free && !mayRecordAgain(call, device, free)) {
    state.freeEvents.give(device, free);
    free = nullptr;
  }
  if (free)
    state.handles.change(free, HandleState::Idle, HandleState::Live);
  else
    free = createEvent(call, device, /*isPooled=*/true, /*isTimed=*/false);
  if (free)
    state.eventUsers.start(free);
  return static_cast<hipEvent_t>(free);
}

void lockstep::hip::releaseEvent(ApiCall &call, const char *argument, hipEvent_t event) {
  Runtime &state = runtimeState();
  std::optional<HandleInfo> info = checkPooled(call, argument, event, HandleKind::Event);
  if (!info)
    return;
  switch (state.eventUsers.release(event)) {
  case ReferenceCounts::Release::StillUsed:
    return;
  case ReferenceCounts::Release::Unknown:
    return refuseSecondRelease(call, argument, event, *info);
  case ReferenceCounts::Release::LastUser:
    state.handles.change(event, HandleState::Live, HandleState::Idle);
    state.freeEvents.give(info->device, event);
  }
}

bool lockstep::hip::recordEvent(ApiCall &call, hipEvent_t event, hipStream_t stream) {
  if (!call.invoke(call.driver().hipEventRecord, event, stream))
    return false;
  runtimeState().capturedEvents.set(event, isCaptured(call, stream));
  return true;
}

MgpuStream mgpuStreamPoolAcquire() {
  ApiCall call("mgpuStreamPoolAcquire");
  return call ? toMgpu(acquireStream(call)) : nullptr;
}

void mgpuStreamPoolRelease(MgpuStream stream) {
  ApiCall call("mgpuStreamPoolRelease");
  if (call)
    releaseStream(call, "stream", reinterpret_cast<hipStream_t>(stream));
}

MgpuEvent mgpuEventPoolAcquire() {
  ApiCall call("mgpuEventPoolAcquire");
  return call ? toMgpu(acquireEvent(call, runtimeState().defaultDevice.load(std::memory_order_relaxed))) : nullptr;
}

void mgpuEventPoolRetain(MgpuEvent event, int64_t count) {
  ApiCall call("mgpuEventPoolRetain");
  if (!call || !event)
    return;
  if (count < 0)
    return call.refuse(kMgpuStatusInvalidValue, "argument 'count' is " + std::to_string(count));
  std::optional<HandleInfo> info = checkPooled(call, "event", event, HandleKind::Event);
  if (info && !runtimeState().eventUsers.retain(event, count))
    refuseSecondRelease(call, "event", event, *info);
}

void mgpuEventPoolRelease(MgpuEvent event) {
  ApiCall call("mgpuEventPoolRelease");
  if (call && event)
    releaseEvent(call, "event", reinterpret_cast<hipEvent_t>(event));
}
