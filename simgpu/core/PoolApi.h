// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools, and the memory of a device's graphs, as far as programs ask about them: async-semantics 5.4. Every
// function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_POOLAPI_H
#define LOCKSTEP_SIMGPU_CORE_POOLAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

/// In the numbers of the CUDA Driver API, which HIP shares. The first three are an int, the others 64 bits.
enum class PoolAttribute : uint32_t {
  ReuseFollowEventDependencies = 1,
  ReuseAllowOpportunistic = 2,
  ReuseAllowInternalDependencies = 3,
  ReleaseThreshold = 4,
  ReservedCurrent = 5,
  ReservedHigh = 6,
  UsedCurrent = 7,
  UsedHigh = 8,
};

/// The handle of the device's default pool, which is its only one.
Status getPool(Call &call, int device, uint64_t &pool);
Status getPoolAttribute(Call &call, uint64_t pool, PoolAttribute attribute, void *value);
/// Watermarks can be set to 0 only.
Status setPoolAttribute(Call &call, uint64_t pool, PoolAttribute attribute, const void *value);
Status trimPool(Call &call, uint64_t pool, uint64_t bytes);

/// In the numbers of the CUDA Driver API, which HIP shares. All are 64 bits.
enum class GraphMemoryAttribute : uint32_t { UsedCurrent = 0, UsedHigh = 1, ReservedCurrent = 2, ReservedHigh = 3 };

Status getGraphMemoryAttribute(Call &call, int device, GraphMemoryAttribute attribute, void *value);
/// Watermarks only, and only to 0.
Status setGraphMemoryAttribute(Call &call, int device, GraphMemoryAttribute attribute, const void *value);
Status trimGraphMemory(Call &call, int device);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_POOLAPI_H
