// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host-shared (managed) memory. HIP has no stream-ordered call for it, so a free in stream order is done by an event
// behind the stream's work, and carried out at the first later call that allocates, frees or synchronises once the
// event has completed (rule ABI-7).

#ifndef LOCKSTEP_RUNTIME_HIP_MANAGEDMEMORY_H
#define LOCKSTEP_RUNTIME_HIP_MANAGEDMEMORY_H

#include "runtime-hip/Driver.h"

#include <atomic>
#include <mutex>
#include <unordered_set>
#include <vector>

namespace lockstep::hip {

class ApiCall;

/// Thread safe.
class ManagedMemory {
public:
  void add(hipDeviceptr_t memory);

  /// Whether `memory` was allocated here; forgets it, so that of two threads that free it one gets false.
  bool take(hipDeviceptr_t memory);

  /// Frees `memory` behind all work that `stream` has now.
  void freeInOrder(ApiCall &call, hipDeviceptr_t memory, hipStream_t stream);

  /// Carries out those deferred frees whose work has completed. Never blocks. Cheap where nothing is deferred.
  void releaseFinished(ApiCall &call);

  bool hasDeferred() const { return deferredCount.load(std::memory_order_acquire) != 0; }

  /// Carries out all deferred frees; their work must be complete. Errors are dropped: only for mgpuReset.
  void releaseDeferred(const Driver &driver);

  void clear();

private:
  struct Deferred {
    hipDeviceptr_t memory;
    hipEvent_t done;
  };

  std::mutex mutex;
  std::unordered_set<hipDeviceptr_t> live;
  std::vector<Deferred> deferred;
  std::atomic<size_t> deferredCount{0};
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_MANAGEDMEMORY_H
