// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_VARIABLES_H
#define LOCKSTEP_SIMGPU_JIT_VARIABLES_H

#include "simgpu/jit/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace lockstep::simgpu::jit {

/// Where a variable of the device program lives in the flattened one.
struct VariableHome {
  enum Kind {
    /// A constant that no host can name: stays a constant of the compiled code, so that the optimiser sees through it.
    hostConstant,
    /// Device memory, reached through the module instance's table of addresses; `position` is the index there.
    table,
    /// `position` is the offset from the block's shared memory.
    shared,
    /// Behind the static shared memory of the kernel that runs.
    dynamicShared,
  };
  Kind kind;
  uint64_t position;
};

struct VariablePlan {
  llvm::DenseMap<const llvm::GlobalVariable *, VariableHome> homes;
  std::vector<TableVariable> variables;
  /// Bytes of static shared memory that each kernel needs.
  llvm::DenseMap<const llvm::Function *, uint64_t> sharedBytes;
};

/// Decides for every variable of the device program. Shared variables that one kernel alone reaches overlap those of
/// other kernels; `kernels` are the kernels of `module`.
llvm::Expected<VariablePlan> planVariables(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

} // namespace lockstep::simgpu::jit

#endif
