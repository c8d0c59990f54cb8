// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/BlockScheduler.h"
#include "simgpu/jit/FaultGuard.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace lockstep::simgpu::jit {

BlockScheduler::BlockScheduler(FiberEntry entry, BlockContext &block, const std::string &kernelName)
    : entry(entry), block(block), kernelName(kernelName), lanesPerWarp(block.warpSize),
      threads(size_t(block.blockSize.x) * block.blockSize.y * block.blockSize.z),
      warps((threads.size() + lanesPerWarp - 1) / lanesPerWarp) {}

BlockScheduler::~BlockScheduler() {
  for (Thread &thread : threads)
    if (thread.stack.base)
      stacks.push_back(thread.stack);
  returnStacks(stacks);
}

Dim3 BlockScheduler::position(uint32_t index) const {
  return {index % block.blockSize.x, index / block.blockSize.x % block.blockSize.y,
          index / block.blockSize.x / block.blockSize.y};
}

void BlockScheduler::reset() {
  live = threads.size();
  runnable.clear();
  for (uint32_t i = 0; i != live; ++i) {
    threads[i].state = State::fresh;
    runnable.push_back(i);
  }
  for (Barrier &barrier : barriers)
    barrier = {};
  for (size_t i = 0; i != warps.size(); ++i) {
    size_t lanes = std::min<size_t>(lanesPerWarp, threads.size() - i * lanesPerWarp);
    warps[i].live = llvm::maskTrailingOnes<uint64_t>(lanes);
    warps[i].pending.clear();
  }
}

void BlockScheduler::runBlock() {
  reset();
  while (!runnable.empty()) {
    uint32_t index = runnable.front();
    runnable.pop_front();
    resume(index);
  }
  if (live)
    abortWithDeadlock(describeDeadlock());
}

void BlockScheduler::fiberMain(void *self) {
  auto *scheduler = static_cast<BlockScheduler *>(self);
  arriveOnFiber(scheduler->schedulerFlow);
  Dim3 at = scheduler->position(scheduler->current);
  scheduler->entry(&scheduler->block, at.x, at.y, at.z);
  scheduler->exitThread();
}

void BlockScheduler::resume(uint32_t index) {
  Thread &thread = threads[index];
  current = index;
  if (thread.state == State::fresh) {
    // A thread that ended without waiting left its stack for this one.
    thread.stack = stacks.back();
    stacks.pop_back();
    thread.flow = prepareFiber(thread.stack, fiberMain, this);
  }
  thread.state = State::runnable;
  switchToFiber(schedulerFlow, thread.flow);
  if (thread.state == State::ended)
    endThread(index);
  finishWaveOperation(index / lanesPerWarp);
}

void BlockScheduler::suspend(State state) {
  threads[current].state = state;
  switchFromFiber(threads[current].flow, schedulerFlow, state == State::ended);
}

void BlockScheduler::exitThread() {
  suspend(State::ended);
  llvm_unreachable("an ended thread is never resumed");
}

void BlockScheduler::yield() {
  runnable.push_back(current);
  suspend(State::runnable);
}

void BlockScheduler::endThread(uint32_t index) {
  Thread &thread = threads[index];
  stacks.push_back(thread.stack);
  thread.stack.base = nullptr;
  --live;
  for (Barrier &barrier : barriers)
    if (!barrier.waiting.empty())
      openIfComplete(barrier);
  uint32_t warpIndex = index / lanesPerWarp;
  Warp &warp = warps[warpIndex];
  warp.live &= ~(uint64_t(1) << index % lanesPerWarp);
  for (size_t i = warp.pending.size(); i-- > 0;)
    finishIfComplete(warpIndex, i);
}

uint64_t BlockScheduler::barrier(BarrierKind kind, uint32_t id, uint32_t count, bool predicate) {
  if (id >= barriers.size())
    abortWithTrap("kernel '" + kernelName + "' uses barrier " + std::to_string(id) + "; a block has 16");
  Barrier &barrier = barriers[id];
  if (barrier.arrived == 0)
    barrier.count = count;
  else if (barrier.count != count)
    abortWithTrap("kernel '" + kernelName + "': threads arrive at barrier " + std::to_string(id) +
                  " with different thread counts");
  ++barrier.arrived;
  barrier.truths += predicate;
  if (kind != BarrierKind::arrive) {
    barrier.kind = kind;
    barrier.waiting.push_back(current);
    threads[current].waitsFor = id;
    threads[current].state = State::atBarrier;
  }
  openIfComplete(barrier);
  if (kind != BarrierKind::arrive)
    suspend(threads[current].state);
  return threads[current].result;
}

void BlockScheduler::openIfComplete(Barrier &barrier) {
  uint32_t needed = barrier.count ? barrier.count : live;
  if (barrier.arrived < needed)
    return;
  uint64_t result = 0;
  if (barrier.kind == BarrierKind::reduceAnd)
    result = barrier.truths == barrier.arrived;
  else if (barrier.kind == BarrierKind::reduceOr)
    result = barrier.truths != 0;
  else if (barrier.kind == BarrierKind::reducePopulation)
    result = barrier.truths;
  std::sort(barrier.waiting.begin(), barrier.waiting.end());
  for (uint32_t index : barrier.waiting) {
    threads[index].result = result;
    threads[index].state = State::runnable;
    runnable.push_back(index);
  }
  barrier.waiting.clear();
  barrier.arrived = barrier.truths = 0;
  barrier.kind = BarrierKind::sync;
}

uint64_t BlockScheduler::warp(WarpOperation operation, uint32_t mask, LaneOperands operands) {
  if (!((mask >> (current % lanesPerWarp)) & 1))
    return undefinedLaneValue;
  return waitInWarp(operation, mask, /*site=*/0, operands);
}

uint64_t BlockScheduler::wave(WarpOperation operation, uint32_t site, LaneOperands operands) {
  return waitInWarp(operation, /*mask=*/0, site, operands);
}

uint64_t BlockScheduler::waitInWarp(WarpOperation operation, uint64_t mask, uint32_t site, LaneOperands operands) {
  uint32_t warpIndex = current / lanesPerWarp, lane = current % lanesPerWarp;
  Warp &warp = warps[warpIndex];
  size_t position = 0;
  while (position != warp.pending.size() &&
         (warp.pending[position].operation != operation || warp.pending[position].mask != mask ||
          warp.pending[position].site != site))
    ++position;
  if (position == warp.pending.size())
    warp.pending.push_back({operation, mask, site, 0, {}});
  Rendezvous &rendezvous = warp.pending[position];
  rendezvous.arrived |= uint64_t(1) << lane;
  rendezvous.operands[lane] = operands;
  threads[current].waitsFor = uint32_t(operation);
  threads[current].state = State::inWarp;
  finishIfComplete(warpIndex, position);
  suspend(threads[current].state);
  return threads[current].result;
}

void BlockScheduler::finishIfComplete(uint32_t warpIndex, size_t position) {
  Warp &warp = warps[warpIndex];
  Rendezvous &rendezvous = warp.pending[position];
  if (!rendezvous.site && !((rendezvous.mask & warp.live) & ~rendezvous.arrived))
    finish(warpIndex, position);
}

void BlockScheduler::finishWaveOperation(uint32_t warpIndex) {
  Warp &warp = warps[warpIndex];
  size_t first = warp.pending.size();
  for (size_t i = 0; i != warp.pending.size(); ++i)
    if (warp.pending[i].site && (first == warp.pending.size() || warp.pending[i].site < warp.pending[first].site))
      first = i;
  if (first == warp.pending.size())
    return;
  for (uint64_t lanes = warp.live; lanes; lanes &= lanes - 1) {
    State state = threads[warpIndex * lanesPerWarp + countr_zero(lanes)].state;
    if (state == State::runnable || state == State::fresh)
      return;
  }
  finish(warpIndex, first);
}

void BlockScheduler::finish(uint32_t warpIndex, size_t position) {
  Warp &warp = warps[warpIndex];
  Rendezvous &rendezvous = warp.pending[position];
  uint64_t results[warpSizeMax];
  computeWarpOperation(rendezvous.operation, rendezvous.arrived, rendezvous.operands, results);
  for (uint64_t lanes = rendezvous.arrived; lanes; lanes &= lanes - 1) {
    uint32_t lane = countr_zero(lanes), index = warpIndex * lanesPerWarp + lane;
    threads[index].result = results[lane];
    threads[index].state = State::runnable;
    runnable.push_back(index);
  }
  warp.pending.erase(warp.pending.begin() + position);
}

std::string BlockScheduler::describeDeadlock() const {
  std::string text;
  raw_string_ostream stream(text);
  const Dim3 &index = block.blockIndex;
  stream << "deadlock in kernel '" << kernelName << "', block (" << index.x << ", " << index.y << ", " << index.z
         << "): none of its " << live << " live threads can go on";
  auto printThread = [&](uint32_t thread) {
    Dim3 at = position(thread);
    stream << "(" << at.x << ", " << at.y << ", " << at.z << ")";
  };
  for (size_t id = 0; id != barriers.size(); ++id) {
    const Barrier &barrier = barriers[id];
    if (barrier.waiting.empty())
      continue;
    stream << "; barrier " << id << ": " << barrier.arrived << " of " << (barrier.count ? barrier.count : live)
           << " arrived, first of those waiting ";
    printThread(*std::min_element(barrier.waiting.begin(), barrier.waiting.end()));
  }
  for (size_t warpIndex = 0; warpIndex != warps.size(); ++warpIndex)
    for (const Rendezvous &rendezvous : warps[warpIndex].pending)
      stream << "; warp " << warpIndex << ": lanes " << format_hex(rendezvous.arrived, 10) << " wait in "
             << warpOperationName(rendezvous.operation) << " for lanes "
             << format_hex(rendezvous.mask & warps[warpIndex].live & ~rendezvous.arrived, 10);
  return text;
}

} // namespace lockstep::simgpu::jit
