// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_DOCTORCOMMAND_H
#define LOCKSTEP_HARNESS_DOCTORCOMMAND_H

#include "harness/ExitStatus.h"

namespace lockstep::harness {

/// Prints what this machine has and what it lacks. Ends with kExitEnvironment where no simulated driver can be used.
ExitStatus doctorCommand();

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_DOCTORCOMMAND_H
