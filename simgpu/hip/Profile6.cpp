// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP 6.

#include "simgpu/core/Vendor.h"
#include "simgpu/hip/Facade.h"

using namespace lockstep::simgpu;

const Vendor &lockstep::simgpu::vendor() {
  static const Vendor hip = [] {
    Vendor v = hip::commonVendor();
    v.freeOfPoolMemoryWaits = true;
    v.waitsInvalidateGlobalCaptures = true;
    v.faultAborts = true;
    v.emptyGrid = Status::InvalidConfiguration;
    v.tooManyThreads = Status::InvalidValue;
    return v;
  }();
  return hip;
}

const hip::Profile &lockstep::simgpu::hip::profile() {
  static constexpr Profile profile = {60400000, /*hasMemsetParams7=*/false, /*successForgetsErrors=*/true};
  return profile;
}
