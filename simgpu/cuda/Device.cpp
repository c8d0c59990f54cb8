// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver itself, its errors, and its devices.

#include "simgpu/core/ContextApi.h"
#include "simgpu/cuda/Facade.h"

#include <cstdio>
#include <cstring>

namespace lockstep::simgpu::cuda {

static constexpr int driverVersion = 13000;

#define LOCKSTEP_CUDA_RESULT(name, number, text) static_assert(name == number);
#include "simgpu/cuda/CudaResults.def"
static_assert(CUDA_ERROR_ILLEGAL_ADDRESS == CUresult(Status::IllegalAddress));
static_assert(CUDA_ERROR_CONTEXT_IS_DESTROYED == CUresult(Status::ContextIsDestroyed));
static_assert(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED == CUresult(Status::HostMemoryAlreadyRegistered));
static_assert(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES == CUresult(Status::LaunchOutOfResources));
static_assert(CUDA_ERROR_NOT_SUPPORTED == CUresult(Status::NotSupported));
static_assert(CUDA_ERROR_NOT_READY == CUresult(Status::NotReady));
static_assert(CUDA_ERROR_INVALID_IMAGE == CUresult(Status::InvalidImage));
static_assert(CUDA_ERROR_FILE_NOT_FOUND == CUresult(Status::FileNotFound));

CUresult cuInit(unsigned flags) {
  return run(__func__, Needs::Nothing, [&](Call &call) {
    if (flags != 0)
      return call.report(Status::InvalidValue, "errors", "", "flags must be 0");
    if (call.machine.devices.empty())
      return Status::NoDevice;
    call.machine.isInitialized = true;
    return Status::Success;
  });
}

CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = driverVersion;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult result, const char **name) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define LOCKSTEP_CUDA_RESULT(code, number, text)                                                                       \
  case code:                                                                                                           \
    *name = #code;                                                                                                     \
    return CUDA_SUCCESS;
#include "simgpu/cuda/CudaResults.def"
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define LOCKSTEP_CUDA_RESULT(code, number, description)                                                                \
  case code:                                                                                                           \
    *text = description;                                                                                               \
    return CUDA_SUCCESS;
#include "simgpu/cuda/CudaResults.def"
  }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

/// Checks the device and the pointer to the result, then runs `body`.
template <typename Result, typename Body>
static CUresult queryDevice(const char *name, CUdevice device, Result *result, Body body) {
  return run(name, Needs::Driver, [&](Call &call) {
    Status status = checkDevice(call, device);
    if (status != Status::Success)
      return status;
    if (!result)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    return body(call);
  });
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return queryDevice(__func__, ordinal, device, [&](Call &) {
    *device = ordinal;
    return Status::Success;
  });
}

CUresult cuDeviceGetCount(int *count) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    if (!count)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    *count = static_cast<int>(call.machine.devices.size());
    return Status::Success;
  });
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  return queryDevice(__func__, device, name, [&](Call &call) {
    if (length <= 0)
      return call.report(Status::InvalidValue, "errors", "", "length must be positive");
    snprintf(name, static_cast<size_t>(length), "Lockstep simulated GPU");
    return Status::Success;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return queryDevice(__func__, device, uuid, [&](Call &) {
    memcpy(uuid->bytes, "lockstep-sim-00", 16);
    uuid->bytes[15] = static_cast<char>(device);
    return Status::Success;
  });
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  return queryDevice(__func__, device, bytes, [&](Call &call) {
    *bytes = call.machine.memory.getLimitBytes();
    return Status::Success;
  });
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return queryDevice(__func__, device, value, [&](Call &call) {
    if (attribute == 0 || attribute >= deviceAttributeEnd)
      return call.report(Status::InvalidValue, "errors", "", "unknown attribute " + std::to_string(attribute));
    *value = 0;
    switch (attribute) {
#define LOCKSTEP_CUDA_DEVICE_ATTRIBUTE(name, number, answer)                                                           \
  case CU_DEVICE_ATTRIBUTE_##name:                                                                                     \
    *value = answer;                                                                                                   \
    break;
#include "simgpu/cuda/CudaDeviceAttributes.def"
    default: // Known to the vendor's interface, and something that this device does not have.
      break;
    }
    return Status::Success;
  });
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  return queryDevice(__func__, device, id, [&](Call &call) {
    if (length <= 0)
      return call.report(Status::InvalidValue, "errors", "", "length must be positive");
    snprintf(id, static_cast<size_t>(length), "0000:%02x:00.0", device);
    return Status::Success;
  });
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return queryDevice(__func__, device, major && minor ? major : nullptr, [&](Call &) {
    *major = 8;
    *minor = 0;
    return Status::Success;
  });
}

CUresult cuDeviceCanAccessPeer(int *answer, CUdevice device, CUdevice peer) {
  return queryDevice(__func__, device, answer, [&](Call &call) {
    *answer = 0;
    return checkDevice(call, peer);
  });
}

} // namespace lockstep::simgpu::cuda
