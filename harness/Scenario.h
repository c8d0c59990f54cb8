// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_SCENARIO_H
#define LOCKSTEP_HARNESS_SCENARIO_H

#include "harness/ExpectedFindings.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// One program to be run.
struct Scenario {
  std::string name; ///< Its path from the root of the checkout where it is in it, else as given.
  std::string path; ///< As given, or below the directory given.
  size_t expectationCount = 0;
  std::vector<ExpectedFinding> expectedFindings = {};
  MetricLimits metricLimits = {};
  bool operator==(const Scenario &) const = default;
};

/// The directory that a command takes where it is given none: suites/ of the checkout.
std::string defaultSuite();

/// Finds the programs in `inputs` (files, and directories which are searched for *.mlir), sorted by name, and checks
/// each: it parses, verifies and has a `main`. Folders named `test` or `Inputs`, and hidden ones, hold no programs and
/// are skipped. `filter` is a glob on the name; empty takes all. Fails with usage errors, one for each bad file; with
/// no bad file, at least one scenario is given.
llvm::Expected<std::vector<Scenario>> findScenarios(llvm::ArrayRef<std::string> inputs, llvm::StringRef filter);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_SCENARIO_H
