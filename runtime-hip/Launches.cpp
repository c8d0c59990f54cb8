// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Launches.h"

#include <limits>

using namespace lockstep::hip;

bool lockstep::hip::checkExtents(ApiCall &call, std::initializer_list<Extent> extents, int32_t sharedBytes) {
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

static unsigned narrow(intptr_t value) { return static_cast<unsigned>(value); }

void mgpuLaunchKernel(MgpuFunction function, intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                      intptr_t blockY, intptr_t blockZ, int32_t sharedBytes, MgpuStream stream, void **params,
                      void **extra, size_t paramCount) {
  ApiCall call("mgpuLaunchKernel");
  if (!call || !checkExtents(call, {{"grid", {gridX, gridY, gridZ}}, {"block", {blockX, blockY, blockZ}}}, sharedBytes))
    return;
  hipFunction_t driverFunction = call.function("function", function);
  hipStream_t driverStream = driverFunction ? call.stream("stream", stream) : nullptr;
  if (!driverStream)
    return;
  call.invoke(call.driver().hipModuleLaunchKernel, driverFunction, narrow(gridX), narrow(gridY), narrow(gridZ),
              narrow(blockX), narrow(blockY), narrow(blockZ), static_cast<unsigned>(sharedBytes), driverStream, params,
              extra);
}

void mgpuLaunchClusterKernel(MgpuFunction, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                             intptr_t, intptr_t, int32_t, MgpuStream, void **, void **, size_t) {
  ApiCall call("mgpuLaunchClusterKernel");
  if (call)
    call.refuse(kMgpuStatusInvalidValue, "the hip backend has no clusters; they are a feature of NVIDIA's devices");
}
