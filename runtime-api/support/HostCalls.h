// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions that wait in a stream, with their copies of the argument bytes (rule ABI-10).

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_HOSTCALLS_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_HOSTCALLS_H

#include "runtime-api/Mgpu.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

namespace lockstep::runtime {

/// Owns every host call between its launch and its end. A call whose context dies never runs; clear() frees those.
/// Thread safe.
class HostCalls {
public:
  struct Pending;

  HostCalls();
  ~HostCalls();

  /// Copies the arguments. The result goes to the driver as the user data of run().
  Pending *add(MgpuHostFunction function, const void *argument, size_t argumentBytes);

  /// What the driver calls in stream order: runs the function, then frees the call.
  static void run(void *pending);

  /// Frees a call that the driver refused, so it will never run.
  void remove(Pending *pending);

  size_t pendingCount() const;

  /// Frees all. Only when no call can run any more.
  void clear();

private:
  mutable std::mutex mutex;
  std::list<std::unique_ptr<Pending>> calls;
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_HOSTCALLS_H
