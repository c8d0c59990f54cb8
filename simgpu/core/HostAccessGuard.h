// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notices host code that touches device memory.

#ifndef LOCKSTEP_SIMGPU_CORE_HOSTACCESSGUARD_H
#define LOCKSTEP_SIMGPU_CORE_HOSTACCESSGUARD_H

namespace lockstep::simgpu {

class Machine;

/// Installs a handler for SIGSEGV and SIGBUS, once a process. For a fault of host code inside the arena it prints one
/// line on standard error and keeps a finding; in every case it then hands the signal to the handler that was there
/// before, or to the default action.
void installHostAccessGuard(Machine &machine);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_HOSTACCESSGUARD_H
