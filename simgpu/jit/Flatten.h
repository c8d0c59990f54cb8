// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_FLATTEN_H
#define LOCKSTEP_SIMGPU_JIT_FLATTEN_H

#include "simgpu/jit/Program.h"
#include "llvm/Target/TargetMachine.h"

namespace lockstep::simgpu::jit {

/// Turns a device program into a host program: one address space, hidden parameters instead of special registers,
/// shared variables as offsets from the block's memory, module variables through the table, calls of the target's
/// intrinsics and library replaced, one entry for each kernel. Consumes `source`. Fails, naming the function or
/// variable, on anything that the simulated device does not know.
llvm::Expected<FlatProgram> flatten(std::unique_ptr<llvm::Module> source, const llvm::TargetMachine &host);

} // namespace lockstep::simgpu::jit

#endif
