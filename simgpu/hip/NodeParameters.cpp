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

static Status makeCopy(Call &call, const Region &destination, const Region &source, const Extent &extent, Task &task) {
  if (extent.sizeBytes() == 0)
    return refuseEmpty(call);
  CopyTask made;
  Status status = makeCopyTask(call, Use::InGraph, destination, source, extent, made);
  task = std::move(made);
  return status;
}

Status readParameters(Call &call, const hipMemcpy3DParms *parameters, Task &task) {
  Region destination, source;
  Extent extent;
  Status status = readCopy(call, parameters, destination, source, extent);
  return status == Status::Success ? makeCopy(call, destination, source, extent, task) : status;
}

Status readParameters(Call &call, void *dst, const void *src, size_t bytes, hipMemcpyKind kind, Task &task) {
  Region destination, source;
  Status status = readCopy(call, dst, src, kind, destination, source);
  return status == Status::Success ? makeCopy(call, destination, source, {bytes, 1, 1}, task) : status;
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

hipKernelNodeParams describe(const KernelTask &task) {
  const LaunchSize &size = task.size;
  hipKernelNodeParams p{};
  p.func = toHandle<void *>(task.function->handle);
  p.gridDim = {size.grid[0], size.grid[1], size.grid[2]};
  p.blockDim = {size.block[0], size.block[1], size.block[2]};
  p.sharedMemBytes = size.dynamicSharedBytes;
  p.kernelParams = const_cast<void **>(task.arguments->pointers.data());
  return p;
}

static hipMemcpyKind kindOf(Side from, Side to) {
  if (from == Side::Unified)
    return hipMemcpyDefault;
  if (from == Side::Host)
    return to == Side::Host ? hipMemcpyHostToHost : hipMemcpyHostToDevice;
  return to == Side::Host ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
}

static hipPitchedPtr pitchedOf(const Region &region, const Extent &extent) {
  size_t rows = region.rowPitchBytes ? region.slicePitchBytes / region.rowPitchBytes : 0;
  return {toHandle<void *>(region.address), region.rowPitchBytes, extent.widthBytes, rows};
}

hipMemcpy3DParms describe(const CopyTask &task) {
  hipMemcpy3DParms p{};
  p.srcPtr = pitchedOf(task.source.region, task.extent);
  p.dstPtr = pitchedOf(task.destination.region, task.extent);
  p.extent = {task.extent.widthBytes, task.extent.height, task.extent.depth};
  p.kind = kindOf(task.source.region.side, task.destination.region.side);
  return p;
}

hipHostNodeParams describe(const HostTask &task) { return {task.function, task.data}; }

hipMemAllocNodeParams describe(const AllocateTask &task) {
  const Allocation &allocation = *task.memory->allocation;
  hipMemAllocNodeParams p{};
  p.poolProps.allocType = hipMemAllocationTypePinned;
  p.poolProps.location = {hipMemLocationTypeDevice, allocation.deviceOrdinal};
  p.bytesize = allocation.sizeBytes;
  p.dptr = toHandle<void *>(allocation.address);
  return p;
}

void describe(const FillTask &task, hipMemsetParamsOfVersion *parameters) {
  const Region &region = task.destination.region;
  void *dst = toHandle<void *>(region.address);
  const size_t width = task.extent.widthBytes / task.elementBytes, height = task.extent.height;
  if (profile().hasMemsetParams7)
    *reinterpret_cast<hipMemsetParams7 *>(parameters) = {
        dst, region.rowPitchBytes, task.value, task.elementBytes, width, height};
  else
    *reinterpret_cast<hipMemsetParams *>(parameters) = {
        dst, task.elementBytes, height, region.rowPitchBytes, task.value, width};
}

} // namespace lockstep::simgpu::hip
