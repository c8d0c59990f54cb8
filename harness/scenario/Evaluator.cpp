// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Execution.h"
#include "harness/scenario/Mixing.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <numeric>

using namespace lockstep::scenario;

/// What device memory holds before anything wrote it. No result depends on it.
static constexpr uint32_t kFreshWord = 0xF2E5F2E5;

namespace {

class Evaluator {
public:
  explicit Evaluator(const Execution &execution) : execution(execution) {
    for (BufferId id : execution.memories) {
      const Buffer &buffer = execution.dag->buffers[id];
      memory.emplace_back(buffer.words, buffer.isHost() ? kPoisonWord : kFreshWord);
      if (buffer.isInput)
        for (uint64_t i = 0; i < buffer.words; ++i)
          memory.back()[i] = inputWord(id, i);
    }
  }

  void run(const Instance &instance) {
    if (instance.isHostUpdate)
      rewrite(instance.target, instance.salt);
    if (instance.op)
      run(*instance.op, instance);
  }

  std::vector<std::vector<uint32_t>> takeHostMemory() {
    memory.resize(execution.dag->buffers.size());
    for (auto [buffer, words] : llvm::zip_equal(execution.dag->buffers, memory))
      if (!buffer.isHost())
        words.clear();
    return std::move(memory);
  }

private:
  uint32_t &at(const Slice &slice, uint64_t i) { return memory[slice.buffer].at(slice.offset + i * slice.stride); }

  void run(const DeviceOp &op, const Instance &instance) {
    const Slice &target = instance.target;
    const std::vector<Slice> &sources = instance.sources;
    switch (op.kind) {
    case OpKind::Alloc:
      llvm::fill(memory[instance.memory], kFreshWord);
      break;
    case OpKind::Dealloc:
      break;
    case OpKind::Copy:
      for (uint64_t i = 0; i < target.words; ++i)
        at(target, i) = at(sources[0], i);
      break;
    case OpKind::Fill:
      for (uint64_t i = 0; i < target.words; ++i)
        at(target, i) = op.word;
      break;
    case OpKind::Launch:
      launch(op.kernel, target, sources, instance.salt);
      break;
    case OpKind::HostCall:
      rewrite(target, instance.salt);
      break;
    }
  }

  void rewrite(const Slice &target, uint32_t salt) {
    for (uint64_t i = 0; i < target.words; ++i)
      at(target, i) = mixWord(mixWord(salt, i), at(target, i));
  }

  void launch(KernelKind kind, const Slice &target, const std::vector<Slice> &sources, uint32_t salt) {
    if (kind == KernelKind::Atomic) {
      for (uint64_t i = 0; i < sources[0].words; ++i)
        at(target, i % target.words) += mixWord(mixWord(salt, i), at(sources[0], i));
      return;
    }
    for (uint64_t i = 0; i < target.words; ++i)
      at(target, i) = word(kind, target, sources, salt, i);
  }

  /// Word i of the target. No target overlaps a source.
  uint32_t word(KernelKind kind, const Slice &target, const std::vector<Slice> &sources, uint32_t salt, uint64_t i) {
    uint32_t state = mixWord(salt, i);
    switch (kind) {
    case KernelKind::Update:
      state = mixWord(state, at(target, i));
      [[fallthrough]];
    case KernelKind::Mix:
      for (const Slice &source : sources)
        state = mixWord(state, at(source, i));
      return state;
    case KernelKind::Fold:
      for (uint64_t j = i; j < sources[0].words; j += target.words)
        state = mixWord(state, at(sources[0], j));
      return state;
    case KernelKind::Shared: {
      uint64_t blockBegin = i / kBlockThreads * kBlockThreads;
      uint64_t blockWords = std::min<uint64_t>(kBlockThreads, target.words - blockBegin);
      uint64_t neighbour = blockBegin + (i - blockBegin + 1) % blockWords;
      return mixWord(mixWord(state, at(sources[0], i)), at(sources[0], neighbour));
    }
    case KernelKind::Float: {
      float sum = unitFloat(state);
      for (const Slice &source : sources) {
        // Two statements, so that no compiler fuses them into one rounding.
        float scaled = sum * 0.75f;
        sum = scaled + unitFloat(at(source, i));
      }
      return std::bit_cast<uint32_t>(sum);
    }
    case KernelKind::Atomic:
      break;
    }
    llvm_unreachable("a kernel that writes words one by one");
  }

  const Execution &execution;
  std::vector<std::vector<uint32_t>> memory;
};

} // namespace

std::vector<std::vector<uint32_t>> lockstep::scenario::evaluate(const Execution &execution,
                                                                const std::vector<size_t> &order) {
  Evaluator evaluator(execution);
  for (size_t index : order)
    evaluator.run(execution.instances[index]);
  return evaluator.takeHostMemory();
}

std::vector<std::vector<uint32_t>> lockstep::scenario::evaluate(const Execution &execution) {
  std::vector<size_t> order(execution.instances.size());
  std::iota(order.begin(), order.end(), 0);
  return evaluate(execution, order);
}
