// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One entry of the driver table: a callable that goes through the recorder when there is one.

#ifndef LOCKSTEP_RUNTIME_HIP_DRIVERFUNCTION_H
#define LOCKSTEP_RUNTIME_HIP_DRIVERFUNCTION_H

#include "runtime-api/support/Recorder.h"
#include "runtime-hip/HipApi.h"

#include <type_traits>

namespace lockstep::hip {

/// Shows `argument` to the recorder as an integer. A structure passed by pointer is followed by its fields: it lives on
/// the caller's stack, so the recorder could not read it later.
template <typename T> void appendArgument(runtime::ArgumentList &list, T argument) { list.append(argument); }
void appendArgument(runtime::ArgumentList &list, const hipMemcpy3DParms *copy);
inline void appendArgument(runtime::ArgumentList &list, hipMemcpy3DParms *copy) {
  appendArgument(list, static_cast<const hipMemcpy3DParms *>(copy));
}
void appendArgument(runtime::ArgumentList &list, const hipKernelNodeParams *params);
void appendArgument(runtime::ArgumentList &list, const MemsetParamsOfVersion *params);
void appendArgument(runtime::ArgumentList &list, const hipHostNodeParams *params);
void appendArgument(runtime::ArgumentList &list, hipMemAllocNodeParams *params);
void appendArgument(runtime::ArgumentList &list, hipGraphExecUpdateResult *result);
void appendArgument(runtime::ArgumentList &list, hipStreamCaptureMode *mode);

/// The arguments of a call. A list of nodes comes as its address, its length, and its elements.
inline void appendArguments(runtime::ArgumentList &) {}
template <typename First, typename... Rest>
void appendArguments(runtime::ArgumentList &list, First first, Rest... rest);
template <typename... Rest>
void appendArguments(runtime::ArgumentList &list, const hipGraphNode_t *nodes, size_t count, Rest... rest) {
  list.append(nodes);
  list.append(count);
  for (size_t index = 0; index < count; ++index)
    list.append(nodes[index]);
  appendArguments(list, rest...);
}
template <typename First, typename... Rest>
void appendArguments(runtime::ArgumentList &list, First first, Rest... rest) {
  appendArgument(list, first);
  appendArguments(list, rest...);
}

/// Reads what a call produced. By the driver API's convention that is behind the first parameter, where that points to
/// a handle, an address or a number; the end of a capture has it behind the second.
inline uint64_t readOutput() { return 0; }
template <typename First, typename... Rest> uint64_t readOutput(First first, Rest...) {
  if constexpr (std::is_pointer_v<First>) {
    using Pointee = std::remove_pointer_t<First>;
    if constexpr (std::is_pointer_v<Pointee>)
      return reinterpret_cast<uintptr_t>(*first);
    else if constexpr (std::is_same_v<Pointee, int> || std::is_same_v<Pointee, hipDeviceptr_t>)
      return static_cast<uint64_t>(*first);
  }
  return 0;
}
inline uint64_t readOutput(hipStream_t, hipGraph_t *graph) { return reinterpret_cast<uintptr_t>(*graph); }

template <typename Signature> struct DriverFunction;

template <typename... Parameters> struct DriverFunction<hipError_t(Parameters...)> {
  using Entry = hipError_t (*)(Parameters...);

  const char *name;     ///< As the documentation has it: "hipStreamDestroy".
  const char *spelling; ///< As the library exports it: "hipStreamDestroy_v2".
  bool isRequired;
  Entry entry = nullptr; ///< Null until resolved; stays null for an optional function that the driver lacks.

  bool isPresent() const { return entry != nullptr; }

  hipError_t operator()(Parameters... arguments) const {
    const MgpuRecorder *recorder = runtime::activeRecorder();
    if (!recorder)
      return entry(arguments...);
    runtime::ArgumentList list;
    appendArguments(list, arguments...);
    runtime::RecordedCall call(*recorder, name, list);
    if (int32_t injected = call.before()) {
      call.after(injected, 0);
      return static_cast<hipError_t>(injected);
    }
    hipError_t result = entry(arguments...);
    // Again: some structures hold results.
    list.clear();
    appendArguments(list, arguments...);
    call.after(result, result == hipSuccess ? readOutput(arguments...) : 0);
    return result;
  }
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_DRIVERFUNCTION_H
