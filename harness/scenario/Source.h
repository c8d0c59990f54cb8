// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario by its text, wherever it comes from.

#ifndef LOCKSTEP_HARNESS_SCENARIO_SOURCE_H
#define LOCKSTEP_HARNESS_SCENARIO_SOURCE_H

#include "harness/scenario/Dag.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace lockstep::scenario {

struct NamedDag {
  std::string name; ///< The one way to write the scenario.
  Dag dag;
};

/// Whether `text` is meant as a scenario: "family", "family(…)" or "dot:FILE".
bool looksLikeScenario(llvm::StringRef text);

/// Makes the scenario of a family, or of a graph in a DOT file: there each node is a kernel that reads what those
/// before it wrote, and what nothing reads is checked. Fails with usage errors.
llvm::Expected<NamedDag> makeScenario(llvm::StringRef text);

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_SOURCE_H
