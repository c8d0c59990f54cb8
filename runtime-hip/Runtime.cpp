// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Runtime.h"

#include "runtime-hip/Graphs.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

Runtime &lockstep::hip::runtimeState() {
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
  // The wait goes straight to the driver, so that an injected fault cannot make the caller free what is still in use. A
  // device that failed returns its error at once, and then nothing runs on it any more.
  for (int32_t device = 0; device < loaded.deviceCount() && device < Contexts::kDeviceCountMax; ++device)
    if (contexts.isUsed(device) && scope.enter(loaded, device, ignored) && somethingMayRun)
      loaded.hipDeviceSynchronize.entry();
  releaseGraphs();
  // Any device will do for memory: addresses are unified.
  managedMemory.releaseDeferred(loaded);
  for (HandleKind kind : {HandleKind::Stream, HandleKind::Event})
    for (const void *handle : handles.pooled(kind)) {
      scope.enter(loaded, handles.find(handle).value_or(HandleInfo()).device, ignored);
      void *object = const_cast<void *>(handle);
      if (kind == HandleKind::Stream)
        loaded.hipStreamDestroy(static_cast<hipStream_t>(object));
      else
        loaded.hipEventDestroy(static_cast<hipEvent_t>(object));
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
  capturedEvents.clear();
  eventUsers.clear();
  handles.clear();
  contexts.forget();
  defaultDevice.store(0, std::memory_order_relaxed);
  status.reset();
}
