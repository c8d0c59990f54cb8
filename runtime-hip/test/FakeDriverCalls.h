// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the fake HIP runtime share.

#ifndef LOCKSTEP_RUNTIME_HIP_TEST_FAKEDRIVERCALLS_H
#define LOCKSTEP_RUNTIME_HIP_TEST_FAKEDRIVERCALLS_H

#include "runtime-hip/HipApi.h"

#include <string>

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace lockstep::hip {

/// Appends to FakeDriver::calls.
void note(std::string call);

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_TEST_FAKEDRIVERCALLS_H
