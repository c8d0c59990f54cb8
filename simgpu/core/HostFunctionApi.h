// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions in stream order: async-semantics 5.5. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_HOSTFUNCTIONAPI_H
#define LOCKSTEP_SIMGPU_CORE_HOSTFUNCTIONAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

/// Queues `function`. It runs without the machine's lock, in whatever thread runs the operation; driver calls inside
/// are refused. After a failure of the context it is not called.
Status launchHostFunction(Call &call, uint64_t stream, void (*function)(void *), void *data);

/// Queues `callback`, which is called exactly once, with the state of the context; after a failure too.
Status addCallback(Call &call, uint64_t stream, std::function<void(Status)> callback);

/// Makes `function` the work of `operation`; it gets the state of the context.
void setHostWork(Operation &operation, std::function<void(Status)> function);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_HOSTFUNCTIONAPI_H
