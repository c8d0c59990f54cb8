// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills: async-semantics 5.3. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_COPYAPI_H
#define LOCKSTEP_SIMGPU_CORE_COPYAPI_H

#include "simgpu/core/Call.h"

namespace lockstep::simgpu {

/// What a call says about one side of a copy.
enum class Side : uint8_t { Unified, Host, Device };

/// One side: `depth` slices of `height` rows of `width` bytes.
struct Region {
  uint64_t address = 0;
  Side side = Side::Unified;
  uint64_t rowPitchBytes = 0;   ///< 0 where there is one row.
  uint64_t slicePitchBytes = 0; ///< 0 where there is one slice.
};

struct Extent {
  uint64_t widthBytes = 0;
  uint64_t height = 1;
  uint64_t depth = 1;

  uint64_t sizeBytes() const { return widthBytes * height * depth; }
};

/// The synchronous form waits exactly where the documentation promises it, the other only for host to host.
enum class Form : uint8_t { Synchronous, Asynchronous };

/// An empty extent is a success and does nothing.
Status copy(Call &call, Form form, const Region &destination, const Region &source, const Extent &extent,
            uint64_t stream);

/// Fills with an element of `elementBytes` (1, 2, 4) bytes.
Status fill(Call &call, Form form, const Region &destination, const Extent &extent, uint32_t value,
            uint32_t elementBytes, uint64_t stream);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_COPYAPI_H
