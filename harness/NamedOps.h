// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many device operations a program executes. This project's lowerings name each to the runtime (mgpuSetOp) when the
// host reaches it, whatever calls it becomes; so the names say it for all of them alike.

#ifndef LOCKSTEP_HARNESS_NAMEDOPS_H
#define LOCKSTEP_HARNESS_NAMEDOPS_H

#include "harness/order/CallLog.h"

#include <cstdint>

namespace lockstep::harness {

/// Stands for mgpuSetOp in programs: counts, and hands on to what was given to forwardNamedOps. Any thread.
void countNamedOp(const char *op);

/// To whom names go on from now on: the wrapper's mgpuSetOp, and the log of its calls. Both null: to nobody.
void forwardNamedOps(void (*setOp)(const char *), CallLog *log);

/// The number of operations named since the last call that give the device something to do: allocations, frees,
/// copies, fills, launches, host calls. 0 for a program whose lowering names none.
uint64_t takeNamedOps();

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_NAMEDOPS_H
