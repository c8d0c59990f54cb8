// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The current device of a thread. HIP's runtime API has no contexts to make current: each thread has a device, and
// handles know theirs.

#ifndef LOCKSTEP_RUNTIME_HIP_CONTEXTS_H
#define LOCKSTEP_RUNTIME_HIP_CONTEXTS_H

#include "runtime-hip/Driver.h"

#include <array>
#include <atomic>

namespace lockstep::hip {

/// Which devices were used. Thread safe.
class Contexts {
public:
  static constexpr int kDeviceCountMax = 64;

  /// Notes the use of `device`; false with `failure` filled where there is no such device.
  bool use(const Driver &driver, int32_t device, runtime::Failure &failure);

  void forget();

  bool isUsed(int32_t device) const { return used[device].load(std::memory_order_acquire); }

private:
  std::array<std::atomic<bool>, kDeviceCountMax> used{};
};

/// Makes a device the thread's own between enter() and leave(). One driver call where it is already, three where it is
/// not.
class ContextScope {
public:
  ContextScope() = default;
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// Returns false with `failure` filled on failure. May be called again on the same object: the last device counts.
  bool enter(const Driver &driver, int32_t device, runtime::Failure &failure);

  /// Restores what the thread had. Must be called before destruction; returns false with `failure` filled on failure.
  bool leave(runtime::Failure &failure);

private:
  const Driver *changedOn = nullptr;
  int previous = 0;
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_CONTEXTS_H
