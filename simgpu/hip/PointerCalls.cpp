// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about addresses and about memory pools.

#include "simgpu/core/MemoryApi.h"
#include "simgpu/core/PointerApi.h"
#include "simgpu/core/PoolApi.h"
#include "simgpu/hip/Facade.h"

namespace lockstep::simgpu::hip {

static hipMemoryType typeOf(const Allocation &allocation) {
  if (allocation.kind == MemoryKind::Managed)
    return hipMemoryTypeManaged;
  return allocation.isHost() ? hipMemoryTypeHost : hipMemoryTypeDevice;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address) {
  static constexpr int noDevice = -2; // hipInvalidDeviceId
  return run(__func__, [&](Call &call) {
    if (!attributes)
      return refuseNull(call);
    Status status;
    AllocationPtr allocation = findLive(call, toNumber(address), "ptr", status);
    if (!allocation && call.machine.memory.find(toNumber(address)))
      return status;
    *attributes = {hipMemoryTypeUnregistered, noDevice, nullptr, nullptr, 0, 0};
    if (!allocation) // Pageable memory: an answer, not an error.
      return Status::Success;
    void *same = const_cast<void *>(address);
    bool isManaged = allocation->kind == MemoryKind::Managed;
    *attributes = {
        typeOf(*allocation), allocation->deviceOrdinal, same, allocation->isInArena() ? nullptr : same, isManaged, 0};
    return Status::Success;
  });
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t address) {
  return run(__func__, [&](Call &call) {
    return getPointerAttribute(call, toNumber(address), static_cast<PointerAttribute>(attribute), data);
  });
}

hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t address) {
  return run(__func__, [&](Call &call) {
    return getPointerAttributes(call, toNumber(address), count, reinterpret_cast<const PointerAttribute *>(attributes),
                                data);
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *bytes, hipDeviceptr_t address) {
  return run(__func__, [&](Call &call) {
    uint64_t start = 0, sizeBytes = 0;
    Status status = getAddressRange(call, toNumber(address), start, sizeBytes);
    if (base && status == Status::Success)
      *base = toHandle<void *>(start);
    if (bytes && status == Status::Success)
      *bytes = sizeBytes;
    return status;
  });
}

hipError_t hipMemPtrGetInfo(void *address, size_t *bytes) {
  return runWithResult(__func__, bytes, [&](Call &call, uint64_t &value) {
    uint64_t start = 0;
    return getAddressRange(call, toNumber(address), start, value);
  });
}

hipError_t hipHostGetDevicePointer(void **deviceAddress, void *address, unsigned flags) {
  return runWithResult(__func__, deviceAddress, [&](Call &call, uint64_t &value) {
    Status status = checkFlags(call, flags, 0);
    value = toNumber(address); // Host and device see pinned memory at the same address.
    if (status == Status::Success)
      findPinned(call, value, status);
    return status;
  });
}

hipError_t hipHostGetFlags(unsigned *flags, void *address) {
  return runWithResult(__func__, flags, [&](Call &call, uint64_t &value) {
    value = hipHostMallocPortable | hipHostMallocMapped;
    Status status;
    findPinned(call, toNumber(address), status);
    return status;
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device) {
  return runWithResult(__func__, pool, [&](Call &call, uint64_t &handle) { return getPool(call, device, handle); });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device) {
  return runWithResult(__func__, pool, [&](Call &call, uint64_t &handle) { return getPool(call, device, handle); });
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value) {
  return run(__func__, [&](Call &call) {
    return getPoolAttribute(call, toNumber(pool), static_cast<PoolAttribute>(attribute), value);
  });
}
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value) {
  return run(__func__, [&](Call &call) {
    return setPoolAttribute(call, toNumber(pool), static_cast<PoolAttribute>(attribute), value);
  });
}
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes) {
  return run(__func__, [&](Call &call) { return trimPool(call, toNumber(pool), bytes); });
}

hipError_t hipDeviceGraphMemTrim(int device) {
  return run(__func__, [&](Call &call) { return trimGraphMemory(call, device); });
}
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void *value) {
  return run(__func__, [&](Call &call) {
    return getGraphMemoryAttribute(call, device, static_cast<GraphMemoryAttribute>(attribute), value);
  });
}
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void *value) {
  return run(__func__, [&](Call &call) {
    return setGraphMemoryAttribute(call, device, static_cast<GraphMemoryAttribute>(attribute), value);
  });
}

} // namespace lockstep::simgpu::hip
