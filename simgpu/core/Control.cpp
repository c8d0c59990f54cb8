// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control surface of runtime-api/DriverControl.h.

#include "simgpu/core/Machine.h"
#include "simgpu/core/Thread.h"

#include "runtime-api/DriverControl.h"

using namespace lockstep::simgpu;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT uint32_t lockstepSimInterfaceVersion() { return LOCKSTEP_SIM_INTERFACE_VERSION; }

EXPORT const char *lockstepSimReset(const char *config) { return Machine::get().reset(config); }

EXPORT size_t lockstepSimFinish() {
  Machine &machine = Machine::get();
  Lock lock(machine.mutex);
  machine.finish();
  return machine.findings.count();
}

EXPORT size_t lockstepSimFindingCount() {
  Machine &machine = Machine::get();
  Lock lock(machine.mutex);
  return machine.findings.count();
}

EXPORT int lockstepSimFinding(size_t index, LockstepSimFinding *finding) {
  Machine &machine = Machine::get();
  Lock lock(machine.mutex);
  if (!finding || index >= machine.findings.count())
    return 1;
  const Finding &found = machine.findings.at(index);
  *finding = {found.oracle.c_str(), found.rule.c_str(), found.call.c_str(), found.message.c_str(), found.op.c_str()};
  return 0;
}

EXPORT int lockstepSimInjectFailure(uint32_t result, uint64_t callCount) {
  if (result == 0 || callCount == 0)
    return 1;
  Machine &machine = Machine::get();
  Lock lock(machine.mutex);
  machine.injectFailure(static_cast<Status>(result), callCount);
  return 0;
}

EXPORT void lockstepSimSetOp(const char *op) { ThreadState::get().op = op ? op : ""; }

EXPORT uint64_t lockstepSimTraceHash() {
  Machine &machine = Machine::get();
  Lock lock(machine.mutex);
  return machine.engine.getTrace().getHash();
}

EXPORT int lockstepSimTraceWrite(const char *path) {
  Machine &machine = Machine::get();
  Lock lock(machine.mutex);
  return machine.engine.getTrace().write(path);
}

namespace {
/// A wrong environment variable ends the process at load, not at the first call.
[[maybe_unused]] const bool isReady = (Machine::get(), true);
} // namespace
