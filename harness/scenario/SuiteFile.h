// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of scenarios in YAML files:
//
//   description: one line
//   scenarios:
//     - scenario: forkjoin(bytes=64)
//       sweep: {width: [2, 8], depth: [1, 3]}     # every combination
//       tags: [shape]
//     - program: seeds                            # a .mlir file or a folder of them, from the folder of this file

#ifndef LOCKSTEP_HARNESS_SCENARIO_SUITEFILE_H
#define LOCKSTEP_HARNESS_SCENARIO_SUITEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::scenario {

/// One scenario of a suite, or one program.
struct SuiteEntry {
  std::string scenario; ///< As ScenarioSpec::name gives it; empty for a program.
  std::string program;  ///< Path of a file or folder; empty for a scenario.
  std::vector<std::string> tags;
};

/// Reads a suite and spreads its sweeps. Fails with usage errors that start with the place in the file.
llvm::Expected<std::vector<SuiteEntry>> readSuite(llvm::StringRef path);

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_SUITEFILE_H
