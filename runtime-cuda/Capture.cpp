// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Capture.h"

#include "runtime-cuda/Graphs.h"
#include "runtime-cuda/Pools.h"

#include <utility>

using namespace lockstep::cuda;
using namespace lockstep::runtime;

bool lockstep::cuda::isCapturing() { return runtimeState().graphSlots.capturing() != nullptr; }

bool lockstep::cuda::freeAfterCapture(ApiCall &call, CUdeviceptr memory, CUstream stream) {
  GraphSlots::Slot slot = runtimeState().graphSlots.capturing();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!slot || !call.invoke(call.driver().cuStreamIsCapturing, stream, &status) ||
      status == CU_STREAM_CAPTURE_STATUS_NONE)
    return false;
  slot->capturedFrees.push_back(memory);
  return true;
}

bool lockstep::cuda::releaseAfterCapture(MgpuStream stream) {
  GraphSlots::Slot slot = runtimeState().graphSlots.capturing();
  if (slot)
    slot->releasedStreams.push_back(stream);
  return slot != nullptr;
}

RelaxedCapture::RelaxedCapture(ApiCall &call) : call(call) {
  isExchanged = isCapturing() && call.invoke(call.driver().cuThreadExchangeStreamCaptureMode, &previous);
}

RelaxedCapture::~RelaxedCapture() {
  if (isExchanged)
    call.invoke(call.driver().cuThreadExchangeStreamCaptureMode, &previous);
}

CUgraph lockstep::cuda::endCapture(ApiCall &call, GraphSlot &slot) {
  CUstream stream = call.stream("stream", slot.captured);
  runtimeState().graphSlots.endCapture(slot);
  CUgraph graph = nullptr;
  if (stream)
    call.invoke(call.driver().cuStreamEndCapture, stream, &graph);
  return graph;
}

void lockstep::cuda::finishCapture(ApiCall &call, GraphSlot &slot, CUstream stream) {
  for (uint64_t memory : std::exchange(slot.capturedFrees, {}))
    runtimeState().managedMemory.freeInOrder(call, memory, stream);
  for (MgpuStream released : std::exchange(slot.releasedStreams, {}))
    returnStream(released);
}

void mgpuGraphCaptureBegin(void **slot, MgpuStream stream) {
  ApiCall call("mgpuGraphCaptureBegin");
  GraphSlots &slots = runtimeState().graphSlots;
  CUstream driverStream = call ? call.stream("stream", stream) : nullptr;
  GraphSlots::Slot opened = driverStream ? openSlot(call, slot) : nullptr;
  if (!opened)
    return;
  if (call.invoke(call.driver().cuStreamBeginCapture, driverStream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
    slots.beginCapture(opened, stream);
  else
    slots.close(*opened);
}

static void launchCaptured(ApiCall &call, GraphSlot &slot, MgpuStream stream) {
  auto begun = reinterpret_cast<CUstream>(slot.captured);
  if (stream != slot.captured)
    call.refuse(kMgpuStatusInvalidValue, "argument 'stream' is not the stream on which the capture began");
  GraphCalls calls(call, slot.device, begun);
  CUgraph graph = endCapture(call, slot);
  bool isRefused = runtimeState().status.hasFailed();
  if (graph && isRefused)
    calls.destroyGraph(graph);
  else if (graph && slot.executable.updateCaptured(calls, graph))
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
