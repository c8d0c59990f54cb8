// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_FIBERSWITCH_H
#define LOCKSTEP_SIMGPU_JIT_FIBERSWITCH_H

#include "simgpu/jit/FiberStack.h"

namespace lockstep::simgpu::jit {

/// Saves the state of the running flow of control on its stack, stores its stack pointer in `*save`, and goes on with
/// the flow whose stack pointer is `resume`. Returns when somebody resumes the saved one. Only registers that a call
/// keeps are saved; the signal mask and the rounding mode are shared by all fibers of a thread.
extern "C" void lockstepJitSwitch(void **save, void *resume) __attribute__((visibility("hidden")));

/// A stack pointer that, resumed, calls `start(argument)` on `stack`. `start` must never return.
void *prepareFiber(FiberStack stack, void (*start)(void *), void *argument);

} // namespace lockstep::simgpu::jit

#endif
