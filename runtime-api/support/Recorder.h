// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where a backend's driver calls can be seen and made to fail (rules ABI-12, ABI-13). A backend wraps
// each call in a RecordedCall when a recorder is set, and calls the driver straight when none is.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_RECORDER_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_RECORDER_H

#include "runtime-api/Mgpu.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace lockstep::runtime {

/// Replaces the recorder; null removes it. `recorder` is copied. A call in flight on another thread still finishes with
/// the recorder that it started with, so a caller keeps `context` alive until its threads have returned.
void setRecorder(const MgpuRecorder *recorder);

/// The recorder in force, or null. The object lives until the process ends.
const MgpuRecorder *activeRecorder();

/// The arguments of one call as integers. A backend appends the fields of a structure passed by pointer after the
/// pointer.
class ArgumentList {
public:
  template <typename T> void append(T value) {
    if constexpr (std::is_pointer_v<T>)
      values.push_back(reinterpret_cast<uintptr_t>(value));
    else
      values.push_back(static_cast<uint64_t>(value));
  }
  void clear() { values.clear(); }
  const uint64_t *data() const { return values.data(); }
  int32_t size() const { return static_cast<int32_t>(values.size()); }

private:
  std::vector<uint64_t> values;
};

/// One call: takes its place in the order when made, then before(), the call itself, after().
class RecordedCall {
public:
  RecordedCall(const MgpuRecorder &recorder, const char *call, const ArgumentList &arguments);

  /// A nonzero result stands for the driver's: the driver is then not to be called.
  int32_t before();
  /// The arguments may have been filled in since before().
  void after(int32_t code, uint64_t output);

private:
  const ArgumentList &arguments;
  const MgpuRecorder &recorder;
  MgpuCallRecord record;
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_RECORDER_H
