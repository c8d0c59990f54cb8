// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What devices are like.

#include "simgpu/core/ModuleApi.h"
#include "simgpu/hip/Facade.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace lockstep::simgpu::hip {

static const char *const architectureName = "gfx90a";

/// 0 for what the device does not have.
static int attributeOf(hipDeviceAttribute_t attribute) {
  switch (attribute) {
#define LOCKSTEP_HIP_DEVICE_ATTRIBUTE(name, number, value)                                                             \
  case hipDeviceAttribute##name:                                                                                       \
    return static_cast<int>(value);
#include "simgpu/hip/HipDeviceAttributes.def"
  default:
    return 0;
  }
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
  return queryDevice(__func__, device, value, [&](Call &call) {
    constexpr int first = 0, lastCommon = 91, firstOfVendor = 10000, lastOfVendor = 10030;
    bool isKnown =
        (attribute >= first && attribute <= lastCommon) || (attribute >= firstOfVendor && attribute <= lastOfVendor);
    if (!isKnown)
      return call.report(Status::InvalidValue, "errors", "", "unknown attribute " + std::to_string(attribute));
    *value = attributeOf(attribute);
    return Status::Success;
  });
}

static void writeUuid(hipUUID &uuid, int device) {
  memcpy(uuid.bytes, "lockstep-sim-00", sizeof uuid.bytes);
  uuid.bytes[15] = static_cast<char>(device);
}

/// What both layouts have; the rest is 0.
template <typename Properties> static void describeDevice(Call &call, Properties &p) {
  memset(static_cast<void *>(&p), 0, sizeof p);
  snprintf(p.name, sizeof p.name, "%s", deviceName);
  snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", architectureName);
  p.totalGlobalMem = call.machine.memory.getLimitBytes();
  p.sharedMemPerBlock = sharedBytesPerBlockMax;
  p.regsPerBlock = attributeOf(hipDeviceAttributeMaxRegistersPerBlock);
  p.warpSize = attributeOf(hipDeviceAttributeWarpSize);
  p.maxThreadsPerBlock = static_cast<int>(threadsPerBlockMax);
  std::copy_n(blockDimensionMax, 3, p.maxThreadsDim);
  std::copy_n(gridDimensionMax, 3, p.maxGridSize);
  p.clockRate = attributeOf(hipDeviceAttributeClockRate);
  p.memoryClockRate = attributeOf(hipDeviceAttributeMemoryClockRate);
  p.memoryBusWidth = attributeOf(hipDeviceAttributeMemoryBusWidth);
  p.totalConstMem = static_cast<size_t>(attributeOf(hipDeviceAttributeTotalConstantMemory));
  p.major = attributeOf(hipDeviceAttributeComputeCapabilityMajor);
  p.minor = attributeOf(hipDeviceAttributeComputeCapabilityMinor);
  p.multiProcessorCount = attributeOf(hipDeviceAttributeMultiprocessorCount);
  p.l2CacheSize = attributeOf(hipDeviceAttributeL2CacheSize);
  p.maxThreadsPerMultiProcessor = attributeOf(hipDeviceAttributeMaxThreadsPerMultiProcessor);
  p.clockInstructionRate = attributeOf(hipDeviceAttributeClockInstructionRate);
  p.concurrentKernels = attributeOf(hipDeviceAttributeConcurrentKernels);
  p.maxSharedMemoryPerMultiProcessor =
      static_cast<size_t>(attributeOf(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor));
  p.canMapHostMemory = attributeOf(hipDeviceAttributeCanMapHostMemory);
  p.memPitch = static_cast<size_t>(attributeOf(hipDeviceAttributeMaxPitch));
  p.textureAlignment = static_cast<size_t>(attributeOf(hipDeviceAttributeTextureAlignment));
  p.texturePitchAlignment = static_cast<size_t>(attributeOf(hipDeviceAttributeTexturePitchAlignment));
  p.managedMemory = attributeOf(hipDeviceAttributeManagedMemory);
  p.concurrentManagedAccess = attributeOf(hipDeviceAttributeConcurrentManagedAccess);
}

static hipError_t describeOld(const char *name, hipDeviceProp_tR0000 *properties, int device) {
  return queryDevice(name, device, properties, [&](Call &call) {
    describeDevice(call, *properties);
    properties->pciBusID = device;
    return Status::Success;
  });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000 *properties, int device) {
  return describeOld(__func__, properties, device);
}
hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *properties, int device) {
  return describeOld(__func__, properties, device);
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *properties, int device) {
  return queryDevice(__func__, device, properties, [&](Call &call) {
    hipDeviceProp_tR0600 &p = *properties;
    describeDevice(call, p);
    p.pciBusID = device;
    writeUuid(p.uuid, device);
    p.deviceOverlap = attributeOf(hipDeviceAttributeDeviceOverlap);
    p.asyncEngineCount = attributeOf(hipDeviceAttributeAsyncEngineCount);
    p.unifiedAddressing = attributeOf(hipDeviceAttributeUnifiedAddressing);
    p.streamPrioritiesSupported = attributeOf(hipDeviceAttributeStreamPrioritiesSupported);
    p.sharedMemPerMultiprocessor = static_cast<size_t>(attributeOf(hipDeviceAttributeSharedMemPerMultiprocessor));
    p.regsPerMultiprocessor = attributeOf(hipDeviceAttributeMaxRegistersPerMultiprocessor);
    p.computePreemptionSupported = attributeOf(hipDeviceAttributeComputePreemptionSupported);
    p.canUseHostPointerForRegisteredMem = attributeOf(hipDeviceAttributeCanUseHostPointerForRegisteredMem);
    p.sharedMemPerBlockOptin = sharedBytesPerBlockOptInMax;
    p.maxBlocksPerMultiProcessor = attributeOf(hipDeviceAttributeMaxBlocksPerMultiProcessor);
    p.hostRegisterSupported = attributeOf(hipDeviceAttributeHostRegisterSupported);
    p.memoryPoolsSupported = attributeOf(hipDeviceAttributeMemoryPoolsSupported);
    return Status::Success;
  });
}

hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  return queryDevice(__func__, device, major && minor ? major : nullptr, [&](Call &) {
    *major = attributeOf(hipDeviceAttributeComputeCapabilityMajor);
    *minor = attributeOf(hipDeviceAttributeComputeCapabilityMinor);
    return Status::Success;
  });
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
  return queryDevice(__func__, device, uuid, [&](Call &) {
    writeUuid(*uuid, device);
    return Status::Success;
  });
}

hipError_t hipDeviceGetPCIBusId(char *id, int length, int device) {
  return queryDevice(__func__, device, id, [&](Call &call) {
    if (length <= 0)
      return call.report(Status::InvalidValue, "errors", "", "length must be positive");
    snprintf(id, static_cast<size_t>(length), "0000:%02x:00.0", device);
    return Status::Success;
  });
}

hipError_t hipDeviceCanAccessPeer(int *answer, int device, int peer) {
  return queryDevice(__func__, device, answer, [&](Call &call) {
    *answer = 0;
    return checkDevice(call, peer);
  });
}

} // namespace lockstep::simgpu::hip
