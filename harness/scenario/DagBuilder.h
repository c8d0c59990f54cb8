// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a scenario as one would write a sequential program; the chains follow from what each operation reads and
// writes. So a scenario has every order that its memory needs, and only the orders that it needs or asks for.

#ifndef LOCKSTEP_HARNESS_SCENARIO_DAGBUILDER_H
#define LOCKSTEP_HARNESS_SCENARIO_DAGBUILDER_H

#include "harness/scenario/Dag.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace lockstep::scenario {

class DagBuilder {
public:
  /// Host memory. An input begins with known words; an output is compared at the end.
  BufferId input(const std::string &name, uint64_t words, MemoryKind memory = MemoryKind::Pinned);
  BufferId output(const std::string &name, uint64_t words, MemoryKind memory = MemoryKind::Pinned);
  BufferId device(const std::string &name, uint64_t words);

  /// All words of a buffer.
  Slice whole(BufferId buffer) const;

  // Each adds one operation, after whatever it needs and after `after`, and gives its chain. Names are completed with
  // the number of their use. A device buffer is allocated once before its first use, and may be freed.
  ChainId alloc(BufferId buffer, const std::vector<ChainId> &after = {});
  ChainId dealloc(BufferId buffer);
  ChainId copy(const Slice &target, const Slice &source, const std::vector<ChainId> &after = {});
  ChainId fill(const Slice &target, uint32_t word, const std::vector<ChainId> &after = {});
  ChainId launch(KernelKind kernel, const Slice &target, const std::vector<Slice> &sources,
                 const std::vector<ChainId> &after = {});
  ChainId hostCall(const Slice &target, const std::vector<ChainId> &after = {});

  /// One chain for several.
  ChainId join(const std::vector<ChainId> &chains);
  /// The host waits for all that uses these buffers.
  void wait(const std::vector<BufferId> &buffers);
  /// The host rewrites host memory, after a wait for what uses it.
  void hostUpdate(const Slice &target);

  /// A loop whose body uses no buffers but `used`; for each, one chain is carried. Buffers that the body allocates it
  /// frees.
  void loop(uint32_t iterations, const std::vector<BufferId> &used, llvm::function_ref<void()> body);
  void branch(bool isTaken, const std::vector<BufferId> &used, llvm::function_ref<void()> onThen,
              llvm::function_ref<void()> onElse);

  /// Frees what is allocated, waits for everything, and gives the scenario. The builder is empty then.
  Dag finish();

private:
  struct Access {
    Slice slice;
    bool isWrite;
    ChainId chain;
  };
  using Accesses = std::map<BufferId, std::vector<Access>>;

  BufferId addBuffer(Buffer buffer);
  ChainId addOp(DeviceOp op, const std::vector<ChainId> &after);
  /// The chains that an access must come after.
  void require(const Slice &slice, bool isWrite, std::vector<ChainId> &chains) const;
  /// Notes an access; those that it covers matter no more.
  void note(const Slice &slice, bool isWrite, ChainId chain);
  std::vector<ChainId> pending(BufferId buffer) const;
  /// From here on, one chain stands for all that used the buffer.
  void collapse(BufferId buffer, ChainId chain);
  /// At the end of a block: one chain for each of its buffers. What only the block knows is joined into the first.
  std::vector<ChainId> leave(const std::vector<BufferId> &used, const Accesses &before);
  std::string uniqueName(const std::string &stem);
  ChainId newChain() { return dag.chainCount++; }
  void add(Step step) { block->steps.push_back(std::move(step)); }

  Dag dag;
  Sequence *block = &dag.body;
  Accesses accesses;
  std::map<std::string, unsigned> nameUses;
  std::vector<BufferId> allocated;
};

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_DAGBUILDER_H
