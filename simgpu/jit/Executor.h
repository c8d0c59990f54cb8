// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_EXECUTOR_H
#define LOCKSTEP_SIMGPU_JIT_EXECUTOR_H

#include "simgpu/jit/Program.h"

namespace lockstep::simgpu::jit {

/// Fresh shared memory of a block holds this byte, so that a read before a write is seen.
constexpr unsigned char sharedMemoryPoison = 0xCB;

/// Static shared memory is followed by dynamic shared memory at this alignment.
constexpr uint32_t dynamicSharedAlignBytes = 128;

/// See Kernel::run. `globals` is the table of the module instance.
llvm::Error runKernel(const CompiledKernel &kernel, void *const *globals, const LaunchShape &shape,
                      llvm::ArrayRef<const void *> arguments);

} // namespace lockstep::simgpu::jit

#endif
