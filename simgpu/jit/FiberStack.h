// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_FIBERSTACK_H
#define LOCKSTEP_SIMGPU_JIT_FIBERSTACK_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::simgpu::jit {

/// Stack of one device thread; the page below it is a guard. Reserved, not committed: a thread that uses little costs
/// little.
constexpr size_t fiberStackBytes = 256 * 1024;

struct FiberStack {
  char *base;
  char *top() const { return base + fiberStackBytes; }
};

/// Moves `count` stacks from the process's pool to the end of `stacks`, mapping new ones where the pool is empty.
/// Returns false when the system refuses; `stacks` then keeps what was moved. Thread-safe.
bool takeStacks(size_t count, std::vector<FiberStack> &stacks);
/// Puts all of them back and empties the vector. Thread-safe. The pool never shrinks.
void returnStacks(std::vector<FiberStack> &stacks);

/// Whether the address lies in the guard page of any stack ever mapped.
bool isStackGuard(uintptr_t address);

} // namespace lockstep::simgpu::jit

#endif
