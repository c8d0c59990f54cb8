// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_PROGRAMFACTS_H
#define LOCKSTEP_HARNESS_PROGRAMFACTS_H

#include "harness/ExpectedFindings.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// What the harness needs to know of a program before it runs it.
struct ProgramFacts {
  size_t expectationCount = 0;    ///< Number of agpu.expect in it.
  bool mainReturnsStatus = false; ///< main gives an i32; else nothing.
  std::vector<ExpectedFinding> expectedFindings = {};
  MetricLimits metricLimits = {};
};

/// Reads, verifies and inspects programs; gives the facts of each, in order. Fails with usage errors, one for each bad
/// program.
llvm::Expected<std::vector<ProgramFacts>> checkPrograms(llvm::ArrayRef<std::string> paths);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_PROGRAMFACTS_H
