// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device keeps for each thread of the host. No lock: each thread sees its own only.

#ifndef LOCKSTEP_SIMGPU_CORE_THREAD_H
#define LOCKSTEP_SIMGPU_CORE_THREAD_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::simgpu {

struct Context;

/// Both what a capture begins with and what a thread has.
enum class CaptureMode : uint8_t { Global = 0, ThreadLocal = 1, Relaxed = 2 };

struct ThreadState {
  uint64_t number = 0;                            ///< 1, 2, …: order of the threads' first calls since the last reset.
  uint64_t resetCount = 0;                        ///< The reset that `number` and `contexts` belong to.
  std::vector<std::shared_ptr<Context>> contexts; ///< The stack of current contexts; null entries are "none".
  std::string op;                                 ///< Given by lockstepSimSetOp.
  unsigned hostFunctionDepth = 0;                 ///< Above 0 while this thread runs a host function of a stream.
  unsigned kernelDepth = 0;                       ///< Above 0 while this thread runs a kernel.
  CaptureMode captureMode = CaptureMode::Global;  ///< Which calls are refused while a stream is captured.
  bool zeroMeansPerThread = false;                ///< What stream handle 0 means in the driver call in progress.

  static ThreadState &get();
};

/// For the call in progress, stream handle 0 means the thread's own stream.
class ZeroMeansPerThread {
public:
  ZeroMeansPerThread() { ThreadState::get().zeroMeansPerThread = true; }
  ~ZeroMeansPerThread() { ThreadState::get().zeroMeansPerThread = false; }
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_THREAD_H
