// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a failure takes with it (async-semantics 5.8, ERROR-1). The one place that knows.

#ifndef LOCKSTEP_SIMGPU_CORE_FAILUREREACH_H
#define LOCKSTEP_SIMGPU_CORE_FAILUREREACH_H

#include "simgpu/core/Status.h"

namespace lockstep::simgpu {

enum class FailureReach : uint8_t {
  Call,          ///< The call that gives it, and nothing else.
  Context,       ///< Every later call in the context. The memory stays.
  ContextMemory, ///< The same, and the memory of the context is gone.
  Process,       ///< Every later call in every context, until the process (here: the machine) starts afresh.
};

constexpr FailureReach reachOf(Status status) {
  switch (static_cast<uint32_t>(status)) {
  case 226: // contained
  case 700: // illegal address
  case 702: // launch timeout
  case 714: // hardware stack error
  case 715: // illegal instruction
  case 716: // misaligned address
  case 717: // invalid address space
  case 718: // invalid program counter
  case 719: // launch failed
  case 721: // tensor memory leak
  case 810: // client terminated by its server
  case 911: // external device
    return FailureReach::Process;
  case 710: // assert
    return FailureReach::ContextMemory;
  case 214: // uncorrectable ECC error
  case 220: // uncorrectable NVLink error
    // The documentation names no reach. What ran in the context is not to be trusted, so it ends here.
    return FailureReach::Context;
  default:
    return FailureReach::Call;
  }
}

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_FAILUREREACH_H
