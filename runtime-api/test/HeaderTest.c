// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The headers as a C program sees them. Called by HeaderTest.cpp, which compares sizes with C++.

#include "runtime-api/Mgpu.h"

#include "runtime-api/DriverControl.h"

size_t lockstepSizesInC(size_t index);

size_t lockstepSizesInC(size_t index) {
  switch (index) {
  case 0:
    return sizeof(MgpuStatus);
  case 1:
    return sizeof(MgpuDriverInfo);
  case 2:
    return sizeof(MgpuCallRecord);
  case 3:
    return sizeof(MgpuRecorder);
  case 4:
    return sizeof(MgpuMemRef);
  case 5:
    return sizeof(LockstepSimFinding);
  default:
    return 0;
  }
}
