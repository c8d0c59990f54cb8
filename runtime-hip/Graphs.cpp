// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Graphs.h"

#include "runtime-hip/Capture.h"
#include "runtime-hip/Pools.h"

#include <utility>

using namespace lockstep::hip;
using namespace lockstep::runtime;

void lockstep::hip::releaseSlot(ApiCall &call, GraphSlot &slot) {
  GraphCalls calls(call, slot.device);
  if (slot.captured) {
    auto begun = reinterpret_cast<hipStream_t>(slot.captured);
    if (hipGraph_t graph = endCapture(call, slot))
      calls.destroyGraph(graph);
    finishCapture(call, slot, begun);
  }
  slot.executable.release(calls, runtimeState().hostCalls);
  slot.allocations.release(calls);
  slot.lastStream = nullptr;
}

GraphSlots::Slot lockstep::hip::openSlot(ApiCall &call, void **home) {
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

bool lockstep::hip::waitForLastLaunch(ApiCall &call, GraphSlot &slot, hipStream_t stream) {
  // In a capture it is a copy of the graph that becomes part of another, and no work outside can be waited for.
  if (isCaptured(call, stream))
    return true;
  auto last = static_cast<hipStream_t>(std::exchange(slot.lastStream, stream));
  if (!last || last == stream)
    return true;
  std::optional<HandleInfo> info = runtimeState().handles.find(last);
  // Destroying a stream waits for its work.
  if (!info || info->kind != HandleKind::Stream || info->state == HandleState::Destroyed)
    return true;
  hipEvent_t done = acquireEvent(call, info->device);
  if (!done)
    return false;
  bool isOrdered = recordEvent(call, done, last) && call.invoke(call.driver().hipStreamWaitEvent, stream, done, 0u);
  releaseEvent(call, "event", done);
  return isOrdered;
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
  hipStream_t driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  GraphCalls launching(call, slot.device, driverStream);
  if (!waitForLastLaunch(call, slot, driverStream))
    return;
  if (!slot.allocations.isUsed()) {
    slot.executable.launch(launching, hostCalls);
    return;
  }
  if (!slot.allocations.launch(launching) || !slot.executable.launch(launching, hostCalls))
    return;
  slot.allocations.end(launching, freed);
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
