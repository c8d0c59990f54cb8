// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of nodes.

#include "simgpu/cuda/NodeParameters.h"

#include "simgpu/core/CopyApi.h"

namespace lockstep::simgpu::cuda {

static Status refuseNull(Call &call) {
  return call.report(Status::InvalidValue, "errors", "GRAPH-14", "the pointer to the parameters is null");
}

static Status resolveContext(Call &call, CUcontext handle, std::shared_ptr<Context> &context) {
  Status status = Status::Success;
  if (handle)
    context = call.resolve<Context>(toNumber(handle), HandleKind::Context, "ctx", status);
  return status;
}

/// Both versions of the structure begin alike.
template <typename Parameters> static Status readKernel(Call &call, const Parameters &p, NodeWork &work) {
  LaunchArguments arguments;
  arguments.pointers = p.kernelParams;
  Status status = readExtra(call, p.extra, arguments);
  if (status != Status::Success)
    return status;
  LaunchSize size{{p.gridDimX, p.gridDimY, p.gridDimZ}, {p.blockDimX, p.blockDimY, p.blockDimZ}, p.sharedMemBytes};
  KernelTask task;
  status = makeKernelTask(call, Use::InGraph, toNumber(p.func), size, arguments, task);
  if (status != Status::Success)
    return status;
  work.context = task.function->context.lock();
  work.task = std::move(task);
  return Status::Success;
}

Status readParameters(Call &call, const CUDA_KERNEL_NODE_PARAMS_v1 *parameters, NodeWork &work) {
  return parameters ? readKernel(call, *parameters, work) : refuseNull(call);
}

Status readParameters(Call &call, const CUDA_KERNEL_NODE_PARAMS *parameters, NodeWork &work) {
  return parameters ? readKernel(call, *parameters, work) : refuseNull(call);
}

Status readParameters(Call &call, const CUDA_HOST_NODE_PARAMS *parameters, NodeWork &work) {
  if (!parameters)
    return refuseNull(call);
  if (!parameters->fn)
    return call.report(Status::InvalidValue, "errors", "HOSTFN-1", "field fn is null");
  work.task = HostTask{parameters->fn, parameters->userData};
  return Status::Success;
}

static Status refuseEmpty(Call &call) {
  return call.report(Status::InvalidValue, "errors", "GRAPH-14", "a copy or fill of no bytes cannot be a node");
}

Status readParameters(Call &call, const CUDA_MEMCPY3D *parameters, CUcontext context, NodeWork &work) {
  CopyTask task;
  Region destination, source;
  Extent extent;
  Status status = resolveContext(call, context, work.context);
  if (status == Status::Success)
    status = readCopy(call, parameters, destination, source, extent);
  if (status == Status::Success && extent.sizeBytes() == 0)
    status = refuseEmpty(call);
  if (status == Status::Success)
    status = makeCopyTask(call, Use::InGraph, destination, source, extent, task);
  work.task = std::move(task);
  return status;
}

Status readParameters(Call &call, const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context, NodeWork &work) {
  if (!parameters)
    return refuseNull(call);
  const CUDA_MEMSET_NODE_PARAMS &p = *parameters;
  Status status = resolveContext(call, context, work.context);
  if (status != Status::Success)
    return status;
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
    return call.report(Status::InvalidValue, "errors", "GRAPH-14", "elementSize is none of 1, 2, 4");
  if (p.width == 0 || p.height == 0)
    return refuseEmpty(call);
  FillTask task;
  Region destination{p.dst, Side::Unified, p.height > 1 ? p.pitch : 0, 0};
  status = makeFillTask(call, Use::InGraph, destination, {p.width * p.elementSize, p.height, 1}, p.value, p.elementSize,
                        task);
  work.task = std::move(task);
  return status;
}

template <typename T> static Status readEvent(Call &call, CUevent handle, NodeWork &work) {
  Status status;
  T task{call.resolve<Event>(toNumber(handle), HandleKind::Event, "event", status)};
  work.task = std::move(task);
  return status;
}

Status readEventRecord(Call &call, CUevent event, NodeWork &work) {
  return readEvent<EventRecordTask>(call, event, work);
}
Status readEventWait(Call &call, CUevent event, NodeWork &work) { return readEvent<EventWaitTask>(call, event, work); }

Status readParameters(Call &call, const CUgraphNodeParams *parameters, NodeWork &work) {
  if (!parameters)
    return refuseNull(call);
  const CUgraphNodeParams &p = *parameters;
  switch (p.type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return readParameters(call, &p.kernel, work);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return readParameters(call, &p.memcpy.copyParams, p.memcpy.copyCtx, work);
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    CUDA_MEMSET_NODE_PARAMS fill{p.memset.dst,         p.memset.pitch, p.memset.value,
                                 p.memset.elementSize, p.memset.width, p.memset.height};
    return readParameters(call, &fill, p.memset.ctx, work);
  }
  case CU_GRAPH_NODE_TYPE_HOST:
    return readParameters(call, &p.host, work);
  case CU_GRAPH_NODE_TYPE_EMPTY:
    work.task = EmptyTask{};
    return Status::Success;
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    return readEventWait(call, p.eventWait.event, work);
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    return readEventRecord(call, p.eventRecord.event, work);
  default:
    return call.report(Status::NotSupported, "errors", "",
                       "nodes of type " + std::to_string(p.type) + " are not supported here");
  }
}

CUDA_KERNEL_NODE_PARAMS describe(const KernelTask &task) {
  CUDA_KERNEL_NODE_PARAMS p{};
  p.func = toHandle<CUfunction>(task.function->handle);
  p.gridDimX = task.size.grid[0];
  p.gridDimY = task.size.grid[1];
  p.gridDimZ = task.size.grid[2];
  p.blockDimX = task.size.block[0];
  p.blockDimY = task.size.block[1];
  p.blockDimZ = task.size.block[2];
  p.sharedMemBytes = task.size.dynamicSharedBytes;
  p.kernelParams = const_cast<void **>(task.arguments->pointers.data());
  return p;
}

static CUmemorytype typeOf(const Endpoint &endpoint) {
  switch (endpoint.region.side) {
  case Side::Host:
    return CU_MEMORYTYPE_HOST;
  case Side::Device:
    return CU_MEMORYTYPE_DEVICE;
  case Side::Unified:
    break;
  }
  return CU_MEMORYTYPE_UNIFIED;
}

CUDA_MEMCPY3D describe(const CopyTask &task) {
  CUDA_MEMCPY3D p{};
  const Region &from = task.source.region, &to = task.destination.region;
  p.srcMemoryType = typeOf(task.source);
  p.dstMemoryType = typeOf(task.destination);
  p.srcHost = from.side == Side::Host ? toHandle<const void *>(from.address) : nullptr;
  p.dstHost = to.side == Side::Host ? toHandle<void *>(to.address) : nullptr;
  p.srcDevice = from.side == Side::Host ? 0 : from.address;
  p.dstDevice = to.side == Side::Host ? 0 : to.address;
  p.srcPitch = from.rowPitchBytes;
  p.dstPitch = to.rowPitchBytes;
  p.srcHeight = from.rowPitchBytes ? from.slicePitchBytes / from.rowPitchBytes : 0;
  p.dstHeight = to.rowPitchBytes ? to.slicePitchBytes / to.rowPitchBytes : 0;
  p.WidthInBytes = task.extent.widthBytes;
  p.Height = task.extent.height;
  p.Depth = task.extent.depth;
  return p;
}

CUDA_MEMSET_NODE_PARAMS describe(const FillTask &task) {
  return {task.destination.region.address,
          task.destination.region.rowPitchBytes,
          task.value,
          task.elementBytes,
          task.extent.widthBytes / task.elementBytes,
          task.extent.height};
}

} // namespace lockstep::simgpu::cuda
