// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The harness's side of agpu.expect: lockstepExpect (runtime-api/Expect.h) compares and keeps what it found until the
// end of the run.
//
// With a tolerance, two floats agree where their difference is at most the tolerance, where they are the same infinity,
// or where both are NaN, whatever its bits; a NaN and a number never agree. Without one the bits decide, so that 0.0
// and -0.0 differ, and so do two NaNs with different payloads.

#ifndef LOCKSTEP_HARNESS_EXPECT_H
#define LOCKSTEP_HARNESS_EXPECT_H

#include "reports/Results.h"

namespace lockstep::harness {

/// Forgets everything; to be called before a run.
void clearExpectations();

/// The findings since the last clear, one for each place that saw a difference, and the number of times that an
/// expectation was reached.
std::vector<reports::Finding> takeExpectationFindings(int64_t &reachedCount);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_EXPECT_H
