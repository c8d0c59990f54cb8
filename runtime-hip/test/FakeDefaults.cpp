// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of the table, as one that only notes its name. Those that do more are in FakeDriver.cpp and stand in
// place of these.

#include "runtime-hip/test/FakeDriverCalls.h"

namespace lockstep::hip {
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS)                                                       \
  FAKE_EXPORT __attribute__((weak)) hipError_t NAME PARAMETERS {                                                       \
    note(#NAME);                                                                                                       \
    return hipSuccess;                                                                                                 \
  }
#include "runtime-hip/DriverSymbols.def"
} // namespace lockstep::hip
