// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions that compiled code calls on behalf of the device: barriers, warp operations, traps, printf.

#include "simgpu/jit/BlockScheduler.h"
#include "simgpu/jit/FaultGuard.h"
#include "simgpu/jit/HostSymbols.h"
#include "simgpu/jit/Printf.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstdlib>

namespace lockstep::simgpu::jit {

namespace {

LOCKSTEP_SWITCHES_FIBERS uint64_t runtimeBarrier(BlockContext *block, uint32_t kind, uint32_t id, uint32_t count,
                                                 uint32_t predicate) {
  return block->scheduler->barrier(BarrierKind(kind), id, count, predicate != 0);
}

LOCKSTEP_SWITCHES_FIBERS uint64_t runtimeWarp(BlockContext *block, uint32_t operation, uint32_t mask, uint64_t value,
                                              uint32_t lane, uint32_t clamp) {
  return block->scheduler->warp(WarpOperation(operation), mask, {value, lane, clamp});
}

LOCKSTEP_SWITCHES_FIBERS uint64_t runtimeWave(BlockContext *block, uint32_t operation, uint32_t site, uint64_t value,
                                              uint32_t lane) {
  return block->scheduler->wave(WarpOperation(operation), site, {value, lane, 0});
}

/// The lane that a lane reads under a DPP control word; negative where there is none. The numbers are those of the
/// instruction set.
int32_t runtimeDppSource(uint32_t control, int32_t lane) {
  int row = lane & ~15, inRow = lane & 15, distance = control & 15;
  if (control < 0x100)
    return (lane & ~3) | ((control >> (2 * (lane & 3))) & 3);
  switch (control & ~15u) {
  case 0x100: // row_shl
    return inRow + distance < 16 ? lane + distance : -1;
  case 0x110: // row_shr
    return inRow >= distance ? lane - distance : -1;
  case 0x120: // row_ror
    return row | ((inRow - distance) & 15);
  case 0x130: // wave_shl:1, wave_rol:1, wave_shr:1, wave_ror:1
    if (distance < 8)
      return distance == 0 ? (lane < 63 ? lane + 1 : -1) : (lane + 1) & 63;
    return distance == 8 ? lane - 1 : (lane - 1) & 63;
  case 0x140:
    if (distance == 0) // row_mirror
      return row | (15 - inRow);
    if (distance == 1) // row_half_mirror
      return (lane & ~7) | (7 - (lane & 7));
    if (distance == 2) // row_bcast:15
      return row - 1;
    return lane >= 32 ? 31 : -1; // row_bcast:31
  case 0x150:                    // row_share
    return row | distance;
  default: // row_xmask
    return lane ^ distance;
  }
}

/// The lane that a lane reads by ds_swizzle, inside its 32.
int32_t runtimeSwizzleSource(uint32_t pattern, int32_t lane) {
  if (pattern & 0x8000)
    return (lane & ~3) | ((pattern >> (2 * (lane & 3))) & 3);
  int andMask = pattern & 31, orMask = (pattern >> 5) & 31, xorMask = (pattern >> 10) & 31;
  return (lane & ~31) | (((lane & andMask) | orMask) ^ xorMask);
}

LOCKSTEP_SWITCHES_FIBERS void runtimeYield(BlockContext *block) { block->scheduler->yield(); }

LOCKSTEP_SWITCHES_FIBERS void runtimeExit(BlockContext *block) { block->scheduler->exitThread(); }

std::string inBlock(const BlockContext *block) {
  const Dim3 &index = block->blockIndex;
  return (" in block (" + llvm::Twine(index.x) + ", " + llvm::Twine(index.y) + ", " + llvm::Twine(index.z) + ")").str();
}

void runtimeTrap(BlockContext *block) { abortWithTrap("the kernel executed a trap" + inBlock(block)); }

std::string describeAssertion(const BlockContext *block, const char *message, const char *file, uint32_t line,
                              const char *function) {
  return (llvm::Twine(file) + ":" + llvm::Twine(line) + ": device assertion '" + message + "' failed in " + function +
          inBlock(block))
      .str();
}

void runtimeAssertFail(BlockContext *block, const char *message, const char *file, uint32_t line,
                       const char *function) {
  abortWithAssert(describeAssertion(block, message, file, line, function));
}

int32_t runtimePrintf(BlockContext *, const char *format, const char *arguments) {
  return devicePrintf(format, arguments);
}

/// Position of the n-th bit set in `mask`, counted from bit `base` upwards (offset > 0) or downwards (offset < 0); the
/// bit itself for 0; all ones when there is none.
uint32_t runtimeFindNthSet(uint32_t mask, uint32_t base, int32_t offset) {
  constexpr uint32_t none = ~0u;
  int step = offset < 0 ? -1 : 1;
  int wanted = std::abs(offset);
  if (offset == 0)
    return (mask >> (base & 31)) & 1 ? base : none;
  for (int bit = int(base); bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit) & 1 && --wanted == 0)
      return bit;
  return none;
}

/// PTX prmt in its default mode: each selector nibble picks one of the eight bytes of b:a, or its sign spread.
uint32_t runtimePermute(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    uint32_t nibble = (selector >> (4 * i)) & 15;
    uint32_t byte = uint32_t(bytes >> (8 * (nibble & 7))) & 0xFF;
    if (nibble & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  return result;
}

template <typename Function> HostSymbol symbol(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

llvm::ArrayRef<HostSymbol> runtimeSymbols() {
  static const HostSymbol symbols[] = {
      symbol("lockstep.barrier", runtimeBarrier),
      symbol("lockstep.warp", runtimeWarp),
      symbol("lockstep.wave", runtimeWave),
      symbol("lockstep.dppSource", runtimeDppSource),
      symbol("lockstep.swizzleSource", runtimeSwizzleSource),
      symbol("lockstep.messageBegin", deviceMessageBegin),
      symbol("lockstep.messageString", deviceMessageString),
      symbol("lockstep.messageArguments", deviceMessageArguments),
      symbol("lockstep.yield", runtimeYield),
      symbol("lockstep.exit", runtimeExit),
      symbol("lockstep.trap", runtimeTrap),
      symbol("lockstep.assertfail", runtimeAssertFail),
      symbol("lockstep.printf", runtimePrintf),
      symbol("lockstep.fns", runtimeFindNthSet),
      symbol("lockstep.prmt", runtimePermute),
  };
  return symbols;
}

bool isBlockingHostFunction(llvm::StringRef name) {
  return name == "lockstep.barrier" || name == "lockstep.warp" || name == "lockstep.wave" || name == "lockstep.yield" ||
         name == "lockstep.exit";
}

} // namespace lockstep::simgpu::jit
