// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Pools.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

static MgpuEvent createEvent(const char *function, bool isTimed) {
  ApiCall call(function);
  int32_t device = runtimeState().defaultDevice.load(std::memory_order_relaxed);
  return call ? toMgpu(createEvent(call, device, /*isPooled=*/false, isTimed)) : nullptr;
}

MgpuEvent mgpuEventCreate() { return createEvent("mgpuEventCreate", /*isTimed=*/false); }

MgpuEvent mgpuEventCreateTimed() { return createEvent("mgpuEventCreateTimed", /*isTimed=*/true); }

void mgpuEventDestroy(MgpuEvent event) {
  ApiCall call("mgpuEventDestroy");
  if (call && call.retire("event", event, HandleKind::Event))
    call.invoke(call.driver().hipEventDestroy, reinterpret_cast<hipEvent_t>(event));
}

static void synchronizeEvent(ApiCall &call, const char *argument, MgpuEvent event) {
  hipEvent_t driverEvent = call.event(argument, event);
  if (driverEvent && call.invoke(call.driver().hipEventSynchronize, driverEvent))
    runtimeState().managedMemory.releaseFinished(call);
}

void mgpuEventSynchronize(MgpuEvent event) {
  ApiCall call("mgpuEventSynchronize");
  if (call)
    synchronizeEvent(call, "event", event);
}

void mgpuChainSynchronize(MgpuEvent chain) {
  ApiCall call("mgpuChainSynchronize");
  if (call && chain)
    synchronizeEvent(call, "chain", chain);
}

void mgpuEventRecord(MgpuEvent event, MgpuStream stream) {
  ApiCall call("mgpuEventRecord");
  if (!call)
    return;
  hipEvent_t driverEvent = call.event("event", event);
  hipStream_t driverStream = driverEvent ? call.stream("stream", stream) : nullptr;
  if (driverStream)
    recordEvent(call, driverEvent, driverStream);
}

// True when refused: a program that polls must come to its end.
bool mgpuEventQuery(MgpuEvent event) {
  ApiCall call("mgpuEventQuery");
  if (!call)
    return true;
  hipEvent_t driverEvent = call.event("event", event);
  if (!driverEvent)
    return true;
  hipError_t result = call.driver().hipEventQuery(driverEvent);
  if (result == hipErrorNotReady)
    return false;
  if (result != hipSuccess)
    call.fail(call.driver().describe("hipEventQuery", result));
  return true;
}

/// A driver says only "invalid handle" for an event without timing.
static hipEvent_t timedEvent(ApiCall &call, const char *argument, MgpuEvent event) {
  std::optional<HandleInfo> info = call.check(argument, event, HandleKind::Event);
  if (!info)
    return nullptr;
  if (info->isTimed)
    return call.event(argument, event);
  call.refuse(kMgpuStatusInvalidHandle, std::string("argument '") + argument +
                                            "' is an event without timing; create it with mgpuEventCreateTimed");
  return nullptr;
}

double mgpuEventElapsedTimeNs(MgpuEvent start, MgpuEvent end) {
  ApiCall call("mgpuEventElapsedTimeNs");
  if (!call)
    return 0;
  hipEvent_t driverStart = timedEvent(call, "start", start);
  hipEvent_t driverEnd = driverStart ? timedEvent(call, "end", end) : nullptr;
  float milliseconds = 0;
  if (!driverEnd || !call.invoke(call.driver().hipEventElapsedTime, &milliseconds, driverStart, driverEnd))
    return 0;
  return static_cast<double>(milliseconds) * 1e6;
}
