// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/ManagedMemory.h"
#include "runtime-hip/Capture.h"
#include "runtime-hip/Pools.h"

using namespace lockstep::hip;
using lockstep::runtime::HandleInfo;

void ManagedMemory::add(hipDeviceptr_t memory) {
  std::lock_guard<std::mutex> lock(mutex);
  live.insert(memory);
}

bool ManagedMemory::take(hipDeviceptr_t memory) {
  std::lock_guard<std::mutex> lock(mutex);
  return live.erase(memory) != 0;
}

void ManagedMemory::freeInOrder(ApiCall &call, hipDeviceptr_t memory, hipStream_t stream) {
  if (freeAfterCapture(call, memory, stream))
    return;
  int32_t device = runtimeState().handles.find(stream).value_or(HandleInfo()).device;
  hipEvent_t done = acquireEvent(call, device);
  if (!done || !recordEvent(call, done, stream))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  deferred.push_back({memory, done});
  deferredCount.store(deferred.size(), std::memory_order_release);
}

void ManagedMemory::releaseFinished(ApiCall &call) {
  // A thread that captures must not query; a later call will do.
  if (!hasDeferred() || isCapturing())
    return;
  // Taken out first: the lock must not be held across driver calls, which a recorder may make slow.
  std::vector<Deferred> candidates;
  {
    std::lock_guard<std::mutex> lock(mutex);
    candidates.swap(deferred);
    deferredCount.store(0, std::memory_order_release);
  }
  std::vector<Deferred> unfinished;
  for (const Deferred &candidate : candidates) {
    hipError_t result = call.driver().hipEventQuery(candidate.done);
    if (result == hipErrorNotReady) {
      unfinished.push_back(candidate);
      continue;
    }
    if (result != hipSuccess)
      call.fail(call.driver().describe("hipEventQuery", result));
    else
      call.invoke(call.driver().hipFree, candidate.memory);
    releaseEvent(call, "event", candidate.done);
  }
  std::lock_guard<std::mutex> lock(mutex);
  deferred.insert(deferred.end(), unfinished.begin(), unfinished.end());
  deferredCount.store(deferred.size(), std::memory_order_release);
}

void ManagedMemory::releaseDeferred(const Driver &driver) {
  std::lock_guard<std::mutex> lock(mutex);
  // The events belong to the pool, which destroys them.
  for (const Deferred &entry : deferred)
    driver.hipFree(entry.memory);
  deferred.clear();
  deferredCount.store(0, std::memory_order_release);
}

void ManagedMemory::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  live.clear();
  deferred.clear();
  deferredCount.store(0, std::memory_order_release);
}
