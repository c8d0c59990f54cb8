// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Contexts.h"

using namespace lockstep::hip;
using lockstep::runtime::Failure;

bool Contexts::use(const Driver &driver, int32_t device, Failure &failure) {
  if (device < 0 || device >= driver.deviceCount() || device >= kDeviceCountMax) {
    failure.kind = kMgpuStatusInvalidValue;
    failure.detail =
        "there is no device " + std::to_string(device) + "; the driver reports " + std::to_string(driver.deviceCount());
    return false;
  }
  used[device].store(true, std::memory_order_release);
  return true;
}

void Contexts::forget() {
  for (std::atomic<bool> &slot : used)
    slot.store(false, std::memory_order_release);
}

bool ContextScope::leave(Failure &failure) {
  if (!changedOn)
    return true;
  const Driver &driver = *changedOn;
  changedOn = nullptr;
  hipError_t result = driver.hipSetDevice(previous);
  if (result == hipSuccess)
    return true;
  failure = driver.describe("hipSetDevice", result);
  return false;
}

bool ContextScope::enter(const Driver &driver, int32_t device, Failure &failure) {
  int current = 0;
  hipError_t result = driver.hipGetDevice(&current);
  if (result != hipSuccess) {
    failure = driver.describe("hipGetDevice", result);
    return false;
  }
  if (current == device)
    return true;
  if (!changedOn)
    previous = current;
  result = driver.hipSetDevice(device);
  if (result != hipSuccess) {
    failure = driver.describe("hipSetDevice", result);
    return false;
  }
  changedOn = &driver;
  return true;
}
