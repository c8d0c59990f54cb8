// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches on streams and kernel nodes have in common.

#ifndef LOCKSTEP_RUNTIME_HIP_LAUNCHES_H
#define LOCKSTEP_RUNTIME_HIP_LAUNCHES_H

#include "runtime-hip/ApiCall.h"

namespace lockstep::hip {

struct Extent {
  const char *name;
  intptr_t values[3];
};

/// The driver takes 32-bit extents; cutting a larger or negative one down would launch something else. False with the
/// failure recorded.
bool checkExtents(ApiCall &call, std::initializer_list<Extent> extents, int32_t sharedBytes);

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_LAUNCHES_H
