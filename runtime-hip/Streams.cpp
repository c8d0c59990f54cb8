// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Pools.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

MgpuStream mgpuStreamCreate() {
  ApiCall call("mgpuStreamCreate");
  return call ? toMgpu(createStream(call, /*isPooled=*/false)) : nullptr;
}

void mgpuStreamDestroy(MgpuStream stream) {
  ApiCall call("mgpuStreamDestroy");
  if (call && call.retire("stream", stream, HandleKind::Stream))
    call.invoke(call.driver().hipStreamDestroy, reinterpret_cast<hipStream_t>(stream));
}

void mgpuStreamSynchronize(MgpuStream stream) {
  ApiCall call("mgpuStreamSynchronize");
  if (!call)
    return;
  hipStream_t driverStream = call.stream("stream", stream);
  if (driverStream && call.invoke(call.driver().hipStreamSynchronize, driverStream))
    runtimeState().managedMemory.releaseFinished(call);
}

static void waitEvent(ApiCall &call, MgpuStream stream, const char *eventArgument, MgpuEvent event) {
  hipEvent_t driverEvent = call.event(eventArgument, event);
  hipStream_t driverStream = driverEvent ? call.stream("stream", stream) : nullptr;
  if (driverStream)
    call.invoke(call.driver().hipStreamWaitEvent, driverStream, driverEvent, 0u);
}

void mgpuStreamWaitEvent(MgpuStream stream, MgpuEvent event) {
  ApiCall call("mgpuStreamWaitEvent");
  if (call)
    waitEvent(call, stream, "event", event);
}

void mgpuStreamWaitChain(MgpuStream stream, MgpuEvent chain) {
  ApiCall call("mgpuStreamWaitChain");
  if (!call)
    return;
  if (chain)
    waitEvent(call, stream, "chain", chain);
  else
    call.check("stream", stream, HandleKind::Stream);
}
