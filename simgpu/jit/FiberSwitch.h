// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_FIBERSWITCH_H
#define LOCKSTEP_SIMGPU_JIT_FIBERSWITCH_H

#include "simgpu/jit/FiberStack.h"

/// For functions that stay on a fiber's stack while other fibers run. ThreadSanitizer keeps one stack of calls for each
/// thread, and these would put on it what nothing takes off.
#if __has_feature(thread_sanitizer)
#define LOCKSTEP_SWITCHES_FIBERS __attribute__((disable_sanitizer_instrumentation))
#else
#define LOCKSTEP_SWITCHES_FIBERS
#endif

namespace lockstep::simgpu::jit {

/// A flow of control that does not run: where it stopped, and what AddressSanitizer keeps about its stack.
struct FlowOfControl {
  void *stackPointer = nullptr;
  const void *stackBottom = nullptr;
  size_t stackBytes = 0;
  void *sanitizerState = nullptr;
};

/// A flow that, resumed, calls `start(argument)` on `stack`. `start` must call arriveOnFiber first and must never
/// return.
FlowOfControl prepareFiber(FiberStack stack, void (*start)(void *), void *argument);

/// Stops the caller, whose state goes to `own`, and resumes the fiber. Returns when the fiber switches back. Only
/// registers that a call keeps are saved; the signal mask and the rounding mode are shared by all fibers of a thread.
void switchToFiber(FlowOfControl &own, FlowOfControl &fiber);
/// Stops the fiber that calls, whose state goes to `own`, and resumes the flow that switched to it. Returns when the
/// fiber is resumed, never when it `ends`.
LOCKSTEP_SWITCHES_FIBERS void switchFromFiber(FlowOfControl &own, FlowOfControl &resumer, bool ends);
/// The first call on a new fiber; `resumer` is the flow that switched to it.
void arriveOnFiber(FlowOfControl &resumer);
/// The first call after a jump that may have left a fiber for the flow that switched to it.
void arriveByJump();

} // namespace lockstep::simgpu::jit

#endif
