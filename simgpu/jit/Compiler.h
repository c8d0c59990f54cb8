// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_COMPILER_H
#define LOCKSTEP_SIMGPU_JIT_COMPILER_H

#include "simgpu/jit/Program.h"
#include "llvm/Target/TargetMachine.h"

namespace lockstep::simgpu::jit {

/// A target machine for the processor that this process runs on.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostMachine();

/// Reads a bitcode image and flattens it.
llvm::Expected<FlatProgram> flattenImage(llvm::StringRef image, llvm::LLVMContext &context,
                                         const llvm::TargetMachine &host);

/// Optimises and compiles; `context` is the one that the program lives in.
llvm::Expected<std::shared_ptr<const CompiledModule>>
compileProgram(FlatProgram program, std::unique_ptr<llvm::LLVMContext> context, llvm::TargetMachine &host);

/// The compiled form of an image: from the process's cache when the same bytes were compiled before and are among the
/// last used, otherwise compiled now. Thread-safe; compilations do not run at the same time.
llvm::Expected<std::shared_ptr<const CompiledModule>> compileCached(llvm::StringRef image);

/// How many images compileCached has compiled.
uint64_t cacheCompileCount();

/// How many images the cache keeps.
constexpr size_t cachedImagesMax = 64;

} // namespace lockstep::simgpu::jit

#endif
