// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Executor.h"
#include "simgpu/jit/AmdgpuDispatch.h"
#include "simgpu/jit/BlockScheduler.h"
#include "simgpu/jit/FaultGuard.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

/// Shared memory of the blocks that one host thread runs: kept between launches, with a page before and after that
/// nobody may touch.
class SharedMemory {
public:
  ~SharedMemory() { release(); }

  /// Memory of that size whose end is, up to alignment, the end of the page. Null when the system refuses.
  char *acquire(size_t sizeBytes) {
    assert(!inUse && "a kernel does not launch another one on its own host thread");
    size_t pageBytes = sysconf(_SC_PAGESIZE);
    size_t neededBytes = alignTo(sizeBytes, pageBytes);
    if (neededBytes != usableBytes) {
      release();
      void *memory = mmap(nullptr, neededBytes + 2 * pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED)
        return nullptr;
      base = static_cast<char *>(memory) + pageBytes;
      usableBytes = neededBytes;
      mprotect(base, usableBytes, PROT_READ | PROT_WRITE);
    }
    inUse = true;
    return base + alignDown(usableBytes - sizeBytes, dynamicSharedAlignBytes);
  }

  void giveBack() { inUse = false; }

private:
  void release() {
    if (!base)
      return;
    size_t pageBytes = sysconf(_SC_PAGESIZE);
    munmap(base - pageBytes, usableBytes + 2 * pageBytes);
    base = nullptr;
    usableBytes = 0;
  }

  char *base = nullptr;
  size_t usableBytes = 0;
  bool inUse = false;
};

/// Calls `visit` for every block index in ascending order. The one place that decides the order of blocks.
template <typename Visit> void forEachBlock(const Dim3 &grid, Visit visit) {
  for (uint32_t z = 0; z != grid.z; ++z)
    for (uint32_t y = 0; y != grid.y; ++y)
      for (uint32_t x = 0; x != grid.x; ++x)
        visit(Dim3{x, y, z});
}

Error runBlocks(const CompiledKernel &kernel, BlockContext &block, size_t sharedBytes) {
  std::optional<BlockScheduler> scheduler;
  if (kernel.usesFibers) {
    scheduler.emplace(reinterpret_cast<FiberEntry>(kernel.entry), block, kernel.name);
    if (!scheduler->reserveStacks())
      return createStringError("no memory for the stacks of the threads of kernel '" + kernel.name + "'");
    block.scheduler = &*scheduler;
  }
  auto plain = reinterpret_cast<PlainEntry>(kernel.entry);
  return runGuarded([&] {
    forEachBlock(block.gridSize, [&](Dim3 index) {
      block.blockIndex = index;
      if (sharedBytes)
        memset(block.shared, sharedMemoryPoison, sharedBytes);
      if (scheduler)
        scheduler->runBlock();
      else
        plain(&block);
    });
  });
}

} // namespace

Error runKernel(const CompiledKernel &kernel, void *const *globals, const LaunchShape &shape,
                ArrayRef<const void *> arguments) {
  if (arguments.size() != kernel.parameters.size())
    return createStringError("kernel '" + kernel.name + "' takes " + std::to_string(kernel.parameters.size()) +
                             " parameters, got " + std::to_string(arguments.size()));
  for (const Dim3 *size : {&shape.grid, &shape.block})
    if (!size->x || !size->y || !size->z)
      return createStringError("kernel '" + kernel.name + "' is launched with a dimension of 0");
  uint32_t alignBytes = alignof(void *);
  for (const KernelParameter &parameter : kernel.parameters)
    alignBytes = std::max(alignBytes, parameter.alignBytes);
  // The implicit arguments of AMD's targets follow the kernel's own.
  bool hasImplicit = kernel.implicitLayout != ImplicitLayout::none;
  size_t ownBytes = alignTo(kernel.argumentBytes, sizeof(uint64_t));
  SmallVector<char, 512> storage(ownBytes + (hasImplicit ? implicitArgumentBytes : 0) + alignBytes);
  char *buffer = reinterpret_cast<char *>(alignAddr(storage.data(), Align(alignBytes)));
  for (size_t i = 0; i != arguments.size(); ++i)
    memcpy(buffer + kernel.parameters[i].offsetBytes, arguments[i], kernel.parameters[i].sizeBytes);

  size_t dynamicOffset = alignTo(kernel.staticSharedBytes, dynamicSharedAlignBytes);
  size_t sharedBytes = shape.dynamicSharedBytes ? dynamicOffset + shape.dynamicSharedBytes : kernel.staticSharedBytes;
  static thread_local SharedMemory sharedMemory;
  char *shared = nullptr;
  if (sharedBytes && !(shared = sharedMemory.acquire(sharedBytes)))
    return createStringError("no memory for the shared memory of kernel '" + kernel.name + "'");
  BlockContext block = {};
  block.blockSize = shape.block;
  block.gridSize = shape.grid;
  block.dynamicSharedBytes = shape.dynamicSharedBytes;
  block.staticSharedBytes = kernel.staticSharedBytes;
  block.shared = shared;
  block.dynamicShared = shared ? shared + dynamicOffset : nullptr;
  block.globals = globals;
  block.arguments = buffer;
  block.warpSize = kernel.warpSize;
  char packet[dispatchPacketBytes];
  if (hasImplicit) {
    writeImplicitArguments(kernel.implicitLayout, shape, buffer + ownBytes);
    writeDispatchPacket(shape, kernel.staticSharedBytes, buffer, packet);
    block.implicitArguments = buffer + ownBytes;
    block.dispatchPacket = packet;
  }
  Error error = runBlocks(kernel, block, sharedBytes);
  if (shared)
    sharedMemory.giveBack();
  return error;
}

} // namespace lockstep::simgpu::jit
