// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_BLOCKCONTEXT_H
#define LOCKSTEP_SIMGPU_JIT_BLOCKCONTEXT_H

#include "simgpu/jit/Module.h"

namespace lockstep::simgpu::jit {

class BlockScheduler;

/// Lanes of a warp of the NVPTX target.
constexpr uint32_t warpSize = 32;
/// Most lanes of a warp or wave of any target.
constexpr uint32_t warpSizeMax = 64;

/// What compiled code knows about the block that it runs. Compiled code reads it through a hidden first parameter and
/// byte offsets, so it must stay a standard-layout struct. Constant while one block runs.
struct BlockContext {
  Dim3 blockSize;
  Dim3 gridSize;
  Dim3 blockIndex;
  uint32_t dynamicSharedBytes;
  uint32_t staticSharedBytes;
  char *shared;
  char *dynamicShared;
  void *const *globals;
  const char *arguments;
  /// Null for kernels whose threads never wait for each other.
  BlockScheduler *scheduler;
  /// Ticks of the device clocks: each read is one tick, so that runs repeat exactly.
  uint64_t clock;
  /// Lanes of a warp of the kernel that runs.
  uint32_t warpSize;
  /// For AMD's targets, see AmdgpuDispatch.h; null for others.
  const char *implicitArguments;
  const char *dispatchPacket;
};

/// Compiled code of one kernel. Plain: runs all threads of the block. Fiber: runs one thread.
using PlainEntry = void (*)(BlockContext *block);
using FiberEntry = void (*)(BlockContext *block, uint32_t x, uint32_t y, uint32_t z);

} // namespace lockstep::simgpu::jit

#endif
