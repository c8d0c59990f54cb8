// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building graphs.

#include "simgpu/core/ContextApi.h"
#include "simgpu/core/GraphApi.h"
#include "simgpu/hip/NodeParameters.h"

namespace lockstep::simgpu::hip {

hipError_t hipGraphCreate(hipGraph_t *graph, unsigned flags) {
  return runWithResult(__func__, graph, [&](Call &call, uint64_t &handle) {
    Status status = checkFlags(call, flags, 0);
    return status == Status::Success ? createGraph(call, handle) : status;
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return run(__func__, [&](Call &call) { return destroyGraph(call, toNumber(graph)); });
}

hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t original) {
  return runWithResult(__func__, clone,
                       [&](Call &call, uint64_t &handle) { return cloneGraph(call, toNumber(original), handle); });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  return run(__func__, [&](Call &call) { return destroyNode(call, toNumber(node)); });
}

/// Reads the dependencies, and adds what `add(call, dependencies, node)` says.
template <typename Add>
static hipError_t addBehind(const char *name, hipGraphNode_t *node, const hipGraphNode_t *nodes, size_t count,
                            Add add) {
  return runWithResult(name, node, [&](Call &call, uint64_t &handle) {
    if (count > 0 && !nodes)
      return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                         "argument dependencies is null and their count not 0");
    std::vector<Dependency> dependencies;
    for (size_t i = 0; i < count; ++i)
      dependencies.push_back({toNumber(nodes[i]), {}});
    return add(call, dependencies, handle);
  });
}

/// Adds a node whose task `read(call, task)` gives.
template <typename Read>
static hipError_t addTask(const char *name, hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *nodes,
                          size_t count, Read read) {
  return addBehind(name, node, nodes, count,
                   [&](Call &call, const std::vector<Dependency> &dependencies, uint64_t &handle) {
                     Task task;
                     Status status = read(call, task);
                     return status == Status::Success
                                ? addNode(call, toNumber(graph), dependencies, std::move(task), nullptr, handle)
                                : status;
                   });
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                size_t count) {
  return addTask(__func__, node, graph, dependencies, count, [](Call &, Task &) { return Status::Success; });
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                 size_t count, const hipKernelNodeParams *params) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readParameters(call, params, task); });
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                 size_t count, const hipMemcpy3DParms *params) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readParameters(call, params, task); });
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                   size_t count, void *dst, const void *src, size_t bytes, hipMemcpyKind kind) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readParameters(call, dst, src, bytes, kind, task); });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                 size_t count, const hipMemsetParamsOfVersion *params) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readParameters(call, params, task); });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies, size_t count,
                               const hipHostNodeParams *params) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readParameters(call, params, task); });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                      size_t count, hipEvent_t event) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readEventRecord(call, event, task); });
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                    size_t count, hipEvent_t event) {
  return addTask(__func__, node, graph, dependencies, count,
                 [&](Call &call, Task &task) { return readEventWait(call, event, task); });
}

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *nodes, size_t count,
                                   hipMemAllocNodeParams *params) {
  return addBehind(
      __func__, node, nodes, count, [&](Call &call, const std::vector<Dependency> &dependencies, uint64_t &handle) {
        if (!params)
          return call.report(Status::InvalidValue, "errors", "GRAPH-14", "the pointer to the parameters is null");
        const hipMemPoolProps &pool = params->poolProps;
        if (pool.allocType != hipMemAllocationTypePinned || pool.handleTypes != hipMemHandleTypeNone ||
            pool.location.type != hipMemLocationTypeDevice)
          return call.report(Status::InvalidValue, "errors", "GRAPH-14",
                             "poolProps must say pinned, without handles, located on a device");
        Status status = checkDevice(call, pool.location.id);
        uint64_t address = 0;
        if (status == Status::Success)
          status = addAllocationNode(call, toNumber(graph), dependencies, pool.location.id, params->bytesize, handle,
                                     address);
        if (status == Status::Success)
          params->dptr = reinterpret_cast<void *>(address);
        return status;
      });
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *nodes, size_t count,
                                  void *address) {
  return addBehind(__func__, node, nodes, count,
                   [&](Call &call, const std::vector<Dependency> &dependencies, uint64_t &handle) {
                     return addFreeNode(call, toNumber(graph), dependencies, toNumber(address), handle);
                   });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *nodes, size_t count,
                                     hipGraph_t child) {
  return addBehind(__func__, node, nodes, count,
                   [&](Call &call, const std::vector<Dependency> &dependencies, uint64_t &handle) {
                     return addChildGraphNode(call, toNumber(graph), dependencies, toNumber(child), false, handle);
                   });
}

static hipError_t changeEdges(const char *name, hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                              size_t count, Status (*change)(Call &, uint64_t, const std::vector<EdgeRecord> &)) {
  return run(name, [&](Call &call) {
    if (count > 0 && (!from || !to))
      return call.report(Status::InvalidValue, "errors", "GRAPH-9", "argument from or to is null");
    std::vector<EdgeRecord> edges(count);
    for (size_t i = 0; i < count; ++i)
      edges[i] = {toNumber(from[i]), toNumber(to[i]), {}};
    return change(call, toNumber(graph), edges);
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                   size_t count) {
  return changeEdges(__func__, graph, from, to, count, addEdges);
}
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                      size_t count) {
  return changeEdges(__func__, graph, from, to, count, removeEdges);
}

} // namespace lockstep::simgpu::hip
