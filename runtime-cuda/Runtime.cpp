// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Runtime.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

Runtime &lockstep::cuda::runtimeState() {
  static Runtime &state = *new Runtime;
  return state;
}

const Driver *Runtime::ensureDriver(const char *function) {
  if (const Driver *loaded = loadedDriver())
    return loaded;
  std::lock_guard<std::mutex> lock(loadMutex);
  if (const Driver *loaded = loadedDriver())
    return loaded;
  Failure failure;
  std::unique_ptr<Driver> loaded = Driver::load(failure);
  if (!loaded) {
    status.fail(function, failure);
    return nullptr;
  }
  loaded->forwardOp(currentOp());
  // Kept for ever: threads use it without a lock.
  driver.store(loaded.get(), std::memory_order_release);
  return loaded.release();
}

/// Waits for everything in `context`. Straight to the driver, so that an injected fault cannot make the caller free
/// what is still in use. A context that died returns its error at once, and then nothing in it runs any more.
static void drainContext(const Driver &driver, CUcontext context) {
  CUcontext popped = nullptr;
  if (driver.cuCtxPushCurrent.entry(context) != CUDA_SUCCESS)
    return;
  driver.cuCtxSynchronize.entry();
  driver.cuCtxPopCurrent.entry(&popped);
}

void Runtime::releaseObjects(const Driver &loaded) {
  bool somethingMayRun = hostCalls.pendingCount() != 0 || managedMemory.hasDeferred();
  if (somethingMayRun)
    for (CUcontext context : contexts.retained())
      if (context)
        drainContext(loaded, context);
  // What a driver says to these is of no use to anybody: the run is over, and its first failure is recorded already.
  managedMemory.releaseDeferred(loaded);
  tensorMaps.release(loaded);
  for (const void *stream : handles.pooled(HandleKind::Stream))
    loaded.cuStreamDestroy(static_cast<CUstream>(const_cast<void *>(stream)));
  for (const void *event : handles.pooled(HandleKind::Event))
    loaded.cuEventDestroy(static_cast<CUevent>(const_cast<void *>(event)));
}

void Runtime::reset() {
  std::lock_guard<std::mutex> lock(loadMutex);
  const Driver *loaded = loadedDriver();
  if (loaded)
    releaseObjects(*loaded);
  hostCalls.clear();
  managedMemory.clear();
  freeStreams.clear();
  freeEvents.clear();
  eventUsers.clear();
  handles.clear();
  contexts.forget();
  defaultDevice.store(0, std::memory_order_relaxed);
  status.reset();
  if (loaded && loaded->requestedLibrary() != Driver::wantedLibrary())
    driver.store(nullptr, std::memory_order_release);
}
