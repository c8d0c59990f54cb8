// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Transfers.h"
#include "runtime-hip/Fills.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

static bool copyRows(ApiCall &call, hipStream_t stream, const StridedPlan &plan, hipDeviceptr_t destination,
                     hipDeviceptr_t source) {
  return call.invoke(call.driver().hipMemcpy2DAsync, destination, size_t(plan.height.strides[kDestination]), source,
                     size_t(plan.height.strides[kSource]), size_t(plan.rowBytes), size_t(plan.height.size),
                     hipMemcpyDefault, stream);
}

static bool copySlices(ApiCall &call, hipStream_t stream, const StridedPlan &plan, hipDeviceptr_t destination,
                       hipDeviceptr_t source) {
  hipMemcpy3DParms copy = {};
  copy.srcPtr = {reinterpret_cast<void *>(source), size_t(plan.height.strides[kSource]), size_t(plan.rowBytes),
                 size_t(plan.depth.strides[kSource] / plan.height.strides[kSource])};
  copy.dstPtr = {reinterpret_cast<void *>(destination), size_t(plan.height.strides[kDestination]),
                 size_t(plan.rowBytes), size_t(plan.depth.strides[kDestination] / plan.height.strides[kDestination])};
  copy.extent = {size_t(plan.rowBytes), size_t(plan.height.size), size_t(plan.depth.size)};
  copy.kind = hipMemcpyDefault;
  return call.invoke(call.driver().hipMemcpy3DAsync, static_cast<const hipMemcpy3DParms *>(&copy), stream);
}

static bool runCopy(ApiCall &call, hipStream_t stream, const StridedPlan &plan, hipDeviceptr_t destination,
                    hipDeviceptr_t source) {
  return plan.forEachRectangle([&](int64_t destinationOffset, int64_t sourceOffset) {
    hipDeviceptr_t to = destination + destinationOffset;
    hipDeviceptr_t from = source + sourceOffset;
    if (plan.depth.size > 1)
      return copySlices(call, stream, plan, to, from);
    if (plan.height.size > 1)
      return copyRows(call, stream, plan, to, from);
    return call.invoke(call.driver().hipMemcpyAsync, to, from, static_cast<size_t>(plan.rowBytes), hipMemcpyDefault,
                       stream);
  });
}

/// By way of stream-ordered memory.
static void copyStaged(ApiCall &call, hipStream_t stream, const CopyPlan &plan, hipDeviceptr_t destination,
                       hipDeviceptr_t source) {
  hipDeviceptr_t memory = 0;
  if (!call.invoke(call.driver().hipMallocAsync, &memory, plan.stagingBytes, stream))
    return;
  if (runCopy(call, stream, plan.in, memory, source))
    runCopy(call, stream, plan.out, destination, memory);
  call.invoke(call.driver().hipFreeAsync, memory, stream);
}

static void copyStrided(ApiCall &call, MgpuStream stream, const CopyRequest &request) {
  hipStream_t driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  std::string error;
  auto plan = planCopy(request, error);
  if (!plan)
    return call.refuse(kMgpuStatusInvalidValue, error);
  hipDeviceptr_t destination = request.destination.address, source = request.source.address;
  if (plan->stagingBytes)
    copyStaged(call, driverStream, *plan, destination, source);
  else
    runCopy(call, driverStream, plan->direct, destination, source);
}

static void fillStrided(ApiCall &call, MgpuStream stream, const FillRequest &request) {
  hipStream_t driverStream = call.stream("stream", stream);
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
