// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building and asking graphs.

#include "simgpu/core/ContextApi.h"
#include "simgpu/core/GraphApi.h"
#include "simgpu/cuda/Dependencies.h"
#include "simgpu/cuda/NodeParameters.h"

#include <algorithm>

namespace lockstep::simgpu::cuda {

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  return runWithResult(__func__, Needs::Context, graph, [&](Call &call, uint64_t &handle) {
    Status status = checkFlags(call, flags, 0);
    return status == Status::Success ? createGraph(call, handle) : status;
  });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return run(__func__, Needs::Context, [&](Call &call) { return destroyGraph(call, toNumber(graph)); });
}

CUresult cuGraphClone(CUgraph *clone, CUgraph original) {
  return runWithResult(__func__, Needs::Context, clone,
                       [&](Call &call, uint64_t &handle) { return cloneGraph(call, toNumber(original), handle); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  return runWithResult(__func__, Needs::Context, node, [&](Call &call, uint64_t &handle) {
    return findNodeInClone(call, toNumber(original), toNumber(clone), handle);
  });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) { return writeDot(call, toNumber(graph), path, flags != 0); });
}

/// Adds a node whose work `read(call, work)` gives.
template <typename Read>
static CUresult add(const char *name, CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                    Read read) {
  return runWithResult(name, Needs::Context, node, [&](Call &call, uint64_t &handle) {
    std::vector<Dependency> dependencies;
    Status status = readDependencies(call, nodes, nullptr, count, dependencies);
    NodeWork work;
    if (status == Status::Success)
      status = read(call, work);
    return status == Status::Success
               ? addNode(call, toNumber(graph), dependencies, std::move(work.task), work.context, handle)
               : status;
  });
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *params) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *params, CUcontext context) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readParameters(call, params, context, work); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readParameters(call, params, context, work); });
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS *params) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count) {
  return add(__func__, node, graph, dependencies, count, [](Call &, NodeWork &) { return Status::Success; });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                   CUevent event) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readEventRecord(call, event, work); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                 CUevent event) {
  return add(__func__, node, graph, dependencies, count,
             [&](Call &call, NodeWork &work) { return readEventWait(call, event, work); });
}

static Status addAllocation(Call &call, CUgraph graph, const std::vector<Dependency> &dependencies,
                            CUDA_MEM_ALLOC_NODE_PARAMS *params, uint64_t &node) {
  if (!params)
    return call.report(Status::InvalidValue, "errors", "GRAPH-14", "the pointer to the parameters is null");
  const CUmemPoolProps &pool = params->poolProps;
  if (pool.allocType != CU_MEM_ALLOCATION_TYPE_PINNED || pool.handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
      pool.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return call.report(Status::InvalidValue, "errors", "GRAPH-14",
                       "poolProps must say pinned, without handles, located on a device");
  Status status = checkDevice(call, pool.location.id);
  uint64_t address = 0;
  if (status == Status::Success)
    status = addAllocationNode(call, toNumber(graph), dependencies, pool.location.id, params->bytesize, node, address);
  if (status == Status::Success)
    params->dptr = address;
  return status;
}

/// Nodes that are more than their parameters.
static Status addGeneric(Call &call, CUgraph graph, const std::vector<Dependency> &dependencies,
                         CUgraphNodeParams *params, uint64_t &node) {
  if (params && params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    return addAllocation(call, graph, dependencies, &params->alloc, node);
  if (params && params->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
    return addFreeNode(call, toNumber(graph), dependencies, params->free.dptr, node);
  if (params && params->type == CU_GRAPH_NODE_TYPE_GRAPH) {
    bool isMoved = params->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    Status status =
        addChildGraphNode(call, toNumber(graph), dependencies, toNumber(params->graph.graph), isMoved, node);
    // The caller learns which graph the node owns.
    if (status == Status::Success)
      if (auto child = resolveNode<ChildGraphTask>(call, node, status))
        params->graph.graph = toHandle<CUgraph>(std::get<ChildGraphTask>(child->task).graph->handle);
    return status;
  }
  NodeWork work;
  Status status = readParameters(call, params, work);
  return status == Status::Success
             ? addNode(call, toNumber(graph), dependencies, std::move(work.task), work.context, node)
             : status;
}

static CUresult addWith(const char *name, CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes,
                        const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params) {
  return runWithResult(name, Needs::Context, node, [&](Call &call, uint64_t &handle) {
    std::vector<Dependency> dependencies;
    Status status = readDependencies(call, nodes, data, count, dependencies);
    return status == Status::Success ? addGeneric(call, graph, dependencies, params, handle) : status;
  });
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        CUgraphNodeParams *params) {
  return addWith(__func__, node, graph, dependencies, nullptr, count, params);
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params) {
  return addWith(__func__, node, graph, dependencies, data, count, params);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                  CUgraph child) {
  return runWithResult(__func__, Needs::Context, node, [&](Call &call, uint64_t &handle) {
    std::vector<Dependency> dependencies;
    Status status = readDependencies(call, nodes, nullptr, count, dependencies);
    return status == Status::Success
               ? addChildGraphNode(call, toNumber(graph), dependencies, toNumber(child), false, handle)
               : status;
  });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *params) {
  return runWithResult(__func__, Needs::Context, node, [&](Call &call, uint64_t &handle) {
    std::vector<Dependency> dependencies;
    Status status = readDependencies(call, nodes, nullptr, count, dependencies);
    return status == Status::Success ? addAllocation(call, graph, dependencies, params, handle) : status;
  });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                               CUdeviceptr address) {
  return runWithResult(__func__, Needs::Context, node, [&](Call &call, uint64_t &handle) {
    std::vector<Dependency> dependencies;
    Status status = readDependencies(call, nodes, nullptr, count, dependencies);
    return status == Status::Success ? addFreeNode(call, toNumber(graph), dependencies, address, handle) : status;
  });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return run(__func__, Needs::Context, [&](Call &call) { return destroyNode(call, toNumber(node)); });
}

/// Reads edges and hands them to `change`.
static CUresult changeEdges(const char *name, CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                            const CUgraphEdgeData *data, size_t count,
                            Status (*change)(Call &, uint64_t, const std::vector<EdgeRecord> &)) {
  return run(name, Needs::Context, [&](Call &call) {
    if (count > 0 && (!from || !to))
      return call.report(Status::InvalidValue, "errors", "GRAPH-9", "argument from or to is null");
    std::vector<EdgeRecord> edges(count);
    for (size_t i = 0; i < count; ++i)
      edges[i] = {toNumber(from[i]), toNumber(to[i]), toPorts(data ? &data[i] : nullptr)};
    return change(call, toNumber(graph), edges);
  });
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return changeEdges(__func__, graph, from, to, nullptr, count, addEdges);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count) {
  return changeEdges(__func__, graph, from, to, data, count, addEdges);
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return changeEdges(__func__, graph, from, to, nullptr, count, removeEdges);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t count) {
  return changeEdges(__func__, graph, from, to, data, count, removeEdges);
}

static CUresult listInto(const char *name, CUgraph graph, bool rootsOnly, CUgraphNode *nodes, size_t *count) {
  return run(name, Needs::Context, [&](Call &call) {
    std::vector<uint64_t> handles;
    Status status = listNodes(call, toNumber(graph), rootsOnly, handles);
    std::vector<Dependency> list;
    for (uint64_t handle : handles)
      list.push_back({handle, {}});
    return status == Status::Success ? writeDependencies(call, list, nodes, nullptr, count) : status;
  });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return listInto(__func__, graph, false, nodes, count);
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return listInto(__func__, graph, true, nodes, count);
}

static CUresult listEdgesInto(const char *name, CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                              CUgraphEdgeData *data, size_t *count) {
  return run(name, Needs::Context, [&](Call &call) {
    std::vector<EdgeRecord> edges;
    Status status = listEdges(call, toNumber(graph), edges);
    if (status != Status::Success)
      return status;
    std::vector<Dependency> sources, targets;
    for (const EdgeRecord &edge : edges) {
      sources.push_back({edge.from, edge.ports});
      targets.push_back({edge.to, {}});
    }
    if (!from != !to)
      return call.report(Status::InvalidValue, "errors", "GRAPH-9", "one of from and to is null");
    size_t room = count ? *count : 0;
    status = writeDependencies(call, sources, from, data, count);
    return status == Status::Success ? writeDependencies(call, targets, to, nullptr, to ? &room : count) : status;
  });
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return listEdgesInto(__func__, graph, from, to, nullptr, count);
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count) {
  return listEdgesInto(__func__, graph, from, to, data, count);
}

static CUresult listEndsInto(const char *name, CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                             size_t *count, Status (*list)(Call &, uint64_t, std::vector<Dependency> &)) {
  return run(name, Needs::Context, [&](Call &call) {
    std::vector<Dependency> ends;
    Status status = list(call, toNumber(node), ends);
    return status == Status::Success ? writeDependencies(call, ends, nodes, data, count) : status;
  });
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return listEndsInto(__func__, node, nodes, nullptr, count, listDependencies);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count) {
  return listEndsInto(__func__, node, nodes, data, count, listDependencies);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return listEndsInto(__func__, node, nodes, nullptr, count, listDependents);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count) {
  return listEndsInto(__func__, node, nodes, data, count, listDependents);
}

CUresult cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned count, unsigned flags) {
  return runWithResult(__func__, Needs::Context, object, [&](Call &call, uint64_t &handle) {
    if (flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
      return call.report(Status::InvalidValue, "errors", "GRAPH-16", "flags must be no-destructor-sync");
    return createUserObject(call, data, destroy, count, handle);
  });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return run(__func__, Needs::Context, [&](Call &call) { return retainUserObject(call, toNumber(object), count); });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return run(__func__, Needs::Context, [&](Call &call) { return releaseUserObject(call, toNumber(object), count); });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) {
    Status status = checkFlags(call, flags, CU_GRAPH_USER_OBJECT_MOVE);
    return status == Status::Success
               ? retainForGraph(call, toNumber(graph), toNumber(object), count, flags & CU_GRAPH_USER_OBJECT_MOVE)
               : status;
  });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return run(__func__, Needs::Context,
             [&](Call &call) { return releaseForGraph(call, toNumber(graph), toNumber(object), count); });
}

} // namespace lockstep::simgpu::cuda
