// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/ManagedMemory.h"
#include "runtime-cuda/Capture.h"
#include "runtime-cuda/Pools.h"

using namespace lockstep::cuda;
using lockstep::runtime::HandleInfo;

void ManagedMemory::add(CUdeviceptr memory) {
  std::lock_guard<std::mutex> lock(mutex);
  live.insert(memory);
}

bool ManagedMemory::take(CUdeviceptr memory) {
  std::lock_guard<std::mutex> lock(mutex);
  return live.erase(memory) != 0;
}

void ManagedMemory::freeInOrder(ApiCall &call, CUdeviceptr memory, CUstream stream) {
  if (freeAfterCapture(call, memory, stream))
    return;
  int32_t device = runtimeState().handles.find(stream).value_or(HandleInfo()).device;
  CUevent done = acquireEvent(call, device);
  if (!done || !call.invoke(call.driver().cuEventRecord, done, stream))
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
    CUresult result = call.driver().cuEventQuery(candidate.done);
    if (result == CUDA_ERROR_NOT_READY) {
      unfinished.push_back(candidate);
      continue;
    }
    if (result != CUDA_SUCCESS)
      call.fail(call.driver().describe("cuEventQuery", result));
    else
      call.invoke(call.driver().cuMemFree, candidate.memory);
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
    driver.cuMemFree(entry.memory);
  deferred.clear();
  deferredCount.store(0, std::memory_order_release);
}

void ManagedMemory::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  live.clear();
  deferred.clear();
  deferredCount.store(0, std::memory_order_release);
}
