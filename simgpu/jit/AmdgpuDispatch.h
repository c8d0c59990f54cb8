// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_AMDGPUDISPATCH_H
#define LOCKSTEP_SIMGPU_JIT_AMDGPUDISPATCH_H

#include "simgpu/jit/Module.h"

namespace lockstep::simgpu::jit {

/// How the arguments are laid out that a kernel of AMD's targets finds behind its own, by code object version.
enum class ImplicitLayout : uint8_t {
  none, ///< Not an AMD kernel.
  v4,   ///< Up to version 4: offsets alone.
  v5,   ///< From version 5: numbers of blocks and sizes, too.
};

constexpr size_t implicitArgumentBytes = 256;
constexpr size_t dispatchPacketBytes = 64;

/// Fills |bytes| (implicitArgumentBytes) as "Code Object V5 Kernel Argument" metadata of LLVM's AMDGPU usage guide
/// says. What the simulated device has not (queues, heap, hostcall buffer) is 0.
void writeImplicitArguments(ImplicitLayout layout, const LaunchShape &shape, char *bytes);

/// Fills |bytes| (dispatchPacketBytes) as HSA's kernel dispatch packet: sizes of the block, and of the grid in threads.
void writeDispatchPacket(const LaunchShape &shape, uint32_t staticSharedBytes, const void *arguments, char *bytes);

} // namespace lockstep::simgpu::jit

#endif
