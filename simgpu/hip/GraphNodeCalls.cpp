// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of nodes, and user objects.

#include "simgpu/core/GraphApi.h"
#include "simgpu/hip/NodeParameters.h"

namespace lockstep::simgpu::hip {

/// Runs `body(task)` with the task of a node that must hold a T, and a place for the result.
template <typename T, typename Body>
static hipError_t getParameters(const char *name, hipGraphNode_t handle, const void *result, Body body) {
  return run(name, [&](Call &call) {
    Status status;
    std::shared_ptr<GraphNode> node = resolveNode<T>(call, toNumber(handle), status);
    if (!node)
      return status;
    if (!result)
      return refuseNull(call);
    body(std::get<T>(node->task));
    return Status::Success;
  });
}

/// Replaces the work of a node by what `read(call, task)` gives.
template <typename Read> static hipError_t setParameters(const char *name, hipGraphNode_t node, Read read) {
  return run(name, [&](Call &call) {
    Task task;
    Status status = read(call, task);
    return status == Status::Success ? setNodeTask(call, toNumber(node), std::move(task), nullptr) : status;
  });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *params) {
  return getParameters<KernelTask>(__func__, node, params, [&](const KernelTask &task) { *params = describe(task); });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *params) {
  return getParameters<CopyTask>(__func__, node, params, [&](const CopyTask &task) { *params = describe(task); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParamsOfVersion *params) {
  return getParameters<FillTask>(__func__, node, params, [&](const FillTask &task) { describe(task, params); });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params) {
  return getParameters<HostTask>(__func__, node, params, [&](const HostTask &task) { *params = describe(task); });
}
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *params) {
  return getParameters<AllocateTask>(__func__, node, params,
                                     [&](const AllocateTask &task) { *params = describe(task); });
}
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *address) {
  return getParameters<FreeTask>(__func__, node, address, [&](const FreeTask &task) {
    *static_cast<void **>(address) = toHandle<void *>(task.memory->allocation->address);
  });
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return getParameters<EventRecordTask>(
      __func__, node, event, [&](const EventRecordTask &task) { *event = toHandle<hipEvent_t>(task.event->handle); });
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return getParameters<EventWaitTask>(
      __func__, node, event, [&](const EventWaitTask &task) { *event = toHandle<hipEvent_t>(task.event->handle); });
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph) {
  return getParameters<ChildGraphTask>(
      __func__, node, graph, [&](const ChildGraphTask &task) { *graph = toHandle<hipGraph_t>(task.graph->handle); });
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *params) {
  return setParameters(__func__, node, [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *params) {
  return setParameters(__func__, node, [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src, size_t bytes,
                                         hipMemcpyKind kind) {
  return setParameters(__func__, node,
                       [&](Call &call, Task &task) { return readParameters(call, dst, src, bytes, kind, task); });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParamsOfVersion *params) {
  return setParameters(__func__, node, [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *params) {
  return setParameters(__func__, node, [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return setParameters(__func__, node, [&](Call &call, Task &task) { return readEventRecord(call, event, task); });
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return setParameters(__func__, node, [&](Call &call, Task &task) { return readEventWait(call, event, task); });
}

hipError_t hipUserObjectCreate(hipUserObject_t *object, void *data, hipHostFn_t destroy, unsigned count,
                               unsigned flags) {
  return runWithResult(__func__, object, [&](Call &call, uint64_t &handle) {
    if (flags != hipUserObjectNoDestructorSync)
      return call.report(Status::InvalidValue, "errors", "GRAPH-16", "flags must be no-destructor-sync");
    return createUserObject(call, data, destroy, count, handle);
  });
}
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned count) {
  return run(__func__, [&](Call &call) { return retainUserObject(call, toNumber(object), count); });
}
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned count) {
  return run(__func__, [&](Call &call) { return releaseUserObject(call, toNumber(object), count); });
}
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned count, unsigned flags) {
  return run(__func__, [&](Call &call) {
    Status status = checkFlags(call, flags, hipGraphUserObjectMove);
    return status == Status::Success
               ? retainForGraph(call, toNumber(graph), toNumber(object), count, flags & hipGraphUserObjectMove)
               : status;
  });
}
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned count) {
  return run(__func__, [&](Call &call) { return releaseForGraph(call, toNumber(graph), toNumber(object), count); });
}

} // namespace lockstep::simgpu::hip
