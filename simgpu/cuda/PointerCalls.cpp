// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about addresses and about memory pools.

#include "simgpu/core/MemoryApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

/// Writes one attribute of an allocation.
static Status writeAttribute(Call &call, void *data, CUpointer_attribute attribute, const Allocation &allocation,
                             CUdeviceptr address) {
  std::shared_ptr<Context> owner = allocation.context.lock();
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    *static_cast<CUcontext *>(data) = toHandle<CUcontext>(owner ? owner->handle : 0);
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned *>(data) = allocation.isHost() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<CUdeviceptr *>(data) = address;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (allocation.isInArena())
      return Status::InvalidValue;
    *static_cast<void **>(data) = reinterpret_cast<void *>(address);
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    *static_cast<unsigned long long *>(data) = allocation.ordinal;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned *>(data) = allocation.kind == MemoryKind::Managed;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(data) = allocation.deviceOrdinal;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    *static_cast<CUdeviceptr *>(data) = allocation.address;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    *static_cast<size_t *>(data) = allocation.sizeBytes;
    return Status::Success;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *static_cast<unsigned *>(data) = 1;
    return Status::Success;
  }
  return call.report(Status::NotSupported, "errors", "",
                     "attribute " + std::to_string(attribute) + " is not supported");
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
  return run(__func__, Needs::Context, [&](Call &call) {
    if (!data)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    // Asking about pageable memory is a legal way to tell it apart: an error, and no finding.
    Status status;
    AllocationPtr allocation = findLive(call, address, "ptr", status);
    return allocation ? writeAttribute(call, data, attribute, *allocation, address) : Status::InvalidValue;
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
  return run(__func__, Needs::Context, [&](Call &call) {
    if (!attributes || !data)
      return call.report(Status::InvalidValue, "errors", "", "a pointer is null");
    Status status;
    AllocationPtr allocation = findLive(call, address, "ptr", status);
    if (!allocation && call.machine.memory.find(address))
      return Status::InvalidValue;
    // For pageable memory this call succeeds, and every answer is zero.
    Allocation pageable;
    for (unsigned i = 0; i < count; ++i) {
      if (allocation)
        status = writeAttribute(call, data[i], attributes[i], *allocation, address);
      else if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED)
        *static_cast<unsigned *>(data[i]) = 0;
      else
        status = writeAttribute(call, data[i], attributes[i], pageable, 0);
      if (status == Status::NotSupported)
        return status;
    }
    return Status::Success;
  });
}

/// The pool's number behind an attribute, or null where it cannot be read.
static std::optional<uint64_t> readPool(const MemoryPool &pool, CUmemPool_attribute attribute) {
  switch (attribute) {
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    return pool.releaseThresholdBytes;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    return pool.usedBytes + pool.idleBytes;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    return pool.reservedHighBytes;
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
    return pool.usedBytes;
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    return pool.usedHighBytes;
  default:
    return std::nullopt;
  }
}

static bool isReuseSwitch(CUmemPool_attribute attribute) {
  return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

/// Resolves the pool, checks `value`, then runs `body`.
template <typename Body>
static CUresult runOnPool(const char *name, CUmemoryPool handle, const void *value, Body body) {
  return run(name, Needs::Driver, [&](Call &call) {
    Status status;
    auto pool = call.resolve<MemoryPool>(toNumber(handle), HandleKind::MemoryPool, "pool", status);
    if (!pool)
      return status;
    if (!value)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the value is null");
    return body(call, *pool);
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return runOnPool(__func__, pool, value, [&](Call &call, MemoryPool &object) {
    if (isReuseSwitch(attribute)) {
      *static_cast<int *>(value) = object.reuseSwitches[attribute - 1];
      return Status::Success;
    }
    std::optional<uint64_t> number = readPool(object, attribute);
    if (!number)
      return call.report(Status::InvalidValue, "errors", "", "unknown attribute " + std::to_string(attribute));
    *static_cast<uint64_t *>(value) = *number;
    return Status::Success;
  });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return runOnPool(__func__, pool, value, [&](Call &call, MemoryPool &object) {
    if (isReuseSwitch(attribute))
      object.reuseSwitches[attribute - 1] = *static_cast<int *>(value) != 0;
    else if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
      object.releaseThresholdBytes = *static_cast<uint64_t *>(value);
    else if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH && *static_cast<uint64_t *>(value) == 0)
      object.reservedHighBytes = object.usedBytes + object.idleBytes;
    else if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH && *static_cast<uint64_t *>(value) == 0)
      object.usedHighBytes = object.usedBytes;
    else
      return call.report(Status::InvalidValue, "errors", "",
                         "attribute " + std::to_string(attribute) + " cannot be set to this");
    return Status::Success;
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return runOnPool(__func__, pool, &bytes, [&](Call &, MemoryPool &object) {
    object.trimTo(bytes);
    return Status::Success;
  });
}

} // namespace lockstep::simgpu::cuda
