// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A built library of the simulator as a program sees it: loaded with dlopen, every function by its name. The rule tests
// use nothing else of the simulator.

#ifndef LOCKSTEP_SIMGPU_TEST_SIMULATEDLIBRARY_H
#define LOCKSTEP_SIMGPU_TEST_SIMULATEDLIBRARY_H

#include "runtime-api/DriverControl.h"

#include <string>
#include <vector>

namespace lockstep::simgpu::test {

/// The control functions, which every library has. The vendor's are added by a derived table.
struct SimulatedLibrary {
  /// Loads the library; ends the test program where that fails.
  explicit SimulatedLibrary(const char *path);

  /// The function's address; ends the test program where the library lacks it.
  void *find(const char *name) const;
  template <typename Function> void load(const char *name, Function *&function) const {
    function = reinterpret_cast<Function *>(find(name));
  }

  /// "RULE call: message" of every finding so far.
  std::vector<std::string> listFindings() const;
  /// Rules of the findings so far, in order of discovery.
  std::vector<std::string> listRules() const;

  void *library;
  LockstepSimInterfaceVersionFn interfaceVersion;
  LockstepSimResetFn reset;
  LockstepSimFinishFn finish;
  LockstepSimFindingCountFn findingCount;
  LockstepSimFindingFn finding;
  LockstepSimSetOpFn setOp;
  LockstepSimInjectFailureFn injectFailure;
  LockstepSimTraceHashFn traceHash;
  LockstepSimTraceWriteFn traceWrite;

private:
  std::vector<LockstepSimFinding> readFindings() const;
};

/// All schedules that run operations inside driver calls: eager, lazy, and `randomCount` seeds.
std::vector<std::string> listSchedules(unsigned randomCount = 20);

/// A module's text as bitcode, in the wrapper form, which carries the length.
std::string bitcodeOf(const char *moduleText);

} // namespace lockstep::simgpu::test

#endif // LOCKSTEP_SIMGPU_TEST_SIMULATEDLIBRARY_H
