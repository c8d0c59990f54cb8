// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions that wait in a stream or stand in a graph, with their copies of the argument bytes (rules ABI-10,
// GRAPHABI-4).

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_HOSTCALLS_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_HOSTCALLS_H

#include "runtime-api/Mgpu.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

namespace lockstep::runtime {

/// Owns every host call. A call is freed once it is retired and no run of it is expected any more. A run whose context
/// died never comes; clear() frees those calls. Thread safe.
class HostCalls {
public:
  struct Pending;

  HostCalls();
  ~HostCalls();

  /// Copies the arguments. The result goes to the driver as the user data of run().
  Pending *add(MgpuHostFunction function, const void *argument, size_t argumentBytes);

  /// The driver will run the call once more. Must come before it is told to.
  void expectRun(Pending *pending);

  /// An expected run will not come: the driver refused it.
  void cancelRun(Pending *pending);

  /// No further run will be expected; those that are expected still come.
  void retire(Pending *pending);

  /// What the driver calls: runs the function, which counts as one expected run.
  static void run(void *pending);

  size_t expectedRunCount() const;

  /// Frees all. Only when no call can run any more.
  void clear();

private:
  void endRun(Pending *pending);
  void freeIfDone(Pending *pending);

  mutable std::mutex mutex;
  size_t expectedRuns = 0;
  std::list<std::unique_ptr<Pending>> calls;
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_HOSTCALLS_H
