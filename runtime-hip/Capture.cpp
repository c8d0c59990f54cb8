// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Capture.h"

#include "runtime-hip/Graphs.h"
#include "runtime-hip/Pools.h"

#include <utility>

using namespace lockstep::hip;
using namespace lockstep::runtime;

bool lockstep::hip::isCapturing() { return runtimeState().graphSlots.capturing() != nullptr; }

bool lockstep::hip::isCaptured(ApiCall &call, hipStream_t stream) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  return isCapturing() && call.invoke(call.driver().hipStreamIsCapturing, stream, &status) &&
         status != hipStreamCaptureStatusNone;
}

bool lockstep::hip::freeAfterCapture(ApiCall &call, hipDeviceptr_t memory, hipStream_t stream) {
  if (!isCaptured(call, stream))
    return false;
  runtimeState().graphSlots.capturing()->capturedFrees.push_back(memory);
  return true;
}

bool lockstep::hip::releaseAfterCapture(MgpuStream stream) {
  GraphSlots::Slot slot = runtimeState().graphSlots.capturing();
  if (slot)
    slot->releasedStreams.push_back(stream);
  return slot != nullptr;
}

RelaxedCapture::RelaxedCapture(ApiCall &call) : call(call) {
  isExchanged = isCapturing() && call.invoke(call.driver().hipThreadExchangeStreamCaptureMode, &previous);
}

RelaxedCapture::~RelaxedCapture() {
  if (isExchanged)
    call.invoke(call.driver().hipThreadExchangeStreamCaptureMode, &previous);
}

hipGraph_t lockstep::hip::endCapture(ApiCall &call, GraphSlot &slot) {
  hipStream_t stream = call.stream("stream", slot.captured);
  runtimeState().graphSlots.endCapture(slot);
  hipGraph_t graph = nullptr;
  if (stream)
    call.invoke(call.driver().hipStreamEndCapture, stream, &graph);
  return graph;
}

void lockstep::hip::finishCapture(ApiCall &call, GraphSlot &slot, hipStream_t stream) {
  for (uint64_t memory : std::exchange(slot.capturedFrees, {}))
    runtimeState().managedMemory.freeInOrder(call, memory, stream);
  for (MgpuStream released : std::exchange(slot.releasedStreams, {}))
    returnStream(released);
}

void mgpuGraphCaptureBegin(void **slot, MgpuStream stream) {
  ApiCall call("mgpuGraphCaptureBegin");
  GraphSlots &slots = runtimeState().graphSlots;
  hipStream_t driverStream = call ? call.stream("stream", stream) : nullptr;
  GraphSlots::Slot opened = driverStream ? openSlot(call, slot) : nullptr;
  if (!opened)
    return;
  if (call.invoke(call.driver().hipStreamBeginCapture, driverStream, hipStreamCaptureModeThreadLocal))
    slots.beginCapture(opened, stream);
  else
    slots.close(*opened);
}

static void launchCaptured(ApiCall &call, GraphSlot &slot, MgpuStream stream) {
  auto begun = reinterpret_cast<hipStream_t>(slot.captured);
  if (stream != slot.captured)
    call.refuse(kMgpuStatusInvalidValue, "argument 'stream' is not the stream on which the capture began");
  GraphCalls calls(call, slot.device, begun);
  hipGraph_t graph = endCapture(call, slot);
  bool isRefused = runtimeState().status.hasFailed();
  if (graph && isRefused)
    calls.destroyGraph(graph);
  else if (graph && slot.executable.updateCaptured(calls, graph) && waitForLastLaunch(call, slot, begun))
    slot.executable.launch(calls, runtimeState().hostCalls);
  finishCapture(call, slot, begun);
}

void mgpuGraphCaptureLaunch(void **slot, MgpuStream stream) {
  GraphSlots &slots = runtimeState().graphSlots;
  GraphSlots::Slot open = slot ? slots.findOpen(slot) : nullptr;
  if (open && open->captured) {
    // Also after a failure: the capture must end.
    ApiCall call("mgpuGraphCaptureLaunch", ApiCall::EvenAfterFailure());
    if (call)
      launchCaptured(call, *open, stream);
    slots.close(*open);
    return;
  }
  ApiCall call("mgpuGraphCaptureLaunch");
  if (call)
    call.refuse(kMgpuStatusInvalidValue, "argument 'slot' has no capture open on this thread");
}
