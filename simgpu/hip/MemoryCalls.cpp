// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation and page-locking.

#include "simgpu/core/MemoryApi.h"
#include "simgpu/hip/Facade.h"

namespace lockstep::simgpu::hip {

hipError_t hipMalloc(void **address, size_t bytes) {
  return runWithResult(__func__, address, [&](Call &call, uint64_t &value) {
    return allocateMemory(call, MemoryKind::Device, bytes, value);
  });
}

hipError_t hipMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  return runWithResult(__func__, address, [&](Call &call, uint64_t &value) {
    return pitch ? allocatePitched(call, width, height, *pitch, value) : refuseNull(call);
  });
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *address, size_t *pitch, size_t width, size_t height,
                            unsigned elementBytes) {
  return runWithResult(__func__, address, [&](Call &call, uint64_t &value) {
    if (elementBytes != 4 && elementBytes != 8 && elementBytes != 16)
      return call.report(Status::InvalidValue, "errors", "", "the element size must be 4, 8 or 16");
    return pitch ? allocatePitched(call, width, height, *pitch, value) : refuseNull(call);
  });
}

hipError_t hipMalloc3D(hipPitchedPtr *pitched, hipExtent extent) {
  return run(__func__, [&](Call &call) {
    if (!pitched)
      return refuseNull(call);
    uint64_t address = 0;
    size_t pitch = 0;
    Status status = allocatePitched(call, extent.width, extent.height * extent.depth, pitch, address);
    if (status == Status::Success)
      *pitched = {toHandle<void *>(address), pitch, extent.width, extent.height};
    return status;
  });
}

hipError_t hipFree(void *address) {
  return run(__func__, [&](Call &call) { return freeMemory(call, toNumber(address)); });
}

hipError_t hipMallocManaged(void **address, size_t bytes, unsigned flags) {
  return runWithResult(__func__, address, [&](Call &call, uint64_t &value) {
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost)
      return call.report(Status::InvalidValue, "errors", "", "flags must be attach-global or attach-host");
    return allocateMemory(call, MemoryKind::Managed, bytes, value);
  });
}

hipError_t hipMallocAsync(void **address, size_t bytes, hipStream_t stream) {
  return runWithResult(__func__, address, [&](Call &call, uint64_t &value) {
    const std::shared_ptr<MemoryPool> &pool = call.machine.devices[call.context->deviceOrdinal].pool;
    return allocateAsync(call, bytes, pool, toNumber(stream), value);
  });
}

hipError_t hipFreeAsync(void *address, hipStream_t stream) {
  return run(__func__, [&](Call &call) { return freeAsync(call, toNumber(address), toNumber(stream)); });
}

hipError_t hipMallocFromPoolAsync(void **address, size_t bytes, hipMemPool_t handle, hipStream_t stream) {
  return runWithResult(__func__, address, [&](Call &call, uint64_t &value) {
    Status status;
    auto pool = call.resolve<MemoryPool>(toNumber(handle), HandleKind::MemoryPool, "pool", status);
    return pool ? allocateAsync(call, bytes, pool, toNumber(stream), value) : status;
  });
}

static hipError_t allocateHost(const char *name, void **address, size_t bytes, unsigned flags) {
  return runWithResult(name, address, [&](Call &call, uint64_t &value) {
    Status status = checkFlags(call, flags,
                               hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                                   hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent);
    return status == Status::Success ? allocateMemory(call, MemoryKind::HostAllocated, bytes, value) : status;
  });
}

hipError_t hipHostMalloc(void **address, size_t bytes, unsigned flags) {
  return allocateHost(__func__, address, bytes, flags);
}
hipError_t hipHostAlloc(void **address, size_t bytes, unsigned flags) {
  return allocateHost(__func__, address, bytes, flags);
}
hipError_t hipMallocHost(void **address, size_t bytes) { return allocateHost(__func__, address, bytes, 0); }
hipError_t hipMemAllocHost(void **address, size_t bytes) { return allocateHost(__func__, address, bytes, 0); }

static hipError_t releaseHost(const char *name, void *address) {
  return run(name, [&](Call &call) { return address ? freeHost(call, toNumber(address)) : Status::Success; });
}

hipError_t hipHostFree(void *address) { return releaseHost(__func__, address); }
hipError_t hipFreeHost(void *address) { return releaseHost(__func__, address); }

hipError_t hipHostRegister(void *address, size_t bytes, unsigned flags) {
  return run(__func__, [&](Call &call) {
    Status status = checkFlags(call, flags, hipHostRegisterPortable | hipHostRegisterMapped);
    return status == Status::Success ? registerHost(call, toNumber(address), bytes) : status;
  });
}

hipError_t hipHostUnregister(void *address) {
  return run(__func__, [&](Call &call) { return unregisterHost(call, toNumber(address)); });
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  return run(__func__, [&](Call &call) {
    if (!free || !total)
      return refuseNull(call);
    *total = call.machine.memory.getLimitBytes();
    *free = *total - call.machine.memory.getUsedBytes(call.context->deviceOrdinal);
    return Status::Success;
  });
}

} // namespace lockstep::simgpu::hip
