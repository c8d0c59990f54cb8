// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events: async-semantics 5.1 and 5.2. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_STREAMAPI_H
#define LOCKSTEP_SIMGPU_CORE_STREAMAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

inline constexpr int leastStreamPriority = 0;
inline constexpr int greatestStreamPriority = -5;

Status createStream(Call &call, bool isBlocking, int priority, uint64_t &handle);
/// Never blocks: pending work still completes.
Status destroyStream(Call &call, uint64_t handle);
Status synchronizeStream(Call &call, uint64_t handle);
/// NotReady where work is pending.
Status queryStream(Call &call, uint64_t handle);
/// `isExternal`: in a capture, waits at each launch for what the event holds then.
Status waitEvent(Call &call, uint64_t stream, uint64_t event, bool isExternal = false);

Status createEvent(Call &call, bool hasTiming, bool isBlockingSync, uint64_t &handle);
Status destroyEvent(Call &call, uint64_t handle);
/// `isExternal`: in a capture, records at each launch.
Status recordEvent(Call &call, uint64_t event, uint64_t stream, bool isExternal = false);
Status synchronizeEvent(Call &call, uint64_t handle);
Status queryEvent(Call &call, uint64_t handle);
Status elapsedTime(Call &call, float &milliseconds, uint64_t start, uint64_t end);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_STREAMAPI_H
