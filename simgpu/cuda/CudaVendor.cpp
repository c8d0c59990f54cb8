// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/core/Vendor.h"

const lockstep::simgpu::Vendor &lockstep::simgpu::vendor() {
  static const Vendor cuda;
  return cuda;
}
