// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Graphs.h"

#include "runtime-cuda/Capture.h"
#include "runtime-cuda/Pools.h"

#include <utility>

using namespace lockstep::cuda;
using namespace lockstep::runtime;

void lockstep::cuda::releaseSlot(ApiCall &call, GraphSlot &slot) {
  GraphCalls calls(call, slot.device);
  if (slot.captured) {
    auto begun = reinterpret_cast<CUstream>(slot.captured);
    if (CUgraph graph = endCapture(call, slot))
      calls.destroyGraph(graph);
    finishCapture(call, slot, begun);
  }
  slot.executable.release(calls, runtimeState().hostCalls);
  slot.allocations.release(calls);
  if (slot.launched)
    releaseEvent(call, "event", static_cast<CUevent>(slot.launched));
  slot.launched = nullptr;
}

GraphSlots::Slot lockstep::cuda::openSlot(ApiCall &call, void **home) {
  if (!home) {
    call.refuse(kMgpuStatusInvalidValue, "argument 'slot' is null");
    return nullptr;
  }
  Runtime &state = runtimeState();
  GraphSlots::Slot stale;
  GraphSlots::Slot slot = state.graphSlots.open(home, stale);
  if (!slot) {
    call.refuse(kMgpuStatusInvalidValue, "argument 'slot' is open already on this thread; launch its graph first");
    return nullptr;
  }
  if (stale)
    releaseSlot(call, *stale);
  int32_t device = state.defaultDevice.load(std::memory_order_relaxed);
  if (slot->device != device)
    releaseSlot(call, *slot);
  slot->device = device;
  return slot;
}

MgpuGraph mgpuGraphBegin(void **slot) {
  ApiCall call("mgpuGraphBegin");
  GraphSlots::Slot opened = call ? openSlot(call, slot) : nullptr;
  if (!opened)
    return nullptr;
  opened->builder.clear();
  opened->allocations.begin();
  HandleInfo info;
  info.kind = HandleKind::Graph;
  info.device = opened->device;
  runtimeState().handles.add(opened.get(), info);
  return toMgpu(opened.get());
}

/// Takes `graph` out of use and says which slot it was; null where it is no open graph. Comes first, because the slot
/// must be closed whatever has failed.
static GraphSlot *retireGraph(MgpuGraph graph) {
  Runtime &state = runtimeState();
  std::optional<HandleInfo> info = state.handles.find(graph);
  bool isOpen =
      info && info->kind == HandleKind::Graph && state.handles.change(graph, HandleState::Live, HandleState::Idle);
  return isOpen ? reinterpret_cast<GraphSlot *>(graph) : nullptr;
}

/// Orders the launch's allocations behind the frees of the slot's launch before, where that was on another stream.
static bool waitForLastLaunch(ApiCall &call, const GraphSlot &slot, CUstream stream) {
  return !slot.launched || slot.lastStream == stream ||
         call.invoke(call.driver().cuStreamWaitEvent, stream, static_cast<CUevent>(slot.launched), 0u);
}

static void noteLaunch(ApiCall &call, GraphSlot &slot, CUstream stream) {
  HandleRegistry &handles = runtimeState().handles;
  int32_t device = handles.find(stream).value_or(HandleInfo()).device;
  if (slot.launched && handles.find(slot.launched).value_or(HandleInfo()).device != device)
    releaseEvent(call, "event", static_cast<CUevent>(std::exchange(slot.launched, nullptr)));
  if (!slot.launched)
    slot.launched = acquireEvent(call, device);
  if (slot.launched)
    call.invoke(call.driver().cuEventRecord, static_cast<CUevent>(slot.launched), stream);
  slot.lastStream = stream;
}

static void launch(ApiCall &call, GraphSlot &slot, MgpuStream stream) {
  if (!call.check("stream", stream, HandleKind::Stream))
    return;
  HostCalls &hostCalls = runtimeState().hostCalls;
  std::vector<uint64_t> freed = slot.builder.freedAddresses();
  GraphCalls building(call, slot.device);
  if (!slot.executable.isUpToDate(slot.builder.collected()) &&
      (!call.enterDevice(slot.device) || !slot.executable.update(building, hostCalls, slot.builder.takeNodes())))
    return;
  CUstream driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  GraphCalls launching(call, slot.device, driverStream);
  if (!slot.allocations.isUsed()) {
    slot.executable.launch(launching, hostCalls);
    return;
  }
  if (!waitForLastLaunch(call, slot, driverStream) || !slot.allocations.launch(launching) ||
      !slot.executable.launch(launching, hostCalls))
    return;
  slot.allocations.end(launching, freed);
  noteLaunch(call, slot, driverStream);
}

void mgpuGraphLaunch(MgpuGraph graph, MgpuStream stream) {
  GraphSlot *slot = retireGraph(graph);
  ApiCall call("mgpuGraphLaunch");
  if (call && !slot)
    call.check("graph", graph, HandleKind::Graph);
  else if (call)
    launch(call, *slot, stream);
  if (slot)
    runtimeState().graphSlots.close(*slot);
}

void mgpuGraphRelease(void **slot) {
  ApiCall call("mgpuGraphRelease");
  if (!call)
    return;
  if (!slot)
    return call.refuse(kMgpuStatusInvalidValue, "argument 'slot' is null");
  GraphSlots::Slot removed = runtimeState().graphSlots.remove(slot);
  if (!removed)
    return;
  retireGraph(toMgpu(removed.get()));
  if (call.enterDevice(removed->device))
    releaseSlot(call, *removed);
}
