// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a graph's allocation node: async-semantics 5.6. The address is fixed when the node is made; each launch
// allocates it anew. The range lives as long as a node, an instance or a launch refers to it, or the program has not
// freed it.
//
// The machine's lock guards all of it.

#ifndef LOCKSTEP_SIMGPU_CORE_GRAPHMEMORY_H
#define LOCKSTEP_SIMGPU_CORE_GRAPHMEMORY_H

#include "simgpu/core/Memory.h"

#include <set>

namespace lockstep::simgpu {

class Call;
class Machine;

/// What the graphs of one device use and hold.
struct GraphMemoryUse {
  uint64_t usedBytes = 0, usedHighBytes = 0;
  uint64_t reservedBytes = 0, reservedHighBytes = 0;

  void take(uint64_t bytes);
  void giveBack(uint64_t bytes) { usedBytes -= bytes; }
  void trim() { reservedBytes = usedBytes; }
};

struct GraphMemory : std::enable_shared_from_this<GraphMemory> {
  explicit GraphMemory(Machine &machine) : machine(machine) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory &) = delete;
  GraphMemory &operator=(const GraphMemory &) = delete;

  Machine &machine;
  AllocationPtr allocation;
  uint64_t owner = 0;         ///< Handle of the graph with the allocation node.
  std::set<uint64_t> freedBy; ///< Handles of the graphs that have a free node for it.

  /// In order of submission: a launch that allocates it was queued, and no free after it.
  bool isLive() const { return !allocation->freeWasQueued; }
  bool isFreedByOwner() const { return freedBy.count(owner) != 0; }
  void markAllocated();
  void markFreed();
  /// Frees at once.
  void free();
  /// Give `operation` the work of the allocation and of the free.
  void setAllocation(Operation &operation);
  void setFree(Operation &operation);

private:
  void endUse();
};

/// Null, OutOfMemory or InvalidValue where it cannot be had.
Status createGraphMemory(Call &call, int deviceOrdinal, uint64_t sizeBytes, std::shared_ptr<GraphMemory> &memory);
/// The graph memory that starts at `address`; otherwise null, InvalidValue and a finding.
std::shared_ptr<GraphMemory> findGraphMemory(Call &call, uint64_t address, Status &status);
/// Whether a call outside of graphs may free it now; InvalidValue and a finding where not.
Status checkFreeOutside(Call &call, const GraphMemory &memory);

/// Whether the graph may get a free node for it; InvalidValue and a finding where not.
Status checkFreeNode(Call &call, const GraphMemory &memory, uint64_t graph);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_GRAPHMEMORY_H
