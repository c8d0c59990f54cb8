// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_ENTRIES_H
#define LOCKSTEP_SIMGPU_JIT_ENTRIES_H

#include "simgpu/jit/Program.h"
#include "llvm/IR/Function.h"

namespace lockstep::simgpu::jit {

/// What the device program says about a kernel: name, parameters, thread bound. `index` makes the entry's name unique.
CompiledKernel describeKernel(const llvm::Function &kernel, size_t index);

/// Adds to the flattened program the function that the host calls: it fetches the arguments from the BlockContext, then
/// runs the kernel for all threads of the block in a loop or, where threads wait for each other, for one thread. Which
/// of the two is recorded in `record`.
void createEntry(llvm::Function &flattenedKernel, CompiledKernel &record);

} // namespace lockstep::simgpu::jit

#endif
