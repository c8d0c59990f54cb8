// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Execution.h"

#include "harness/scenario/Mixing.h"
#include "harness/scenario/Slices.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace lockstep::scenario;

namespace {

class Unroller {
public:
  explicit Unroller(const Dag &dag) : chains(dag.chainCount), isAllocated(dag.buffers.size()) {
    execution.dag = &dag;
    for (BufferId buffer = 0; buffer < dag.buffers.size(); ++buffer) {
      execution.memories.push_back(buffer);
      memoryOf.push_back(buffer);
    }
  }

  Execution run() {
    unrollBlock(execution.dag->body, 0, 0);
    return std::move(execution);
  }

private:
  using Instances = std::vector<size_t>;

  void unrollBlock(const Sequence &block, uint64_t iteration, uint32_t saltOffset) {
    for (const Step &step : block.steps)
      std::visit([&](const auto &what) { unrollStep(what, iteration, saltOffset); }, step.what);
  }

  Instances behind(const std::vector<ChainId> &after) const {
    Instances all;
    for (ChainId chain : after)
      llvm::append_range(all, chains[chain]);
    llvm::sort(all);
    all.erase(llvm::unique(all), all.end());
    return all;
  }

  /// What the host has waited for is before everything that it does later.
  size_t add(Instance instance) {
    if (lastWait)
      instance.after.push_back(*lastWait);
    execution.instances.push_back(std::move(instance));
    return execution.instances.size() - 1;
  }

  Slice resolve(const Slice &slice, uint64_t iteration) const {
    Slice resolved = slice;
    resolved.buffer = memoryOf[slice.buffer];
    resolved.offset += slice.offsetPerIteration * iteration;
    resolved.offsetPerIteration = 0;
    return resolved;
  }

  /// The second allocation of a buffer, in a loop, gives other memory.
  void allocate(BufferId buffer) {
    if (isAllocated[buffer]) {
      memoryOf[buffer] = execution.memories.size();
      execution.memories.push_back(buffer);
    }
    isAllocated[buffer] = true;
  }

  void unrollStep(const DeviceOp &op, uint64_t iteration, uint32_t saltOffset) {
    if (op.kind == OpKind::Alloc)
      allocate(op.buffer);
    Instance instance{&op, false, behind(op.after), iteration, op.word + saltOffset};
    if (op.kind == OpKind::Alloc || op.kind == OpKind::Dealloc)
      instance.memory = memoryOf[op.buffer];
    else
      instance.target = resolve(op.target, iteration);
    for (const Slice &source : op.sources)
      instance.sources.push_back(resolve(source, iteration));
    chains[op.chain] = {add(std::move(instance))};
  }

  void unrollStep(const Join &join, uint64_t, uint32_t) { chains[join.chain] = behind(join.after); }

  void unrollStep(const Wait &wait, uint64_t, uint32_t) { lastWait = add({nullptr, false, behind(wait.on)}); }

  void unrollStep(const HostUpdate &update, uint64_t iteration, uint32_t saltOffset) {
    Instance instance{nullptr, true, {}, iteration, update.salt + saltOffset};
    instance.target = resolve(update.target, iteration);
    lastWait = add(std::move(instance));
  }

  void unrollStep(const Loop &loop, uint64_t, uint32_t saltOffset) {
    std::vector<Instances> values;
    for (const Loop::Carried &carried : loop.carried)
      values.push_back(chains[carried.initial]);
    for (uint32_t iteration = 0; iteration < loop.iterations; ++iteration) {
      for (auto [carried, value] : llvm::zip_equal(loop.carried, values))
        chains[carried.argument] = value;
      unrollBlock(loop.body, iteration, saltOffset + iteration * kSaltPerIteration);
      for (auto [carried, value] : llvm::zip_equal(loop.carried, values))
        value = chains[carried.yielded];
    }
    for (auto [carried, value] : llvm::zip_equal(loop.carried, values))
      chains[carried.result] = value;
  }

  void unrollStep(const Branch &branch, uint64_t iteration, uint32_t saltOffset) {
    unrollBlock(branch.isTaken ? branch.onThen : branch.onElse, iteration, saltOffset);
    for (const Branch::Result &result : branch.results)
      chains[result.result] = chains[branch.isTaken ? result.onThen : result.onElse];
  }

  Execution execution;
  std::vector<Instances> chains; ///< For each chain, the instances that it stands for.
  std::optional<size_t> lastWait;
  std::vector<uint32_t> memoryOf; ///< For each buffer, its memory now.
  std::vector<bool> isAllocated;
};

struct Use {
  Slice slice;
  bool isWrite;
};

} // namespace

Execution lockstep::scenario::unroll(const Dag &dag) { return Unroller(dag).run(); }

static std::vector<Use> usesOf(const Execution &execution, const Instance &instance) {
  if (!instance.op && !instance.isHostUpdate)
    return {};
  if (instance.op && (instance.op->kind == OpKind::Alloc || instance.op->kind == OpKind::Dealloc)) {
    const Buffer &buffer = execution.dag->buffers[execution.memories[instance.memory]];
    return {{{instance.memory, 0, buffer.words}, true}};
  }
  std::vector<Use> uses = {{instance.target, true}};
  for (const Slice &source : instance.sources)
    uses.push_back({source, false});
  return uses;
}

static bool conflict(const std::vector<Use> &first, const std::vector<Use> &second) {
  return llvm::any_of(first, [&](const Use &a) {
    return llvm::any_of(second, [&](const Use &b) { return (a.isWrite || b.isWrite) && mayOverlap(a.slice, b.slice); });
  });
}

static std::string nameOf(const Instance &instance) {
  std::string name = instance.op ? instance.op->name : "a host update";
  return instance.iteration ? name + " (iteration " + std::to_string(instance.iteration) + ")" : name;
}

std::optional<std::string> lockstep::scenario::findUnordered(const Execution &execution) {
  size_t count = execution.instances.size();
  std::vector<llvm::BitVector> before(count, llvm::BitVector(count));
  std::vector<std::vector<Use>> uses;
  for (size_t i = 0; i < count; ++i) {
    const Instance &instance = execution.instances[i];
    for (size_t earlier : instance.after) {
      before[i] |= before[earlier];
      before[i].set(earlier);
    }
    uses.push_back(usesOf(execution, instance));
    for (size_t earlier = 0; earlier < i; ++earlier)
      if (!before[i].test(earlier) && conflict(uses[earlier], uses[i]))
        return nameOf(execution.instances[earlier]) + " and " + nameOf(instance) +
               " use the same memory, and neither comes after the other";
  }
  return std::nullopt;
}
