// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executable graphs, launches and updates.

#include "simgpu/core/GraphExecApi.h"
#include "simgpu/hip/NodeParameters.h"

namespace lockstep::simgpu::hip {

static Status instantiate(Call &call, hipGraph_t graph, unsigned long long flags, uint64_t &exec, uint64_t &cyclic) {
  if (flags & ~static_cast<unsigned long long>(hipGraphInstantiateFlagAutoFreeOnLaunch))
    return call.report(Status::NotSupported, "errors", "", "flags " + std::to_string(flags) + " are not supported");
  return instantiateGraph(call, toNumber(graph), flags, flags & hipGraphInstantiateFlagAutoFreeOnLaunch, exec, cyclic);
}

hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *errorNode, char *log,
                               size_t logBytes) {
  return runWithResult(__func__, exec, [&](Call &call, uint64_t &handle) {
    uint64_t cyclic = 0;
    Status status = instantiate(call, graph, 0, handle, cyclic);
    if (errorNode)
      *errorNode = toHandle<hipGraphNode_t>(cyclic);
    if (log && logBytes > 0)
      log[0] = '\0';
    return status;
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
  return runWithResult(__func__, exec, [&](Call &call, uint64_t &handle) {
    uint64_t cyclic = 0;
    return instantiate(call, graph, flags, handle, cyclic);
  });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *exec, hipGraph_t graph, hipGraphInstantiateParams *params) {
  return runWithResult(__func__, exec, [&](Call &call, uint64_t &handle) {
    if (!params)
      return refuseNull(call);
    constexpr unsigned long long upload = hipGraphInstantiateFlagUpload;
    uint64_t cyclic = 0;
    Status status = instantiate(call, graph, params->flags & ~upload, handle, cyclic);
    if (status == Status::Success && (params->flags & upload))
      status = uploadGraph(call, handle, toNumber(params->uploadStream));
    params->errNode_out = toHandle<hipGraphNode_t>(cyclic);
    params->result_out = status == Status::Success ? hipGraphInstantiateSuccess
                         : cyclic                  ? hipGraphInstantiateInvalidStructure
                                                   : hipGraphInstantiateError;
    return status;
  });
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long *flags) {
  return runWithResult(__func__, flags,
                       [&](Call &call, uint64_t &value) { return getExecFlags(call, toNumber(exec), value); });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return run(__func__, [&](Call &call) { return destroyExec(call, toNumber(exec)); });
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return run(__func__, [&](Call &call) { return launchGraph(call, toNumber(exec), toNumber(stream)); });
}

hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return run(__func__, [&](Call &call) { return uploadGraph(call, toNumber(exec), toNumber(stream)); });
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *errorNode,
                              hipGraphExecUpdateResult *result) {
  return run(__func__, [&](Call &call) {
    if (!errorNode || !result)
      return refuseNull(call);
    UpdateResult update;
    Status status = updateExec(call, toNumber(exec), toNumber(graph), update);
    *errorNode = toHandle<hipGraphNode_t>(update.node);
    *result = static_cast<hipGraphExecUpdateResult>(update.problem);
    return status;
  });
}

/// Replaces the work of a node of an executable graph by what `read(call, task)` gives.
template <typename Read>
static hipError_t setParameters(const char *name, hipGraphExec_t exec, hipGraphNode_t node, Read read) {
  return run(name, [&](Call &call) {
    Task task;
    Status status = read(call, task);
    return status == Status::Success ? setExecTask(call, toNumber(exec), toNumber(node), std::move(task), nullptr)
                                     : status;
  });
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams *params) {
  return setParameters(__func__, exec, node,
                       [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipMemcpy3DParms *params) {
  return setParameters(__func__, exec, node,
                       [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src,
                                             size_t bytes, hipMemcpyKind kind) {
  return setParameters(__func__, exec, node,
                       [&](Call &call, Task &task) { return readParameters(call, dst, src, bytes, kind, task); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParamsOfVersion *params) {
  return setParameters(__func__, exec, node,
                       [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipHostNodeParams *params) {
  return setParameters(__func__, exec, node,
                       [&](Call &call, Task &task) { return readParameters(call, params, task); });
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return setParameters(__func__, exec, node,
                       [&](Call &call, Task &task) { return readEventRecord(call, event, task); });
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return setParameters(__func__, exec, node, [&](Call &call, Task &task) { return readEventWait(call, event, task); });
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipGraph_t child) {
  return run(__func__,
             [&](Call &call) { return setExecChildGraph(call, toNumber(exec), toNumber(node), toNumber(child)); });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned isEnabled) {
  return run(__func__, [&](Call &call) { return setEnabled(call, toNumber(exec), toNumber(node), isEnabled != 0); });
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned *isEnabled) {
  return run(__func__, [&](Call &call) {
    if (!isEnabled)
      return refuseNull(call);
    bool value = false;
    Status status = getEnabled(call, toNumber(exec), toNumber(node), value);
    *isEnabled = value;
    return status;
  });
}

} // namespace lockstep::simgpu::hip
