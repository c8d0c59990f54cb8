// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Contexts.h"

using namespace lockstep::cuda;
using lockstep::runtime::Failure;

CUcontext Contexts::get(const Driver &driver, int32_t device, Failure &failure) {
  if (device < 0 || device >= driver.deviceCount() || device >= kDeviceCountMax) {
    failure.kind = kMgpuStatusInvalidValue;
    failure.detail =
        "there is no device " + std::to_string(device) + "; the driver reports " + std::to_string(driver.deviceCount());
    return nullptr;
  }
  std::atomic<CUcontext> &slot = contexts[device];
  if (CUcontext context = slot.load(std::memory_order_acquire))
    return context;
  std::lock_guard<std::mutex> lock(mutex);
  if (CUcontext context = slot.load(std::memory_order_acquire))
    return context;
  CUdevice handle = 0;
  CUresult result = driver.cuDeviceGet(&handle, device);
  if (result != CUDA_SUCCESS) {
    failure = driver.describe("cuDeviceGet", result);
    return nullptr;
  }
  CUcontext context = nullptr;
  result = driver.cuDevicePrimaryCtxRetain(&context, handle);
  if (result != CUDA_SUCCESS) {
    failure = driver.describe("cuDevicePrimaryCtxRetain", result);
    return nullptr;
  }
  slot.store(context, std::memory_order_release);
  return context;
}

void Contexts::forget() {
  for (std::atomic<CUcontext> &slot : contexts)
    slot.store(nullptr, std::memory_order_release);
}

std::array<CUcontext, Contexts::kDeviceCountMax> Contexts::retained() const {
  std::array<CUcontext, kDeviceCountMax> result{};
  for (int device = 0; device < kDeviceCountMax; ++device)
    result[device] = contexts[device].load(std::memory_order_acquire);
  return result;
}

bool ContextScope::leave(Failure &failure) {
  if (!pushedOn)
    return true;
  const Driver &driver = *pushedOn;
  pushedOn = nullptr;
  CUcontext popped = nullptr;
  CUresult result = driver.cuCtxPopCurrent(&popped);
  if (result == CUDA_SUCCESS)
    return true;
  failure = driver.describe("cuCtxPopCurrent", result);
  return false;
}

bool ContextScope::enter(const Driver &driver, CUcontext context, Failure &failure) {
  CUcontext current = nullptr;
  CUresult result = driver.cuCtxGetCurrent(&current);
  if (result != CUDA_SUCCESS) {
    failure = driver.describe("cuCtxGetCurrent", result);
    return false;
  }
  if (current == context)
    return true;
  if (!leave(failure))
    return false;
  result = driver.cuCtxPushCurrent(context);
  if (result != CUDA_SUCCESS) {
    failure = driver.describe("cuCtxPushCurrent", result);
    return false;
  }
  // A thread that has no context keeps this one, as it would with the CUDA runtime: its next call need not push.
  if (current)
    pushedOn = &driver;
  return true;
}
