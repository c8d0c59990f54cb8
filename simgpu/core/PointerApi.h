// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about addresses: async-semantics 5.4. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_POINTERAPI_H
#define LOCKSTEP_SIMGPU_CORE_POINTERAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

/// In the numbers of the CUDA Driver API, which HIP shares.
enum class PointerAttribute : uint32_t {
  Context = 1,       ///< A handle; 0 for memory that outlives contexts.
  MemoryType = 2,    ///< unsigned: 1 host, 2 device.
  DevicePointer = 3, ///< An address.
  HostPointer = 4,   ///< An address; InvalidValue for memory that the host cannot touch.
  BufferId = 7,      ///< 64 bits.
  IsManaged = 8,     ///< unsigned.
  DeviceOrdinal = 9, ///< int.
  RangeStart = 11,   ///< An address.
  RangeSize = 12,    ///< size_t.
  Mapped = 13,       ///< unsigned.
};

/// The live allocation around an address of pinned host memory; otherwise null, InvalidValue and a finding.
AllocationPtr findPinned(Call &call, uint64_t address, Status &status);
/// Start and size of the allocation around `address`; NotFound without one.
Status getAddressRange(Call &call, uint64_t address, uint64_t &start, uint64_t &sizeBytes);
/// Writes the answer to `data`. Asking about pageable memory is a legal way to tell it apart: InvalidValue, and no
/// finding.
Status getPointerAttribute(Call &call, uint64_t address, PointerAttribute attribute, void *data);
/// The same for several; for pageable memory every answer is zero, and that is a success.
Status getPointerAttributes(Call &call, uint64_t address, unsigned count, const PointerAttribute *attributes,
                            void **data);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_POINTERAPI_H
