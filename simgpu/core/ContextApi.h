// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts: async-semantics 5.8. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_CONTEXTAPI_H
#define LOCKSTEP_SIMGPU_CORE_CONTEXTAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

/// InvalidDevice where there is no such device.
Status checkDevice(Call &call, int deviceOrdinal);

Status createContext(Call &call, int deviceOrdinal, unsigned flags, uint64_t &handle);
/// Waits for the context's work, then destroys everything in it but pool memory. Pops it where it is current.
Status destroyContext(Call &call, uint64_t handle);
Status retainPrimary(Call &call, int deviceOrdinal, uint64_t &handle);
Status releasePrimary(Call &call, int deviceOrdinal);
Status resetPrimary(Call &call, int deviceOrdinal);

Status pushContext(Call &call, uint64_t handle);
Status popContext(Call &call, uint64_t *handle);
/// Handle 0 leaves the thread without a current context.
Status setCurrentContext(Call &call, uint64_t handle);
uint64_t currentContext(Call &call);
Status synchronizeContext(Call &call);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_CONTEXTAPI_H
