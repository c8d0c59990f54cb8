// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_FAULTGUARD_H
#define LOCKSTEP_SIMGPU_JIT_FAULTGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace lockstep::simgpu::jit {

/// Runs `body`, which runs device code, and turns what goes wrong inside into an error: SIGSEGV, SIGBUS, SIGFPE and
/// SIGILL of this thread become KernelFault, the abort functions below the error that they name. `body` is then
/// left by a jump: no destructor of its frames runs, so whatever it must release belongs to the caller. Signals that
/// arise outside go to the handlers that were installed before.
llvm::Error runGuarded(llvm::function_ref<void()> body);

/// Ends the innermost runGuarded of this thread; may be called on any stack. Callers must hold no object with a
/// destructor but the message.
[[noreturn]] void abortWithAssert(std::string message);
[[noreturn]] void abortWithTrap(std::string message);
[[noreturn]] void abortWithDeadlock(std::string message);

} // namespace lockstep::simgpu::jit

#endif
