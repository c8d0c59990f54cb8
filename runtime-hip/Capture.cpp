// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Graphs.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

void mgpuGraphCaptureBegin(void **slot, MgpuStream stream) {
  ApiCall call("mgpuGraphCaptureBegin");
  hipStream_t driverStream = call ? call.stream("stream", stream) : nullptr;
  GraphSlots::Slot opened = driverStream ? openSlot(call, slot) : nullptr;
  if (!opened)
    return;
  if (call.invoke(call.driver().hipStreamBeginCapture, driverStream, hipStreamCaptureModeThreadLocal))
    opened->captured = stream;
  else
    runtimeState().graphSlots.close(*opened);
}

static void launchCaptured(ApiCall &call, GraphSlot &slot, MgpuStream stream) {
  MgpuStream begun = slot.captured;
  hipGraph_t graph = endCapture(call, slot);
  if (!graph)
    return;
  GraphCalls calls(call, slot.device, reinterpret_cast<hipStream_t>(begun));
  if (begun != stream)
    call.refuse(kMgpuStatusInvalidValue, "argument 'stream' is not the stream on which the capture began");
  if (runtimeState().status.hasFailed())
    return calls.destroyGraph(graph);
  if (slot.executable.updateCaptured(calls, graph) &&
      waitForLastLaunch(call, slot, reinterpret_cast<hipStream_t>(begun)))
    slot.executable.launch(calls, runtimeState().hostCalls);
}

void mgpuGraphCaptureLaunch(void **slot, MgpuStream stream) {
  GraphSlots &slots = runtimeState().graphSlots;
  GraphSlots::Slot open = slot ? slots.findOpen(slot) : nullptr;
  ApiCall call("mgpuGraphCaptureLaunch", ApiCall::EvenAfterFailure());
  if (open && open->captured) {
    if (call)
      launchCaptured(call, *open, stream);
    slots.close(*open);
  } else if (!runtimeState().status.hasFailed()) {
    ApiCall first("mgpuGraphCaptureLaunch");
    if (first)
      first.refuse(kMgpuStatusInvalidValue, "argument 'slot' has no capture open on this thread");
  }
}
