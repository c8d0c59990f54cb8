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
  std::string name; ///< A program's path from the root of the checkout where it is in it, else as given.
  std::string path; ///< As given, or below the directory given. Of a family's scenario: its name.
  size_t expectationCount = 0;
  std::vector<ExpectedFinding> expectedFindings = {};
  MetricLimits metricLimits = {};
  std::vector<std::string> tags = {}; ///< As its suite has them.
  bool operator==(const Scenario &) const = default;
};

/// The suite that a command takes where it is given none.
inline constexpr llvm::StringLiteral kDefaultSuite = "quick";

/// The names of the suites in the checkout: suites/NAME.yaml.
std::vector<std::string> suiteNames();

/// Finds the scenarios of `inputs`, sorted by name, and checks each: it parses, verifies and has a `main`. An input is
/// a scenario of a family ("forkjoin(width=8)"), a suite (its name, or a .yaml file), a program (.mlir), or a folder,
/// which is searched for programs; folders named `test` or `Inputs`, and hidden ones, hold none and are skipped.
/// `filter` is a glob on the name, or "tag:" and a glob on a tag; empty takes all. Fails with usage errors, one for
/// each bad file; with no bad file, at least one scenario is given.
llvm::Expected<std::vector<Scenario>> findScenarios(llvm::ArrayRef<std::string> inputs, llvm::StringRef filter);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_SCENARIO_H
