// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation of streams and events, for the program and for the pools.

#ifndef LOCKSTEP_RUNTIME_HIP_POOLS_H
#define LOCKSTEP_RUNTIME_HIP_POOLS_H

#include "runtime-hip/ApiCall.h"

namespace lockstep::hip {

/// A new non-blocking stream on the default device, entered in the registry; null with the failure recorded.
hipStream_t createStream(ApiCall &call, bool isPooled);

/// A new event of `device`, entered in the registry; null with the failure recorded. An event can be recorded on
/// streams of its device only.
hipEvent_t createEvent(ApiCall &call, int32_t device, bool isPooled, bool isTimed);

/// A stream of the default device for one user, from the pool or new; null with the failure recorded.
hipStream_t acquireStream(ApiCall &call);
/// Gives back a stream that acquireStream returned.
void releaseStream(ApiCall &call, const char *argument, hipStream_t stream);
/// Lets others have a stream whose release was put off.
void returnStream(MgpuStream stream);

/// An event of `device` with one user, from the pool or new; null with the failure recorded.
hipEvent_t acquireEvent(ApiCall &call, int32_t device);
/// Takes one user off; at none the event returns to the pool.
void releaseEvent(ApiCall &call, const char *argument, hipEvent_t event);
/// Records an event of the pool or of the program, and notes for acquireEvent whether a capture took the record; false
/// with the failure recorded.
bool recordEvent(ApiCall &call, hipEvent_t event, hipStream_t stream);

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_POOLS_H
