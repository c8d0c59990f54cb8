// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of runtime-api/Trace.h, as the harness defines them for programs that it runs in this process.

#ifndef LOCKSTEP_HARNESS_ORDER_TRACE_H
#define LOCKSTEP_HARNESS_ORDER_TRACE_H

#include "harness/order/OrderSpec.h"

namespace lockstep::harness {

/// From now on the calls of traced programs are written down; what was so far is forgotten. While no trace is under
/// way they do nothing. No program runs during a call.
void beginTrace();
/// What was written down since.
OrderSpec endTrace();

struct TraceFunction {
  const char *name;
  void *address;
};
/// What a traced program may call; from any thread.
llvm::ArrayRef<TraceFunction> traceFunctions();

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_TRACE_H
