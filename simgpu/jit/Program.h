// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_PROGRAM_H
#define LOCKSTEP_SIMGPU_JIT_PROGRAM_H

#include "simgpu/jit/AmdgpuDispatch.h"
#include "simgpu/jit/Module.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace lockstep::simgpu::jit {

/// A variable that every loaded module gets its own copy of in device memory.
struct TableVariable {
  /// The address of another table variable inside the initial bytes.
  struct Relocation {
    uint64_t offsetBytes;
    unsigned variable;
    int64_t addend;
  };
  std::string name;
  bool visibleToHost;
  uint64_t sizeBytes, alignBytes;
  std::vector<char> initialBytes;
  std::vector<Relocation> relocations;
};

struct CompiledKernel {
  std::string name;
  /// The symbol of the generated entry: a PlainEntry, or a FiberEntry where usesFibers.
  std::string entrySymbol;
  std::vector<KernelParameter> parameters;
  uint32_t argumentBytes = 0;
  uint32_t staticSharedBytes = 0;
  uint32_t maxThreadsPerBlock = 0;
  bool usesFibers = false;
  /// Lanes of a warp: 32 or 64.
  uint32_t warpSize = 32;
  ImplicitLayout implicitLayout = ImplicitLayout::none;
  void *entry = nullptr;
};

/// Compiled code and all that a module instance needs to know about it. Immutable after compilation.
struct CompiledModule {
  std::vector<CompiledKernel> kernels;
  std::vector<TableVariable> variables;
  std::shared_ptr<llvm::orc::LLJIT> engine; ///< Owns the code.
};

/// A device program turned into a host program, not yet compiled.
struct FlatProgram {
  std::unique_ptr<llvm::Module> module;
  std::vector<CompiledKernel> kernels;
  std::vector<TableVariable> variables;
};

} // namespace lockstep::simgpu::jit

#endif
