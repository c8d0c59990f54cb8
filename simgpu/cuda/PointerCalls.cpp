// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about addresses and about memory pools.

#include "simgpu/core/PointerApi.h"
#include "simgpu/core/PoolApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
  return run(__func__, Needs::Context, [&](Call &call) {
    return getPointerAttribute(call, address, static_cast<PointerAttribute>(attribute), data);
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
  return run(__func__, Needs::Context, [&](Call &call) {
    return getPointerAttributes(call, address, count, reinterpret_cast<const PointerAttribute *>(attributes), data);
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    return getPoolAttribute(call, toNumber(pool), static_cast<PoolAttribute>(attribute), value);
  });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    return setPoolAttribute(call, toNumber(pool), static_cast<PoolAttribute>(attribute), value);
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return run(__func__, Needs::Driver, [&](Call &call) { return trimPool(call, toNumber(pool), bytes); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return runWithResult(__func__, Needs::Driver, pool,
                       [&](Call &call, uint64_t &handle) { return getPool(call, device, handle); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) { return cuDeviceGetDefaultMemPool(pool, device); }

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return run(__func__, Needs::Driver, [&](Call &call) { return trimGraphMemory(call, device); });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    return getGraphMemoryAttribute(call, device, static_cast<GraphMemoryAttribute>(attribute), value);
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    return setGraphMemoryAttribute(call, device, static_cast<GraphMemoryAttribute>(attribute), value);
  });
}

} // namespace lockstep::simgpu::cuda
