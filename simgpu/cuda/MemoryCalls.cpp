// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, release and questions about memory.

#include "simgpu/core/MemoryApi.h"
#include "simgpu/core/PointerApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

CUresult cuMemGetInfo_v2(size_t *freeBytes, size_t *totalBytes) {
  return run(__func__, Needs::Context, [&](Call &call) {
    if (!freeBytes || !totalBytes)
      return call.report(Status::InvalidValue, "errors", "", "a pointer to a result is null");
    *totalBytes = call.machine.memory.getLimitBytes();
    *freeBytes = *totalBytes - call.machine.memory.getUsedBytes(call.context->deviceOrdinal);
    return Status::Success;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    return allocateMemory(call, MemoryKind::Device, bytes, value);
  });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t widthBytes, size_t height,
                            unsigned elementBytes) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    if (!pitch || (elementBytes != 4 && elementBytes != 8 && elementBytes != 16))
      return call.report(Status::InvalidValue, "errors", "",
                         pitch ? "the element size must be 4, 8 or 16" : "the pointer to the pitch is null");
    return allocatePitched(call, widthBytes, height, *pitch, value);
  });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return run(__func__, Needs::Context, [&](Call &call) { return freeMemory(call, address); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  return run(__func__, Needs::Context, [&](Call &call) {
    uint64_t start = 0, sizeBytes = 0;
    Status status = getAddressRange(call, address, start, sizeBytes);
    if (base && status == Status::Success)
      *base = start;
    if (bytes && status == Status::Success)
      *bytes = sizeBytes;
    return status;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
      return call.report(Status::InvalidValue, "errors", "", "flags must be attach-global or attach-host");
    return allocateMemory(call, MemoryKind::Managed, bytes, value);
  });
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    const std::shared_ptr<MemoryPool> &pool = call.machine.devices[call.context->deviceOrdinal].pool;
    return allocateAsync(call, bytes, pool, toNumber(stream), value);
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool handle, CUstream stream) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    Status status;
    auto pool = call.resolve<MemoryPool>(toNumber(handle), HandleKind::MemoryPool, "pool", status);
    return pool ? allocateAsync(call, bytes, pool, toNumber(stream), value) : status;
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return run(__func__, Needs::Context, [&](Call &call) { return freeAsync(call, address, toNumber(stream)); });
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    Status status =
        checkFlags(call, flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED);
    return status == Status::Success ? allocateMemory(call, MemoryKind::HostAllocated, bytes, value) : status;
  });
}

CUresult cuMemAllocHost_v2(void **address, size_t bytes) {
  return runWithResult(__func__, Needs::Context, address, [&](Call &call, uint64_t &value) {
    return allocateMemory(call, MemoryKind::HostAllocated, bytes, value);
  });
}

CUresult cuMemFreeHost(void *address) {
  return run(__func__, Needs::Context, [&](Call &call) { return freeHost(call, toNumber(address)); });
}

CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) {
    Status status = checkFlags(call, flags,
                               CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                                   CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY);
    return status == Status::Success ? registerHost(call, toNumber(address), bytes) : status;
  });
}

CUresult cuMemHostUnregister(void *address) {
  return run(__func__, Needs::Context, [&](Call &call) { return unregisterHost(call, toNumber(address)); });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *deviceAddress, void *address, unsigned flags) {
  return runWithResult(__func__, Needs::Context, deviceAddress, [&](Call &call, uint64_t &value) {
    Status status = checkFlags(call, flags, 0);
    value = toNumber(address); // Host and device see pinned memory at the same address.
    if (status == Status::Success)
      findPinned(call, value, status);
    return status;
  });
}

CUresult cuMemHostGetFlags(unsigned *flags, void *address) {
  return runWithResult(__func__, Needs::Context, flags, [&](Call &call, uint64_t &value) {
    value = CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE;
    Status status;
    findPinned(call, toNumber(address), status);
    return status;
  });
}

} // namespace lockstep::simgpu::cuda
