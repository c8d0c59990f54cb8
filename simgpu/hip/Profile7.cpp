// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP 7.

#include "simgpu/core/Vendor.h"
#include "simgpu/hip/Facade.h"

using namespace lockstep::simgpu;

const Vendor &lockstep::simgpu::vendor() {
  static const Vendor hip = [] {
    Vendor v = hip::commonVendor();
    v.freeOfPoolMemoryWaits = false;
    v.emptyGrid = Status::InvalidValue;
    v.tooManyThreads = Status::InvalidConfiguration;
    return v;
  }();
  return hip;
}

const hip::Profile &lockstep::simgpu::hip::profile() {
  static constexpr Profile profile = {70000000, /*hasMemsetParams7=*/true, /*successForgetsErrors=*/false};
  return profile;
}
