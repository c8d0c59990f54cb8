// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Transfers.h"
#include "runtime-cuda/Fills.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

static bool copyRows(ApiCall &call, CUstream stream, const StridedPlan &plan, CUdeviceptr destination,
                     CUdeviceptr source) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = source;
  copy.srcPitch = plan.height.strides[kSource];
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = destination;
  copy.dstPitch = plan.height.strides[kDestination];
  copy.WidthInBytes = plan.rowBytes;
  copy.Height = plan.height.size;
  return call.invoke(call.driver().cuMemcpy2DAsync, static_cast<const CUDA_MEMCPY2D *>(&copy), stream);
}

static bool copySlices(ApiCall &call, CUstream stream, const StridedPlan &plan, CUdeviceptr destination,
                       CUdeviceptr source) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = source;
  copy.srcPitch = plan.height.strides[kSource];
  copy.srcHeight = plan.depth.strides[kSource] / plan.height.strides[kSource];
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = destination;
  copy.dstPitch = plan.height.strides[kDestination];
  copy.dstHeight = plan.depth.strides[kDestination] / plan.height.strides[kDestination];
  copy.WidthInBytes = plan.rowBytes;
  copy.Height = plan.height.size;
  copy.Depth = plan.depth.size;
  return call.invoke(call.driver().cuMemcpy3DAsync, static_cast<const CUDA_MEMCPY3D *>(&copy), stream);
}

static bool runCopy(ApiCall &call, CUstream stream, const StridedPlan &plan, CUdeviceptr destination,
                    CUdeviceptr source) {
  return plan.forEachRectangle([&](int64_t destinationOffset, int64_t sourceOffset) {
    CUdeviceptr to = destination + destinationOffset;
    CUdeviceptr from = source + sourceOffset;
    if (plan.depth.size > 1)
      return copySlices(call, stream, plan, to, from);
    if (plan.height.size > 1)
      return copyRows(call, stream, plan, to, from);
    return call.invoke(call.driver().cuMemcpyAsync, to, from, static_cast<size_t>(plan.rowBytes), stream);
  });
}

/// By way of stream-ordered memory.
static void copyStaged(ApiCall &call, CUstream stream, const CopyPlan &plan, CUdeviceptr destination,
                       CUdeviceptr source) {
  CUdeviceptr memory = 0;
  if (!call.invoke(call.driver().cuMemAllocAsync, &memory, plan.stagingBytes, stream))
    return;
  if (runCopy(call, stream, plan.in, memory, source))
    runCopy(call, stream, plan.out, destination, memory);
  call.invoke(call.driver().cuMemFreeAsync, memory, stream);
}

static void copyStrided(ApiCall &call, MgpuStream stream, const CopyRequest &request) {
  CUstream driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  std::string error;
  auto plan = planCopy(request, error);
  if (!plan)
    return call.refuse(kMgpuStatusInvalidValue, error);
  CUdeviceptr destination = request.destination.address, source = request.source.address;
  if (plan->stagingBytes)
    copyStaged(call, driverStream, *plan, destination, source);
  else
    runCopy(call, driverStream, plan->direct, destination, source);
}

static void fillStrided(ApiCall &call, MgpuStream stream, const FillRequest &request) {
  CUstream driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  std::string error;
  auto pieces = planFill(request, error);
  if (!pieces)
    return call.refuse(kMgpuStatusInvalidValue, error);
  fill(call, driverStream, *pieces);
}

void mgpuMemcpyStrided(void *destination, void *source, int64_t rank, const int64_t *sizes,
                       const int64_t *destinationStrides, const int64_t *sourceStrides, int64_t elementBytes,
                       MgpuStream stream) {
  ApiCall call("mgpuMemcpyStrided");
  if (call)
    copyStrided(
        call, stream,
        {rank, sizes, {toAddress(destination), destinationStrides}, {toAddress(source), sourceStrides}, elementBytes});
}

void mgpuMemcpyMemRef(int64_t destinationRank, MgpuMemRef *destination, int64_t sourceRank, MgpuMemRef *source,
                      int64_t elementBytes, MgpuStream stream) {
  ApiCall call("mgpuMemcpyMemRef");
  if (!call)
    return;
  std::string error;
  if (auto request = requestCopy(destinationRank, destination, sourceRank, source, elementBytes, error))
    copyStrided(call, stream, *request);
  else
    call.refuse(kMgpuStatusInvalidValue, error);
}

void mgpuMemsetStrided(void *destination, int64_t rank, const int64_t *sizes, const int64_t *strides,
                       int64_t elementBytes, uint64_t value, MgpuStream stream) {
  ApiCall call("mgpuMemsetStrided");
  if (call)
    fillStrided(call, stream, {rank, sizes, {toAddress(destination), strides}, elementBytes, value});
}

void mgpuMemsetMemRef(int64_t rank, MgpuMemRef *destination, int64_t elementBytes, uint64_t value, MgpuStream stream) {
  ApiCall call("mgpuMemsetMemRef");
  if (!call)
    return;
  std::string error;
  if (auto request = requestFill(rank, destination, elementBytes, value, error))
    fillStrided(call, stream, *request);
  else
    call.refuse(kMgpuStatusInvalidValue, error);
}
