// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fake HIP runtime, loaded like a real one. It writes down what it is called with, and executes host functions at
// once. What the simulated driver cannot be made to do is done here: other versions, missing functions, events that
// stay in flight. Not thread safe.

#ifndef LOCKSTEP_RUNTIME_HIP_TEST_FAKEDRIVER_H
#define LOCKSTEP_RUNTIME_HIP_TEST_FAKEDRIVER_H

#include "runtime-hip/HipApi.h"

#include <algorithm>
#include <array>
#include <deque>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

namespace lockstep::hip {

/// The state of one fake library.
struct FakeDriver {
  // The test sets these.
  int version = 60342134;
  int deviceCount = 2;
  hipError_t initResult = hipSuccess;
  hipError_t countResult = hipSuccess;
  hipError_t callbackStatus = hipSuccess; ///< What a stream callback is told of its stream.
  std::set<const void *> busyEvents;      ///< Those whose query says "not ready".

  /// Every call with the objects and devices it names: "hipEventRecord event1 stream2". Objects are numbered by kind.
  std::vector<std::string> calls;
  /// The bytes of each hipMemsetParams that came.
  std::vector<std::array<unsigned char, 48>> fills;

  // The fake's own.
  std::deque<std::string> objects; ///< A handle is the address of its name.
  int device = 0;
  const void *captured = nullptr; ///< The stream of the open capture.
  hipStreamCaptureMode captureMode = hipStreamCaptureModeRelaxed;
  bool isCaptureInvalid = false;

  /// The calls of these functions, in order.
  std::vector<std::string> callsOf(std::initializer_list<std::string> names) const {
    std::vector<std::string> result;
    for (const std::string &call : calls)
      if (std::find(names.begin(), names.end(), call.substr(0, call.find(' '))) != names.end())
        result.push_back(call);
    return result;
  }
};

/// Exported by the fake library beside the driver API, as "fakeDriverState".
using FakeDriverStateFn = FakeDriver *(*)();

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_TEST_FAKEDRIVER_H
