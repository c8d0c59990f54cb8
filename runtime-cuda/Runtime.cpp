// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Runtime.h"

#include "runtime-cuda/Graphs.h"

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
  std::unique_ptr<Driver> loaded = std::move(parked);
  bool isWanted = loaded && loaded->requestedLibrary() == Driver::wantedLibrary();
  if (!isWanted)
    loaded = Driver::load(failure);
  else if (!loaded->start(failure))
    loaded = nullptr;
  if (!loaded) {
    status.fail(function, failure);
    return nullptr;
  }
  loaded->forwardOp(currentOp());
  // Owned by the pointer without a lock, until a reset, when no thread uses it.
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

void Runtime::releaseGraphs() {
  ApiCall call("mgpuReset", ApiCall::DroppingFailures());
  for (const GraphSlots::Slot &slot : graphSlots.clear())
    releaseSlot(call, *slot);
}

void Runtime::releaseObjects(const Driver &loaded) {
  bool somethingMayRun = hostCalls.expectedRunCount() != 0 || managedMemory.hasDeferred();
  // What a driver says to these is of no use to anybody: the run is over, and its first failure is recorded already.
  Failure ignored;
  ContextScope scope;
  for (CUcontext context : contexts.retained()) {
    if (!context)
      continue;
    if (somethingMayRun)
      drainContext(loaded, context);
    scope.enter(loaded, context, ignored);
  }
  releaseGraphs();
  // Any context will do for memory: addresses are unified.
  managedMemory.releaseDeferred(loaded);
  tensorMaps.release(loaded);
  for (HandleKind kind : {HandleKind::Stream, HandleKind::Event})
    for (const void *handle : handles.pooled(kind)) {
      CUcontext context = contexts.get(loaded, handles.find(handle).value_or(HandleInfo()).device, ignored);
      scope.enter(loaded, context, ignored);
      void *object = const_cast<void *>(handle);
      if (kind == HandleKind::Stream)
        loaded.cuStreamDestroy(static_cast<CUstream>(object));
      else
        loaded.cuEventDestroy(static_cast<CUevent>(object));
    }
  scope.leave(ignored);
}

void Runtime::reset() {
  std::lock_guard<std::mutex> lock(loadMutex);
  if (const Driver *loaded = loadedDriver()) {
    releaseObjects(*loaded);
    parked.reset(const_cast<Driver *>(driver.exchange(nullptr)));
  }
  hostCalls.clear();
  managedMemory.clear();
  freeStreams.clear();
  freeEvents.clear();
  eventUsers.clear();
  handles.clear();
  contexts.forget();
  defaultDevice.store(0, std::memory_order_relaxed);
  status.reset();
}
