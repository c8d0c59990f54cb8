// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a slot's graph allocates (rule GRAPHABI-7). The program wants the address when it adds the node, and must
// get the same one at the next execution, or each would need a changed graph. But whether the rest of the graph keeps
// its shape is only known later, and a driver allows neither to move the memory of an allocation node to another graph
// nor to remove nodes beside it. So each allocation is a small graph of its own, launched before the slot's graph on
// the same stream; the slot's graph may then change as it likes.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHALLOCATIONS_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHALLOCATIONS_H

#include "runtime-api/support/GraphBackend.h"

namespace lockstep::runtime {

/// The allocations of one slot, in program order. Not thread safe.
class GraphAllocations {
public:
  /// Starts a new execution of the region.
  void begin() { usedCount = 0; }

  /// The memory of the next allocation node: that of the last execution where it had the same size, else new. Returns
  /// false with the failure recorded.
  bool take(GraphBackend &backend, uint64_t sizeBytes, uint64_t &address);

  /// Whether this execution allocates.
  bool isUsed() const { return usedCount != 0; }

  /// Launches the allocations of this execution; false with the failure recorded.
  bool launch(GraphBackend &backend);

  /// After the slot's graph was launched. Memory that it does not free is on its own from now on: the next execution
  /// gets other memory, because a driver does not allocate again what is not freed.
  void end(GraphBackend &backend, const std::vector<uint64_t> &freed);

  void release(GraphBackend &backend);

private:
  struct Allocation {
    uint64_t sizeBytes = 0; ///< 0 where there is none.
    uint64_t address = 0;
    DriverGraph driver;
    std::string op;
  };

  std::vector<Allocation> allocations;
  std::vector<DriverGraph> replaced; ///< The slot's graph may still name their memory.
  size_t usedCount = 0;
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHALLOCATIONS_H
