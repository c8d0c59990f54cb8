// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/hip/NodeParameters.h"

namespace lockstep::simgpu::hip {

static Status refuseNullParameters(Call &call) {
  return call.report(Status::InvalidValue, "errors", "GRAPH-14", "the pointer to the parameters is null");
}

static Status refuseEmpty(Call &call) {
  return call.report(Status::InvalidValue, "errors", "GRAPH-14", "the node would do nothing: a size is 0");
}

Status readParameters(Call &call, const hipKernelNodeParams *parameters, Task &task) {
  if (!parameters)
    return refuseNullParameters(call);
  const hipKernelNodeParams &p = *parameters;
  LaunchArguments arguments;
  arguments.pointers = p.kernelParams;
  Status status = readExtra(call, p.extra, arguments);
  LaunchSize size{
      {p.gridDim.x, p.gridDim.y, p.gridDim.z}, {p.blockDim.x, p.blockDim.y, p.blockDim.z}, p.sharedMemBytes};
  KernelTask kernel;
  if (status == Status::Success)
    status = makeKernelTask(call, Use::InGraph, toNumber(p.func), size, arguments, kernel);
  task = std::move(kernel);
  return status;
}

Status readParameters(Call &call, const hipMemcpy3DParms *parameters, Task &task) {
  CopyTask made;
  Region destination, source;
  Extent extent;
  Status status = readCopy(call, parameters, destination, source, extent);
  if (status == Status::Success && extent.sizeBytes() == 0)
    status = refuseEmpty(call);
  if (status == Status::Success)
    status = makeCopyTask(call, Use::InGraph, destination, source, extent, made);
  task = std::move(made);
  return status;
}

Status readParameters(Call &call, const hipHostNodeParams *parameters, Task &task) {
  if (!parameters)
    return refuseNullParameters(call);
  if (!parameters->fn)
    return call.report(Status::InvalidValue, "errors", "HOSTFN-1", "the function is null");
  task = HostTask{parameters->fn, parameters->userData};
  return Status::Success;
}

Status readParameters(Call &call, const hipMemsetParamsOfVersion *parameters, Task &task) {
  if (!parameters)
    return refuseNullParameters(call);
  hipMemsetParams7 p;
  if (profile().hasMemsetParams7) {
    p = *reinterpret_cast<const hipMemsetParams7 *>(parameters);
  } else {
    const auto &old = *reinterpret_cast<const hipMemsetParams *>(parameters);
    p = {old.dst, old.pitch, old.value, old.elementSize, old.width, old.height};
  }
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
    return call.report(Status::InvalidValue, "errors", "GRAPH-14", "elementSize is none of 1, 2, 4");
  if (p.width == 0 || p.height == 0)
    return refuseEmpty(call);
  FillTask made;
  Region destination{toNumber(p.dst), Side::Unified, p.height > 1 ? p.pitch : 0, 0};
  Status status = makeFillTask(call, Use::InGraph, destination, {p.width * p.elementSize, p.height, 1}, p.value,
                               p.elementSize, made);
  task = std::move(made);
  return status;
}

template <typename T> static Status readEvent(Call &call, hipEvent_t handle, Task &task) {
  Status status;
  T made{call.resolve<Event>(toNumber(handle), HandleKind::Event, "event", status)};
  task = std::move(made);
  return status;
}

Status readEventRecord(Call &call, hipEvent_t event, Task &task) {
  return readEvent<EventRecordTask>(call, event, task);
}
Status readEventWait(Call &call, hipEvent_t event, Task &task) { return readEvent<EventWaitTask>(call, event, task); }

} // namespace lockstep::simgpu::hip
