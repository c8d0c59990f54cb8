// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Errors.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace lockstep::simgpu::jit {

char KernelFault::ID = 0;
char KernelAssert::ID = 0;
char KernelTrap::ID = 0;
char KernelDeadlock::ID = 0;

void KernelFault::log(llvm::raw_ostream &stream) const { stream << what << " at " << llvm::format_hex(address, 18); }

void KernelAssert::log(llvm::raw_ostream &stream) const { stream << what; }

void KernelTrap::log(llvm::raw_ostream &stream) const { stream << what; }

void KernelDeadlock::log(llvm::raw_ostream &stream) const { stream << what; }

} // namespace lockstep::simgpu::jit
