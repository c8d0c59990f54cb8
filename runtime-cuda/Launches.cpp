// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Launches.h"

#include <limits>

using namespace lockstep::cuda;

/// Up to this much a kernel may have without asking.
static constexpr int32_t kSharedBytesWithoutOptIn = 48 * 1024;

bool lockstep::cuda::checkExtents(ApiCall &call, std::initializer_list<Extent> extents, int32_t sharedBytes) {
  for (const Extent &extent : extents)
    for (int axis = 0; axis < 3; ++axis)
      if (extent.values[axis] < 0 || extent.values[axis] > std::numeric_limits<uint32_t>::max()) {
        call.refuse(kMgpuStatusInvalidValue, std::string("the ") + extent.name + " size in " + "xyz"[axis] + " is " +
                                                 std::to_string(extent.values[axis]));
        return false;
      }
  if (sharedBytes >= 0)
    return true;
  call.refuse(kMgpuStatusInvalidValue, "argument 'shared_bytes' is " + std::to_string(sharedBytes));
  return false;
}

bool lockstep::cuda::allowSharedBytes(ApiCall &call, CUfunction function, int32_t sharedBytes) {
  return sharedBytes <= kSharedBytesWithoutOptIn ||
         call.invoke(call.driver().cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                     static_cast<int>(sharedBytes));
}

static unsigned narrow(intptr_t value) { return static_cast<unsigned>(value); }

void mgpuLaunchKernel(MgpuFunction function, intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                      intptr_t blockY, intptr_t blockZ, int32_t sharedBytes, MgpuStream stream, void **params,
                      void **extra, size_t paramCount) {
  ApiCall call("mgpuLaunchKernel");
  if (!call || !checkExtents(call, {{"grid", {gridX, gridY, gridZ}}, {"block", {blockX, blockY, blockZ}}}, sharedBytes))
    return;
  CUfunction driverFunction = call.function("function", function);
  CUstream driverStream = driverFunction ? call.stream("stream", stream) : nullptr;
  if (!driverStream || !allowSharedBytes(call, driverFunction, sharedBytes))
    return;
  call.invoke(call.driver().cuLaunchKernel, driverFunction, narrow(gridX), narrow(gridY), narrow(gridZ), narrow(blockX),
              narrow(blockY), narrow(blockZ), static_cast<unsigned>(sharedBytes), driverStream, params, extra);
}

// `paramCount` is not read: upstream 22.1.8 calls this function with one argument less.
void mgpuLaunchClusterKernel(MgpuFunction function, intptr_t clusterX, intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                             intptr_t blockZ, int32_t sharedBytes, MgpuStream stream, void **params, void **extra,
                             size_t paramCount) {
  ApiCall call("mgpuLaunchClusterKernel");
  if (!call || !checkExtents(call,
                             {{"cluster", {clusterX, clusterY, clusterZ}},
                              {"grid", {gridX, gridY, gridZ}},
                              {"block", {blockX, blockY, blockZ}}},
                             sharedBytes))
    return;
  CUfunction driverFunction = call.function("function", function);
  CUstream driverStream = driverFunction ? call.stream("stream", stream) : nullptr;
  if (!driverStream || !allowSharedBytes(call, driverFunction, sharedBytes))
    return;
  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {narrow(clusterX), narrow(clusterY), narrow(clusterZ)};
  CUlaunchConfig config = {narrow(gridX),
                           narrow(gridY),
                           narrow(gridZ),
                           narrow(blockX),
                           narrow(blockY),
                           narrow(blockZ),
                           static_cast<unsigned>(sharedBytes),
                           driverStream,
                           &cluster,
                           1};
  call.invoke(call.driver().cuLaunchKernelEx, static_cast<const CUlaunchConfig *>(&config), driverFunction, params,
              extra);
}
