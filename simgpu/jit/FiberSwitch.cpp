// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/FiberSwitch.h"

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/// The flow that waits for the running fiber to come back. A jump past it leaves AddressSanitizer on the fiber's stack.
static thread_local lockstep::simgpu::jit::FlowOfControl *waiting = nullptr;
#endif

/// Saves the running flow on its stack, stores its stack pointer in `*save` and goes on with the flow at `resume`.
extern "C" void lockstepJitSwitch(void **save, void *resume) __attribute__((visibility("hidden")));
extern "C" void lockstepJitFiberStart() __attribute__((visibility("hidden")));

#if defined(__x86_64__)

asm(R"(
.text
.hidden lockstepJitSwitch
.globl lockstepJitSwitch
.type lockstepJitSwitch, @function
lockstepJitSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size lockstepJitSwitch, .-lockstepJitSwitch

.hidden lockstepJitFiberStart
.globl lockstepJitFiberStart
.type lockstepJitFiberStart, @function
lockstepJitFiberStart:
.cfi_startproc
.cfi_undefined rip
  movq %r13, %rdi
  callq *%r12
  ud2
.cfi_endproc
.size lockstepJitFiberStart, .-lockstepJitFiberStart
)");

static void *firstFrame(char *top, void (*start)(void *), void *argument) {
  // From low to high: r15 r14 r13 r12 rbx rbp, the return address, padding. Once that is popped the stack is aligned to
  // 16, as it must be before the call of `start`.
  void **frame = reinterpret_cast<void **>(top) - 9;
  frame[0] = frame[1] = frame[4] = frame[5] = frame[7] = frame[8] = nullptr;
  frame[2] = argument;
  frame[3] = reinterpret_cast<void *>(start);
  frame[6] = reinterpret_cast<void *>(lockstepJitFiberStart);
  return frame;
}

#elif defined(__aarch64__)

asm(R"(
.text
.hidden lockstepJitSwitch
.globl lockstepJitSwitch
.type lockstepJitSwitch, %function
lockstepJitSwitch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size lockstepJitSwitch, .-lockstepJitSwitch

.hidden lockstepJitFiberStart
.globl lockstepJitFiberStart
.type lockstepJitFiberStart, %function
lockstepJitFiberStart:
.cfi_startproc
.cfi_undefined x30
  mov x0, x20
  blr x19
  brk #0
.cfi_endproc
.size lockstepJitFiberStart, .-lockstepJitFiberStart
)");

static void *firstFrame(char *top, void (*start)(void *), void *argument) {
  void **frame = reinterpret_cast<void **>(top) - 20;
  for (unsigned i = 0; i != 20; ++i)
    frame[i] = nullptr;
  frame[0] = reinterpret_cast<void *>(start);
  frame[1] = argument;
  frame[11] = reinterpret_cast<void *>(lockstepJitFiberStart);
  return frame;
}

#else
#error "the simulated GPU switches between device threads on x86-64 and aarch64 only"
#endif

namespace lockstep::simgpu::jit {

FlowOfControl prepareFiber(FiberStack stack, void (*start)(void *), void *argument) {
#if __has_feature(address_sanitizer)
  // Of a fiber that was left in the middle, the frames are still marked.
  __asan_unpoison_memory_region(stack.base, fiberStackBytes);
#endif
  // Stacks begin at the same place of a page; unshifted, the hot ends of all of them would compete for one cache set.
  constexpr uintptr_t pageBytes = 4096, lineBytes = 64;
  uintptr_t shift = reinterpret_cast<uintptr_t>(stack.base) / pageBytes * 2 * lineBytes % pageBytes;
  return {firstFrame(stack.top() - shift, start, argument), stack.base, fiberStackBytes, nullptr};
}

void switchToFiber(FlowOfControl &own, FlowOfControl &fiber) {
#if __has_feature(address_sanitizer)
  waiting = &own;
  __sanitizer_start_switch_fiber(&own.sanitizerState, fiber.stackBottom, fiber.stackBytes);
#endif
  lockstepJitSwitch(&own.stackPointer, fiber.stackPointer);
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(own.sanitizerState, nullptr, nullptr);
  waiting = nullptr;
#endif
}

void switchFromFiber(FlowOfControl &own, FlowOfControl &resumer, bool ends) {
#if __has_feature(address_sanitizer)
  __sanitizer_start_switch_fiber(ends ? nullptr : &own.sanitizerState, resumer.stackBottom, resumer.stackBytes);
#endif
  lockstepJitSwitch(&own.stackPointer, resumer.stackPointer);
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(own.sanitizerState, &resumer.stackBottom, &resumer.stackBytes);
#endif
}

void arriveOnFiber([[maybe_unused]] FlowOfControl &resumer) {
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(nullptr, &resumer.stackBottom, &resumer.stackBytes);
#endif
}

void arriveByJump() {
#if __has_feature(address_sanitizer)
  if (!waiting)
    return;
  __sanitizer_start_switch_fiber(nullptr, waiting->stackBottom, waiting->stackBytes);
  __sanitizer_finish_switch_fiber(waiting->sanitizerState, nullptr, nullptr);
  waiting = nullptr;
#endif
}

} // namespace lockstep::simgpu::jit
