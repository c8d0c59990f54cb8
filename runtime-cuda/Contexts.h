// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primary context of each device, retained at first use, and its scope on a thread.

#ifndef LOCKSTEP_RUNTIME_CUDA_CONTEXTS_H
#define LOCKSTEP_RUNTIME_CUDA_CONTEXTS_H

#include "runtime-cuda/Driver.h"

#include <array>
#include <atomic>
#include <mutex>

namespace lockstep::cuda {

/// Thread safe.
class Contexts {
public:
  static constexpr int kDeviceCountMax = 64;

  /// The context of `device`, retained now if it was not yet. Returns null with `failure` filled on failure.
  CUcontext get(const Driver &driver, int32_t device, runtime::Failure &failure);

  /// Forgets the contexts without releasing them: what the program left in them lives on until the driver is reset, so
  /// that a leak is still there to be found. The next get() retains anew.
  void forget();

  /// Those retained so far.
  std::array<CUcontext, kDeviceCountMax> retained() const;

private:
  std::mutex mutex;
  std::array<std::atomic<CUcontext>, kDeviceCountMax> contexts{};
};

/// Makes a context current between enter() and leave(). One driver call where it is current already, three where
/// another one is. A thread that has none keeps it.
class ContextScope {
public:
  ContextScope() = default;
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// Returns false with `failure` filled on failure. May be called again on the same object: the last context counts.
  bool enter(const Driver &driver, CUcontext context, runtime::Failure &failure);

  /// Restores the context that the thread had, if any. Must be called before destruction; returns false with `failure`
  /// filled on failure.
  bool leave(runtime::Failure &failure);

private:
  const Driver *pushedOn = nullptr;
};

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_CONTEXTS_H
