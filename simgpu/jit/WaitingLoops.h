// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_WAITINGLOOPS_H
#define LOCKSTEP_SIMGPU_JIT_WAITINGLOOPS_H

#include "llvm/IR/Function.h"

namespace lockstep::simgpu::jit {

/// Threads of a GPU all make progress, so one may wait in a loop for what another one of its block writes. Threads here
/// run one at a time: each turn of a loop that looks like a wait yields to the others. A loop looks like a wait when it
/// reads memory with an atomic or volatile load, or compares and exchanges with an expected value that the loop does
/// not change (an update that is tried again changes it). To be called on functions of a flattened program.
void letWaitingLoopsYield(llvm::Function &function);

} // namespace lockstep::simgpu::jit

#endif
