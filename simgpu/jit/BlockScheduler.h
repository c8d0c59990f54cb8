// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_BLOCKSCHEDULER_H
#define LOCKSTEP_SIMGPU_JIT_BLOCKSCHEDULER_H

#include "simgpu/jit/BlockContext.h"
#include "simgpu/jit/FiberSwitch.h"
#include "simgpu/jit/WarpOperation.h"
#include <array>
#include <deque>
#include <string>
#include <vector>

namespace lockstep::simgpu::jit {

/// What a thread does at a block barrier. The numbers are written into compiled code.
enum class BarrierKind : uint32_t { sync, arrive, reduceAnd, reduceOr, reducePopulation };

/// Runs the threads of one block as fibers on the calling thread, one at a time: a thread runs until it waits, ends or
/// yields. Threads become runnable in ascending order, so a run repeats exactly. Rules kept:
/// - a barrier without a count opens when all threads of the block that have not ended have arrived;
/// - a barrier with a count opens when that many have arrived;
/// - a warp operation happens when all lanes of its mask that have not ended have arrived with the same operation and
///   mask; a lane outside its own mask does not wait and reads an undefined value;
/// - a wave operation (of AMD's targets, without mask) happens when no lane of the wave can go on, for the lanes that
/// wait
///   at the same place. Of several places the first in the program goes first, so that lanes which took a detour meet
///   the others again behind it (S. Collange, "Stack-less SIMT reconvergence at low cost", 2011, does so by the
///   program counter).
/// The object may serve many blocks of the same shape, one after another. Not thread-safe.
class BlockScheduler {
public:
  /// `kernelName` and `block` must outlive the object.
  BlockScheduler(FiberEntry entry, BlockContext &block, const std::string &kernelName);
  /// Gives the stacks back, also those of threads that were left in the middle.
  ~BlockScheduler();
  BlockScheduler(const BlockScheduler &) = delete;
  BlockScheduler &operator=(const BlockScheduler &) = delete;

  /// False: there is no memory for the stacks. To be called once, before runBlock.
  bool reserveStacks() { return takeStacks(threads.size(), stacks); }

  /// Runs the block that the context describes. Inside runGuarded; aborts when no thread can go on.
  void runBlock();

  /// The rest is called by device code, on a fiber.
  LOCKSTEP_SWITCHES_FIBERS uint64_t barrier(BarrierKind kind, uint32_t id, uint32_t count, bool predicate);
  LOCKSTEP_SWITCHES_FIBERS uint64_t warp(WarpOperation operation, uint32_t mask, LaneOperands operands);
  /// `site` numbers the place in the program, from 1.
  LOCKSTEP_SWITCHES_FIBERS uint64_t wave(WarpOperation operation, uint32_t site, LaneOperands operands);
  LOCKSTEP_SWITCHES_FIBERS void yield();
  [[noreturn]] LOCKSTEP_SWITCHES_FIBERS void exitThread();

private:
  enum class State : uint8_t { fresh, runnable, atBarrier, inWarp, ended };

  struct Thread {
    FlowOfControl flow;
    FiberStack stack{nullptr};
    State state = State::fresh;
    uint32_t waitsFor = 0;
    uint64_t result = 0;
  };

  struct Barrier {
    uint32_t arrived = 0;
    /// 0: all threads that have not ended.
    uint32_t count = 0;
    BarrierKind kind = BarrierKind::sync;
    uint32_t truths = 0;
    std::vector<uint32_t> waiting;
  };

  struct Rendezvous {
    WarpOperation operation;
    uint64_t mask;
    /// 0 for operations with a mask.
    uint32_t site;
    uint64_t arrived = 0;
    LaneOperands operands[warpSizeMax];
  };

  struct Warp {
    uint64_t live = 0;
    std::vector<Rendezvous> pending;
  };

  LOCKSTEP_SWITCHES_FIBERS static void fiberMain(void *self);
  void reset();
  void resume(uint32_t index);
  LOCKSTEP_SWITCHES_FIBERS void suspend(State state);
  void endThread(uint32_t index);
  void openIfComplete(Barrier &barrier);
  LOCKSTEP_SWITCHES_FIBERS uint64_t waitInWarp(WarpOperation operation, uint64_t mask, uint32_t site,
                                               LaneOperands operands);
  void finishIfComplete(uint32_t warpIndex, size_t position);
  void finish(uint32_t warpIndex, size_t position);
  void finishWaveOperation(uint32_t warpIndex);
  Dim3 position(uint32_t index) const;
  std::string describeDeadlock() const;

  FiberEntry entry;
  BlockContext &block;
  const std::string &kernelName;
  const uint32_t lanesPerWarp;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::array<Barrier, 16> barriers;
  std::deque<uint32_t> runnable;
  std::vector<FiberStack> stacks;
  uint32_t live = 0;
  uint32_t current = 0;
  FlowOfControl schedulerFlow;
};

} // namespace lockstep::simgpu::jit

#endif
