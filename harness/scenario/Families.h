// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families' builders, grouped by what they stress.

#ifndef LOCKSTEP_HARNESS_SCENARIO_FAMILIES_H
#define LOCKSTEP_HARNESS_SCENARIO_FAMILIES_H

#include "harness/scenario/Family.h"

namespace lockstep::scenario {

/// Graphs of kernels: chain, fork, join, …
std::vector<Family> shapeFamilies();
/// Copies, fills, allocation, slices, host functions.
std::vector<Family> memoryFamilies();
/// Loops, branches, waits of the host.
std::vector<Family> controlFlowFamilies();
/// Drawn from a seed.
std::vector<Family> randomFamilies();

/// The parameter that nearly every family has.
inline Parameter bytesParameter(uint64_t min = 4) { return {"bytes", 4096, min, 200 << 20, "size of each buffer"}; }

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_FAMILIES_H
