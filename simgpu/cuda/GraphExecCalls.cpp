// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of nodes, executable graphs, launches and updates.

#include "simgpu/core/GraphExecApi.h"
#include "simgpu/cuda/NodeParameters.h"

namespace lockstep::simgpu::cuda {

/// Runs `body(task)` with the task of a node that must hold a T, and a place for the result.
template <typename T, typename Body>
static CUresult getParameters(const char *name, CUgraphNode handle, const void *result, Body body) {
  return run(name, Needs::Context, [&](Call &call) {
    Status status;
    std::shared_ptr<GraphNode> node = resolveNode<T>(call, toNumber(handle), status);
    if (!node)
      return status;
    if (!result)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    body(std::get<T>(node->task));
    return Status::Success;
  });
}

/// Replaces the work of a node by what `read(call, work)` gives.
template <typename Read> static CUresult setParameters(const char *name, CUgraphNode node, Read read) {
  return run(name, Needs::Context, [&](Call &call) {
    NodeWork work;
    Status status = read(call, work);
    return status == Status::Success ? setNodeTask(call, toNumber(node), std::move(work.task), work.context) : status;
  });
}

/// The same in an instance.
template <typename Read>
static CUresult setExecParameters(const char *name, CUgraphExec exec, CUgraphNode node, Read read) {
  return run(name, Needs::Context, [&](Call &call) {
    NodeWork work;
    Status status = read(call, work);
    return status == Status::Success
               ? setExecTask(call, toNumber(exec), toNumber(node), std::move(work.task), work.context)
               : status;
  });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  return getParameters<KernelTask>(__func__, node, params, [&](const KernelTask &task) { *params = describe(task); });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  return getParameters<KernelTask>(__func__, node, params, [&](const KernelTask &task) {
    CUDA_KERNEL_NODE_PARAMS p = describe(task);
    *params = {p.func,      p.gridDimX,  p.gridDimY,       p.gridDimZ,     p.blockDimX,
               p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.kernelParams, nullptr};
  });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params) {
  return getParameters<CopyTask>(__func__, node, params, [&](const CopyTask &task) { *params = describe(task); });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params) {
  return getParameters<FillTask>(__func__, node, params, [&](const FillTask &task) { *params = describe(task); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params) {
  return getParameters<HostTask>(__func__, node, params,
                                 [&](const HostTask &task) { *params = {task.function, task.data}; });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  return getParameters<ChildGraphTask>(
      __func__, node, graph, [&](const ChildGraphTask &task) { *graph = toHandle<CUgraph>(task.graph->handle); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  return getParameters<EventRecordTask>(
      __func__, node, event, [&](const EventRecordTask &task) { *event = toHandle<CUevent>(task.event->handle); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  return getParameters<EventWaitTask>(
      __func__, node, event, [&](const EventWaitTask &task) { *event = toHandle<CUevent>(task.event->handle); });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
  return getParameters<AllocateTask>(__func__, node, params, [&](const AllocateTask &task) {
    const Allocation &allocation = *task.memory->allocation;
    *params = {};
    params->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params->poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, allocation.deviceOrdinal};
    params->bytesize = allocation.sizeBytes;
    params->dptr = allocation.address;
  });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
  return getParameters<FreeTask>(__func__, node, address,
                                 [&](const FreeTask &task) { *address = task.memory->allocation->address; });
}

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type) {
  return runWithResult(__func__, Needs::Context, type, [&](Call &call, uint64_t &value) {
    // In the order of Task.
    static constexpr CUgraphNodeType types[] = {CU_GRAPH_NODE_TYPE_EMPTY,      CU_GRAPH_NODE_TYPE_MEMCPY,
                                                CU_GRAPH_NODE_TYPE_MEMSET,     CU_GRAPH_NODE_TYPE_KERNEL,
                                                CU_GRAPH_NODE_TYPE_HOST,       CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                                                CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                                                CU_GRAPH_NODE_TYPE_MEM_FREE,   CU_GRAPH_NODE_TYPE_GRAPH};
    static_assert(std::size(types) == std::variant_size_v<Task>);
    Status status;
    if (auto node = call.resolve<GraphNode>(toNumber(handle), HandleKind::GraphNode, "hNode", status))
      value = types[node->task.index()];
    return status;
  });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  return setParameters(__func__, node, [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  return setParameters(__func__, node, [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params) {
  return setParameters(__func__, node,
                       [&](Call &call, NodeWork &work) { return readParameters(call, params, nullptr, work); });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params) {
  return setParameters(__func__, node,
                       [&](Call &call, NodeWork &work) { return readParameters(call, params, nullptr, work); });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
  return setParameters(__func__, node, [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return setParameters(__func__, node, [&](Call &call, NodeWork &work) { return readEventRecord(call, event, work); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return setParameters(__func__, node, [&](Call &call, NodeWork &work) { return readEventWait(call, event, work); });
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params) {
  return setParameters(__func__, node, [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                                        CUcontext context) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readParameters(call, params, context, work); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
                                        CUcontext context) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readParameters(call, params, context, work); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readEventRecord(call, event, work); });
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readEventWait(call, event, work); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return run(__func__, Needs::Context,
             [&](Call &call) { return setExecChildGraph(call, toNumber(exec), toNumber(node), toNumber(child)); });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params) {
  if (params && params->type == CU_GRAPH_NODE_TYPE_GRAPH)
    return run(__func__, Needs::Context, [&](Call &call) {
      return setExecChildGraph(call, toNumber(exec), toNumber(node), toNumber(params->graph.graph));
    });
  return setExecParameters(__func__, exec, node,
                           [&](Call &call, NodeWork &work) { return readParameters(call, params, work); });
}

static Status instantiate(Call &call, CUgraph graph, unsigned long long flags, uint64_t &exec, uint64_t &cyclic) {
  constexpr unsigned known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                             CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  if (flags & ~static_cast<unsigned long long>(known))
    return call.report(Status::InvalidValue, "errors", "", "unknown flags " + std::to_string(flags & ~known));
  bool freesOnLaunch = flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
  if (freesOnLaunch && (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH))
    return call.report(Status::InvalidValue, "errors", "GRAPH-6", "auto-free cannot be combined with device launch");
  if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
    return call.report(Status::NotSupported, "errors", "", "launching a graph from the device is not supported");
  return instantiateGraph(call, toNumber(graph), flags, freesOnLaunch, exec, cyclic);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  return runWithResult(__func__, Needs::Context, exec, [&](Call &call, uint64_t &handle) {
    uint64_t cyclic = 0;
    return instantiate(call, graph, flags, handle, cyclic);
  });
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *errorNode, char *log, size_t logBytes) {
  return runWithResult(__func__, Needs::Context, exec, [&](Call &call, uint64_t &handle) {
    uint64_t cyclic = 0;
    Status status = instantiate(call, graph, 0, handle, cyclic);
    if (errorNode)
      *errorNode = toHandle<CUgraphNode>(cyclic);
    if (log && logBytes > 0)
      log[0] = '\0';
    return status;
  });
}
CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *errorNode, char *log, size_t logBytes) {
  return cuGraphInstantiate_v2(exec, graph, errorNode, log, logBytes);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
  return runWithResult(__func__, Needs::Context, exec, [&](Call &call, uint64_t &handle) {
    if (!params)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the parameters is null");
    constexpr unsigned long long upload = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    uint64_t cyclic = 0;
    Status status = instantiate(call, graph, params->flags & ~upload, handle, cyclic);
    if (status == Status::Success && (params->flags & upload))
      status = uploadGraph(call, handle, toNumber(params->hUploadStream));
    params->hErrNode_out = toHandle<CUgraphNode>(cyclic);
    params->result_out = status == Status::Success ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                         : cyclic                  ? CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE
                                                   : CUDA_GRAPH_INSTANTIATE_ERROR;
    return status;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return run(__func__, Needs::Context, [&](Call &call) { return destroyExec(call, toNumber(exec)); });
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags) {
  return runWithResult(__func__, Needs::Context, flags,
                       [&](Call &call, uint64_t &value) { return getExecFlags(call, toNumber(exec), value); });
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return run(__func__, Needs::Context, [&](Call &call) { return launchGraph(call, toNumber(exec), toNumber(stream)); });
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return run(__func__, Needs::Context, [&](Call &call) { return uploadGraph(call, toNumber(exec), toNumber(stream)); });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned isEnabled) {
  return run(__func__, Needs::Context,
             [&](Call &call) { return setEnabled(call, toNumber(exec), toNumber(node), isEnabled != 0); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *isEnabled) {
  return runWithResult(__func__, Needs::Context, isEnabled, [&](Call &call, uint64_t &value) {
    bool answer = false;
    Status status = getEnabled(call, toNumber(exec), toNumber(node), answer);
    value = answer;
    return status;
  });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  return run(__func__, Needs::Context, [&](Call &call) {
    UpdateResult result;
    Status status = updateExec(call, toNumber(exec), toNumber(graph), result);
    if (info)
      *info = {static_cast<CUgraphExecUpdateResult>(result.problem), toHandle<CUgraphNode>(result.node),
               toHandle<CUgraphNode>(result.from)};
    return status;
  });
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *errorNode, CUgraphExecUpdateResult *result) {
  CUgraphExecUpdateResultInfo info{CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
  CUresult answer = cuGraphExecUpdate_v2(exec, graph, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (result)
    *result = info.result;
  return answer;
}

} // namespace lockstep::simgpu::cuda
