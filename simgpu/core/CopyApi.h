// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills: async-semantics 5.3. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_COPYAPI_H
#define LOCKSTEP_SIMGPU_CORE_COPYAPI_H

#include "simgpu/core/Call.h"
#include "simgpu/core/Task.h"

namespace lockstep::simgpu {

/// The synchronous form waits exactly where the documentation promises it, the other only for host to host.
enum class Form : uint8_t { Synchronous, Asynchronous };

/// An empty extent is a success and does nothing.
Status copy(Call &call, Form form, const Region &destination, const Region &source, const Extent &extent,
            uint64_t stream);

/// Fills with an element of `elementBytes` (1, 2, 4) bytes.
Status fill(Call &call, Form form, const Region &destination, const Extent &extent, uint32_t value,
            uint32_t elementBytes, uint64_t stream);

/// Judges the arguments of a copy or fill: what memory the regions are in, and whether the whole of them is. A finding
/// and InvalidValue where something is wrong.
Status makeCopyTask(Call &call, Use use, const Region &destination, const Region &source, const Extent &extent,
                    CopyTask &task);
Status makeFillTask(Call &call, Use use, const Region &destination, const Extent &extent, uint32_t value,
                    uint32_t elementBytes, FillTask &task);

/// The rows of a region, one behind the other; and the way back.
std::vector<char> gather(const Memory &memory, const Region &region, const Extent &extent);
void scatter(const Memory &memory, const Region &region, const Extent &extent, const std::vector<char> &packed);
void copyRegion(const Memory &memory, const Region &destination, const Region &source, const Extent &extent);
void fillRegion(const Memory &memory, const FillTask &task);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_COPYAPI_H
