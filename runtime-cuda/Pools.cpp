// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Pools.h"

#include "runtime-cuda/Capture.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

CUstream lockstep::cuda::createStream(ApiCall &call, bool isPooled) {
  Runtime &state = runtimeState();
  int32_t device = state.defaultDevice.load(std::memory_order_relaxed);
  CUstream stream = nullptr;
  if (!call.enterDevice(device) ||
      !call.invoke(call.driver().cuStreamCreate, &stream, unsigned(CU_STREAM_NON_BLOCKING)))
    return nullptr;
  HandleInfo info;
  info.kind = HandleKind::Stream;
  info.isPooled = isPooled;
  info.device = device;
  state.handles.add(stream, info);
  return stream;
}

CUevent lockstep::cuda::createEvent(ApiCall &call, int32_t device, bool isPooled, bool isTimed) {
  CUevent event = nullptr;
  unsigned flags = isTimed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
  if (!call.enterDevice(device) || !call.invoke(call.driver().cuEventCreate, &event, flags))
    return nullptr;
  HandleInfo info;
  info.kind = HandleKind::Event;
  info.isPooled = isPooled;
  info.isTimed = isTimed;
  info.device = device;
  runtimeState().handles.add(event, info);
  return event;
}

CUstream lockstep::cuda::acquireStream(ApiCall &call) {
  Runtime &state = runtimeState();
  void *free = state.freeStreams.take(state.defaultDevice.load(std::memory_order_relaxed));
  if (!free)
    return createStream(call, /*isPooled=*/true);
  state.handles.change(free, HandleState::Idle, HandleState::Live);
  return static_cast<CUstream>(free);
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

void lockstep::cuda::releaseStream(ApiCall &call, const char *argument, CUstream stream) {
  Runtime &state = runtimeState();
  std::optional<HandleInfo> info = checkPooled(call, argument, stream, HandleKind::Stream);
  if (!info)
    return;
  if (!state.handles.change(stream, HandleState::Live, HandleState::Idle))
    refuseSecondRelease(call, argument, stream, *info);
  else if (!releaseAfterCapture(toMgpu(stream)))
    state.freeStreams.give(info->device, stream);
}

void lockstep::cuda::returnStream(MgpuStream stream) {
  Runtime &state = runtimeState();
  if (std::optional<HandleInfo> info = state.handles.find(stream))
    state.freeStreams.give(info->device, stream);
}

CUevent lockstep::cuda::acquireEvent(ApiCall &call, int32_t device) {
  Runtime &state = runtimeState();
  void *free = state.freeEvents.take(device);
  if (free)
    state.handles.change(free, HandleState::Idle, HandleState::Live);
  else
    free = createEvent(call, device, /*isPooled=*/true, /*isTimed=*/false);
  if (free)
    state.eventUsers.start(free);
  return static_cast<CUevent>(free);
}

void lockstep::cuda::releaseEvent(ApiCall &call, const char *argument, CUevent event) {
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

MgpuStream mgpuStreamPoolAcquire() {
  ApiCall call("mgpuStreamPoolAcquire");
  return call ? toMgpu(acquireStream(call)) : nullptr;
}

void mgpuStreamPoolRelease(MgpuStream stream) {
  ApiCall call("mgpuStreamPoolRelease");
  if (call)
    releaseStream(call, "stream", reinterpret_cast<CUstream>(stream));
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
    releaseEvent(call, "event", reinterpret_cast<CUevent>(event));
}
