// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words for the calls by which two operations are, or are not, ordered. Streams and events have the numbers of their
// creation.

#ifndef LOCKSTEP_HARNESS_ORDER_CALLDESCRIPTION_H
#define LOCKSTEP_HARNESS_ORDER_CALLDESCRIPTION_H

#include "harness/order/HappensBefore.h"

#include <string>

namespace lockstep::harness {

/// "first: cuMemcpyAsync on stream 1, recorded behind it: event 2": its last call, and the events
/// recorded on that stream from then on. `op` has work.
std::string describeFirst(const HappensBefore &calls, const OpRun &op);

/// "second: cuLaunchKernel on stream 2, waited for before it: event 1, event 3": its first call, and all waits
/// of that stream before. `op` has work.
std::string describeSecond(const HappensBefore &calls, const OpRun &op);

/// "the host calls there: cuStreamSynchronize of stream 1": what the host waits for under that name.
std::string describeHostWaits(const HappensBefore &calls, const OpRun &op);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_CALLDESCRIPTION_H
