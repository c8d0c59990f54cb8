// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/FiberStack.h"
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::simgpu::jit {

namespace {

/// Never destroyed: device code may run while the process shuts down.
struct Pool {
  std::mutex mutex;
  std::vector<FiberStack> free;
  std::vector<FiberStack> all;
};

Pool &pool() {
  static Pool *instance = new Pool;
  return *instance;
}

size_t pageBytes() {
  static const size_t size = sysconf(_SC_PAGESIZE);
  return size;
}

bool mapStacks(Pool &pool, size_t count) {
  size_t strideBytes = fiberStackBytes + pageBytes();
  void *memory = mmap(nullptr, count * strideBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  for (size_t i = 0; i != count; ++i) {
    char *guard = static_cast<char *>(memory) + i * strideBytes;
    if (mprotect(guard, pageBytes(), PROT_NONE))
      return false;
    FiberStack stack{guard + pageBytes()};
    pool.free.push_back(stack);
    pool.all.push_back(stack);
  }
  return true;
}

} // namespace

bool takeStacks(size_t count, std::vector<FiberStack> &stacks) {
  Pool &shared = pool();
  std::lock_guard lock(shared.mutex);
  if (shared.free.size() < count && !mapStacks(shared, count - shared.free.size()))
    return false;
  stacks.insert(stacks.end(), shared.free.end() - count, shared.free.end());
  shared.free.resize(shared.free.size() - count);
  return true;
}

void returnStacks(std::vector<FiberStack> &stacks) {
  Pool &shared = pool();
  std::lock_guard lock(shared.mutex);
  shared.free.insert(shared.free.end(), stacks.begin(), stacks.end());
  stacks.clear();
}

bool isStackGuard(uintptr_t address) {
  Pool &shared = pool();
  std::lock_guard lock(shared.mutex);
  for (const FiberStack &stack : shared.all) {
    auto base = reinterpret_cast<uintptr_t>(stack.base);
    if (address < base && address >= base - pageBytes())
      return true;
  }
  return false;
}

} // namespace lockstep::simgpu::jit
