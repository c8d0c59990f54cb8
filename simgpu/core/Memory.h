// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every range of memory that the device knows: device allocations, stream-ordered ones, managed and pinned host memory,
// module globals. Fresh memory is filled with one pattern and freed memory with another, and a freed range is not
// handed out again until much more has been freed after it.
//
// The machine's lock guards all of it.

#ifndef LOCKSTEP_SIMGPU_CORE_MEMORY_H
#define LOCKSTEP_SIMGPU_CORE_MEMORY_H

#include "simgpu/core/Arena.h"
#include "simgpu/core/Operation.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::simgpu {

inline constexpr unsigned char freshPattern = 0xA5;
inline constexpr unsigned char freedPattern = 0xDB;

enum class MemoryKind : uint8_t { Device, StreamOrdered, ModuleGlobal, Graph, Managed, HostAllocated, HostRegistered };

struct GraphMemory;

struct Allocation {
  uint64_t address = 0;
  uint64_t sizeBytes = 0;
  MemoryKind kind = MemoryKind::Device;
  int deviceOrdinal = 0;
  uint64_t ordinal = 0; ///< Counts allocations since the last reset: a name that is the same in every run.
  std::string call;     ///< What made it: "cuMemAlloc_v2".
  std::string op;
  std::weak_ptr<Context> context;         ///< Empty for memory that outlives contexts (pools).
  std::weak_ptr<GraphMemory> graphMemory; ///< For memory of a graph's allocation node.
  bool isUsable = true;                   ///< False before a stream-ordered allocation has run.
  bool freeWasQueued = false;   ///< cuMemFreeAsync has returned; nothing new may use it. Of a graph: not allocated.
  bool wasFreedByGraph = false; ///< Memory of a graph: some free of it has run.
  bool isDead = false;          ///< Freed.
  bool isReleased = false;      ///< Dead, and its memory is gone or in other hands: must not be touched.

  bool isHost() const { return kind == MemoryKind::HostAllocated || kind == MemoryKind::HostRegistered; }
  bool isInArena() const {
    return kind == MemoryKind::Device || kind == MemoryKind::StreamOrdered || kind == MemoryKind::ModuleGlobal ||
           kind == MemoryKind::Graph;
  }
  /// Why a call must not use it ("which was freed"), or "". A node of a graph may use memory that a later launch of a
  /// graph allocates.
  std::string whyUnusable(bool isInGraph) const;
  /// "allocation 3 of 256 bytes by cuMemAlloc_v2".
  std::string describe() const;
};

using AllocationPtr = std::shared_ptr<Allocation>;

class Memory {
public:
  explicit Memory(Arena &arena) : arena(arena) {}

  /// Forgets everything; host memory that this class allocated goes back to the system.
  void restart(unsigned deviceCount, uint64_t limitBytes);
  /// Null where the device's limit or the system's memory does not allow it. `sizeBytes` is not 0.
  AllocationPtr allocate(MemoryKind kind, int deviceOrdinal, uint64_t sizeBytes);
  /// Makes a range of the program's own memory known. The range must not overlap a known one.
  AllocationPtr registerHost(uint64_t address, uint64_t sizeBytes);
  /// Frees for real: poison and quarantine. For registered host memory: forgets it.
  void release(const AllocationPtr &allocation);
  /// The allocation, live or dead, whose range covers `address`.
  AllocationPtr find(uint64_t address) const;
  /// Any allocation that shares a byte with the range, live ones only.
  AllocationPtr findOverlap(uint64_t address, uint64_t sizeBytes) const;
  /// Where the simulator reads and writes this address.
  void *view(uint64_t address) const {
    return arena.contains(address) ? arena.view(address) : reinterpret_cast<void *>(address);
  }
  uint64_t getUsedBytes(int deviceOrdinal) const { return usedBytes[deviceOrdinal]; }
  uint64_t getLimitBytes() const { return limitBytes; }
  /// Live allocations in order of creation.
  std::vector<AllocationPtr> listLive() const;
  Arena &getArena() { return arena; }

private:
  void trimQuarantine(uint64_t boundBytes);
  void dispose(const AllocationPtr &allocation);

  Arena &arena;
  std::map<uint64_t, AllocationPtr> byAddress; ///< Live and quarantined.
  std::deque<AllocationPtr> quarantine;
  uint64_t quarantineBytes = 0;
  std::vector<uint64_t> usedBytes;
  uint64_t limitBytes = 0;
  uint64_t lastOrdinal = 0;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_MEMORY_H
