// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_HOSTSYMBOLS_H
#define LOCKSTEP_SIMGPU_JIT_HOSTSYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace lockstep::simgpu::jit {

/// A host function that compiled code may call, by the name that it links to.
struct HostSymbol {
  const char *name;
  void *address;
};

/// All of them: the runtime of this library, the math library, and what code generation calls behind the scenes.
/// Compiled code links to nothing else.
llvm::ArrayRef<HostSymbol> hostSymbols();

/// The math library and the helpers of code generation.
llvm::ArrayRef<HostSymbol> mathSymbols();
/// Arithmetic with a rounding direction (DirectedRounding.cpp).
llvm::ArrayRef<HostSymbol> roundingSymbols();
/// Runtime functions (Runtime.cpp).
llvm::ArrayRef<HostSymbol> runtimeSymbols();

/// Whether the named runtime function may make the calling device thread wait, or end.
bool isBlockingHostFunction(llvm::StringRef name);

} // namespace lockstep::simgpu::jit

#endif
