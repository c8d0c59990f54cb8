// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Strided.h"
#include "runtime-cuda/Fills.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

namespace {
/// A view of memory: strides count elements.
struct View {
  CUdeviceptr address;
  const int64_t *strides;
};
} // namespace

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

static std::optional<StridedPlan> makePlan(ApiCall &call, int64_t rank, const int64_t *sizes, const View &destination,
                                           const View &source, int64_t elementBytes) {
  std::string error;
  auto plan = planStrided(rank, sizes, destination.strides, source.strides, elementBytes, RectangleLimits(), error);
  if (!plan)
    call.refuse(kMgpuStatusInvalidValue, "cannot copy: " + error);
  return plan;
}

/// Copies between views whose byte ranges overlap by way of dense memory in between, so that no element is overwritten
/// before it is read. Views that interleave without a common byte come here too: telling them apart is not worth it.
static void copyStaged(ApiCall &call, CUstream stream, int64_t rank, const int64_t *sizes, const View &destination,
                       const View &source, int64_t elementBytes) {
  std::vector<int64_t> denseStrides(rank);
  int64_t count = 1;
  for (int64_t index = rank; index-- > 0;) {
    denseStrides[index] = count;
    if (__builtin_mul_overflow(count, sizes[index], &count))
      return call.refuse(kMgpuStatusInvalidValue, "cannot copy: the number of elements does not fit 63 bits");
  }
  size_t sizeBytes;
  if (__builtin_mul_overflow(count, elementBytes, &sizeBytes))
    return call.refuse(kMgpuStatusInvalidValue, "cannot copy: the number of bytes does not fit 64 bits");
  CUdeviceptr memory = 0;
  if (!call.invoke(call.driver().cuMemAllocAsync, &memory, sizeBytes, stream))
    return;
  View dense{memory, denseStrides.data()};
  auto in = makePlan(call, rank, sizes, dense, source, elementBytes);
  auto out = makePlan(call, rank, sizes, destination, dense, elementBytes);
  if (in && out && runCopy(call, stream, *in, memory, source.address))
    runCopy(call, stream, *out, destination.address, memory);
  call.invoke(call.driver().cuMemFreeAsync, memory, stream);
}

static void copyStrided(ApiCall &call, MgpuStream stream, int64_t rank, const int64_t *sizes, const View &destination,
                        const View &source, int64_t elementBytes) {
  CUstream driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  auto plan = makePlan(call, rank, sizes, destination, source, elementBytes);
  if (!plan || plan->isEmpty)
    return;
  const ByteRange &to = plan->ranges[kDestination];
  const ByteRange &from = plan->ranges[kSource];
  bool mayOverlap = destination.address + to.lower < source.address + from.upper &&
                    source.address + from.lower < destination.address + to.upper;
  if (mayOverlap)
    copyStaged(call, driverStream, rank, sizes, destination, source, elementBytes);
  else
    runCopy(call, driverStream, *plan, destination.address, source.address);
}

static void fillStrided(ApiCall &call, MgpuStream stream, int64_t rank, const int64_t *sizes, const View &destination,
                        int64_t elementBytes, uint64_t value) {
  CUstream driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  RectangleLimits limits;
  limits.hasDepth = false;
  std::string error;
  auto plan = planStridedFill(rank, sizes, destination.strides, elementBytes, limits, error);
  if (!plan)
    return call.refuse(kMgpuStatusInvalidValue, "cannot fill: " + error);
  size_t count = plan->rowBytes / elementBytes;
  plan->forEachRectangle([&](int64_t offset, int64_t) {
    CUdeviceptr start = destination.address + offset;
    if (plan->height.size > 1)
      return fillRows(call, driverStream, start, elementBytes, value, count, plan->height.strides[kDestination],
                      plan->height.size);
    return fillRow(call, driverStream, start, elementBytes, value, count);
  });
}

void mgpuMemcpyStrided(void *destination, void *source, int64_t rank, const int64_t *sizes,
                       const int64_t *destinationStrides, const int64_t *sourceStrides, int64_t elementBytes,
                       MgpuStream stream) {
  ApiCall call("mgpuMemcpyStrided");
  if (call)
    copyStrided(call, stream, rank, sizes, {toAddress(destination), destinationStrides},
                {toAddress(source), sourceStrides}, elementBytes);
}

/// Refuses a null descriptor and a negative rank, behind which no shape can be read.
static bool checkMemRef(ApiCall &call, const char *argument, int64_t rank, const MgpuMemRef *memref) {
  if (memref && rank >= 0)
    return true;
  call.refuse(kMgpuStatusInvalidValue,
              std::string("argument '") + argument + "' is " + (memref ? "of rank " + std::to_string(rank) : "null"));
  return false;
}

void mgpuMemcpyMemRef(int64_t destinationRank, MgpuMemRef *destination, int64_t sourceRank, MgpuMemRef *source,
                      int64_t elementBytes, MgpuStream stream) {
  ApiCall call("mgpuMemcpyMemRef");
  if (!call || !checkMemRef(call, "destination", destinationRank, destination) ||
      !checkMemRef(call, "source", sourceRank, source))
    return;
  if (destinationRank != sourceRank)
    return call.refuse(kMgpuStatusInvalidValue, "the destination has rank " + std::to_string(destinationRank) +
                                                    ", the source rank " + std::to_string(sourceRank));
  for (int64_t index = 0; index < sourceRank; ++index)
    if (destination->shape[index] != source->shape[index])
      return call.refuse(kMgpuStatusInvalidValue, "dimension " + std::to_string(index) +
                                                      " of the destination has size " +
                                                      std::to_string(destination->shape[index]) + ", of the source " +
                                                      std::to_string(source->shape[index]));
  copyStrided(call, stream, sourceRank, source->shape,
              {toAddress(firstElement(*destination, elementBytes)), destination->shape + sourceRank},
              {toAddress(firstElement(*source, elementBytes)), source->shape + sourceRank}, elementBytes);
}

void mgpuMemsetStrided(void *destination, int64_t rank, const int64_t *sizes, const int64_t *strides,
                       int64_t elementBytes, uint64_t value, MgpuStream stream) {
  ApiCall call("mgpuMemsetStrided");
  if (call)
    fillStrided(call, stream, rank, sizes, {toAddress(destination), strides}, elementBytes, value);
}

void mgpuMemsetMemRef(int64_t rank, MgpuMemRef *destination, int64_t elementBytes, uint64_t value, MgpuStream stream) {
  ApiCall call("mgpuMemsetMemRef");
  if (call && checkMemRef(call, "destination", rank, destination))
    fillStrided(call, stream, rank, destination->shape,
                {toAddress(firstElement(*destination, elementBytes)), destination->shape + rank}, elementBytes, value);
}
