// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slots of a program: which graph belongs to which program point, who is building one now (rules GRAPHABI-3,
// GRAPHABI-8).

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHSLOTS_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHSLOTS_H

#include "runtime-api/support/GraphAllocations.h"
#include "runtime-api/support/GraphBuilder.h"
#include "runtime-api/support/GraphUpdate.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace lockstep::runtime {

/// What one slot of the program stands for. Belongs to whoever opened it, until close().
struct GraphSlot {
  GraphBuilder builder;
  GraphExecutable executable;
  GraphAllocations allocations;
  int32_t device = 0; ///< What the driver's objects were made for.

  /// Orders allocations behind the frees of the launch before, which may have been on another stream. Pooled; null
  /// until needed.
  void *launched = nullptr;
  void *lastStream = nullptr;

  /// The stream of an open capture, else null; and what has to wait for the end of the capture.
  MgpuStream captured = nullptr;
  std::vector<uint64_t> capturedFrees;     ///< Host-shared memory that captured work uses.
  std::vector<MgpuStream> releasedStreams; ///< Given back to the pool, but maybe still part of the capture.

private:
  friend class GraphSlots;
  uint64_t number = 0;
  bool isOpen = false;
  std::thread::id opener;
};

/// Slots are found by the address of the program's pointer. The pointer itself holds a number, never an address, so
/// that what a pointer holds from before a reset, or from a module that is gone, is recognised and not followed. Thread
/// safe.
class GraphSlots {
public:
  using Slot = std::shared_ptr<GraphSlot>;

  /// Opens the slot behind `home` for this thread, after waiting for another that has it open. Null where this thread
  /// has it open itself. `stale` gets what is in the way: the slot of an earlier variable at the same address.
  Slot open(void **home, Slot &stale);

  void close(GraphSlot &slot);

  /// The slot behind `home` where this thread has it open, else null.
  Slot findOpen(void **home);

  /// Notes that this thread captures into `slot`, and that it no longer does.
  void beginCapture(const Slot &slot, MgpuStream stream);
  void endCapture(GraphSlot &slot);

  /// What this thread captures into; null where it has no capture open. Cheap where no thread has.
  Slot capturing();

  /// Takes the slot out, after waiting for a thread that has it open, and sets `*home` to null. Null where there is
  /// none.
  Slot remove(void **home);

  /// Takes all out, open ones too. Only when no other thread uses any.
  std::vector<Slot> clear();

private:
  using Slots = std::unordered_map<void **, Slot>;
  /// The slot that `*home` means, or null.
  Slot find(void **home);

  std::mutex mutex;
  std::condition_variable closed;
  Slots slots;
  std::vector<Slot> captures;          ///< Those with an open capture, in order of beginning.
  std::atomic<size_t> captureCount{0}; ///< Their number.
  uint64_t lastNumber = 0;             ///< Never goes back, also over a reset.
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHSLOTS_H
