// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An independent judge of stream plans: it rebuilds happens-before from the plan alone, as sets, and compares it with
// what the graph asks for. Quadratic on purpose: it shares no idea with the planner.

#ifndef LOCKSTEP_LOWERING_TEST_STREAMPLANCHECKER_H
#define LOCKSTEP_LOWERING_TEST_STREAMPLANCHECKER_H

#include "lowering/StreamPlan.h"

#include <string>
#include <vector>

namespace lockstep::test {

/// What is wrong with the plan: an edge that nothing enforces, a wait for an event that is never recorded, an event
/// that nothing needs. Empty where nothing is.
std::vector<std::string> checkPlan(const StreamPlanGraph &graph, const StreamPlan &plan);

/// The most nodes with work that are pairwise unordered by dependencies and host waits, by bipartite matching on the
/// transitive closure.
uint32_t findWidth(const StreamPlanGraph &graph);

} // namespace lockstep::test

#endif // LOCKSTEP_LOWERING_TEST_STREAMPLANCHECKER_H
