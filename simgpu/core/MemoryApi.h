// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation and release: async-semantics 5.4. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_MEMORYAPI_H
#define LOCKSTEP_SIMGPU_CORE_MEMORYAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

Status allocateMemory(Call &call, MemoryKind kind, uint64_t sizeBytes, uint64_t &address);
/// Device memory for rows of `widthBytes`, each at a multiple of `pitchBytes`, which this function chooses.
Status allocatePitched(Call &call, uint64_t widthBytes, uint64_t rows, size_t &pitchBytes, uint64_t &address);
/// The memory is gone when the call returns. Waits for nothing, or for the device, whose
/// failure is then given back (HIP-2).
Status freeMemory(Call &call, uint64_t address);
/// The address is given now; the memory may be used behind the operation that this queues.
Status allocateAsync(Call &call, uint64_t sizeBytes, const std::shared_ptr<MemoryPool> &pool, uint64_t stream,
                     uint64_t &address);
Status freeAsync(Call &call, uint64_t address, uint64_t stream);
/// Frees host memory of allocateMemory(HostAllocated).
Status freeHost(Call &call, uint64_t address);
Status registerHost(Call &call, uint64_t address, uint64_t sizeBytes);
Status unregisterHost(Call &call, uint64_t address);
/// The allocation that covers the address and may be used; null, InvalidValue and, for dead memory, a finding
/// otherwise.
AllocationPtr findLive(Call &call, uint64_t address, const char *argument, Status &status, Use use = Use::Now);

/// Has `operation` judge the state of `used` when it runs: memory that is dead by then, or not there yet, is a finding.
void checkWhenRun(Machine &machine, Operation &operation, std::vector<AllocationPtr> used);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_MEMORYAPI_H
