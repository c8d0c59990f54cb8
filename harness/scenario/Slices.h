// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_SCENARIO_SLICES_H
#define LOCKSTEP_HARNESS_SCENARIO_SLICES_H

#include "harness/scenario/Dag.h"

namespace lockstep::scenario {

/// Whether two slices have a word in common. Exact for slices without offsetPerIteration; with it, true where their
/// buffers are the same.
bool mayOverlap(const Slice &a, const Slice &b);

/// Whether each word of `inner` is one of `outer`. May say false where it is so, never true where it is not.
bool covers(const Slice &outer, const Slice &inner);

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_SLICES_H
