// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the library, one per process.

#ifndef LOCKSTEP_RUNTIME_HIP_RUNTIME_H
#define LOCKSTEP_RUNTIME_HIP_RUNTIME_H

#include "runtime-api/support/GraphSlots.h"
#include "runtime-api/support/Handles.h"
#include "runtime-api/support/HostCalls.h"
#include "runtime-api/support/Pool.h"
#include "runtime-api/support/Status.h"
#include "runtime-hip/Contexts.h"
#include "runtime-hip/Driver.h"
#include "runtime-hip/ManagedMemory.h"

namespace lockstep::hip {

/// Every member is thread safe on its own. Never destroyed: the global destructors of a lowered program unload its
/// modules after the destructors of this library would have run.
struct Runtime {
  runtime::StatusRecord status{"liblockstep_runtime_hip"};
  runtime::HandleRegistry handles;
  Contexts contexts;
  runtime::FreeList freeStreams;
  runtime::FreeList freeEvents;
  runtime::HandleSet capturedEvents; ///< Whose last record was in a capture.
  runtime::ReferenceCounts eventUsers;
  runtime::HostCalls hostCalls;
  runtime::GraphSlots graphSlots;
  ManagedMemory managedMemory;
  std::atomic<int32_t> defaultDevice{0};

  /// The driver, loaded at the first call and started again at the first one after a reset, because a simulated driver
  /// is reset too. Returns null, with the failure recorded for `function`, where it cannot be had.
  const Driver *ensureDriver(const char *function);

  /// The driver where it is loaded and started, else null.
  const Driver *loadedDriver() const { return driver.load(std::memory_order_acquire); }

  /// See mgpuReset.
  void reset();

private:
  void releaseObjects(const Driver &loaded);
  void releaseGraphs();

  std::mutex loadMutex;
  std::atomic<const Driver *> driver{nullptr};
  std::unique_ptr<Driver> parked; ///< Between a reset and the next call. Guarded by loadMutex.
};

Runtime &runtimeState();

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_RUNTIME_H
