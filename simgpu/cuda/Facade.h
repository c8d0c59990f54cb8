// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that the facade's files share.

#ifndef LOCKSTEP_SIMGPU_CUDA_FACADE_H
#define LOCKSTEP_SIMGPU_CUDA_FACADE_H

#include "simgpu/core/Call.h"
#include "simgpu/cuda/CudaApi.h"

namespace lockstep::simgpu::cuda {

inline CUresult toResult(Status status) { return static_cast<CUresult>(status); }

/// Handles cross the interface as pointers that nobody may follow.
template <typename Handle> uint64_t toNumber(Handle handle) { return reinterpret_cast<uint64_t>(handle); }
template <typename Handle> Handle toHandle(uint64_t number) { return reinterpret_cast<Handle>(number); }

/// Runs `body(call)` as the driver call `name`.
template <typename Body> CUresult run(const char *name, Needs needs, Body body) {
  return toResult(runCall(name, needs, std::move(body)));
}

/// The same with a number as result that goes to `*result` as a handle or address; a null `result` is refused.
template <typename Result, typename Body>
CUresult runWithResult(const char *name, Needs needs, Result *result, Body body) {
  return run(name, needs, [&](Call &call) {
    if (!result)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    uint64_t value = 0;
    Status status = body(call, value);
    if (status == Status::Success)
      *result = (Result)value;
    return status;
  });
}

/// Refuses flags other than those in `known`.
inline Status checkFlags(Call &call, unsigned flags, unsigned known) {
  if ((flags & ~known) == 0)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "", "unknown flags " + std::to_string(flags & ~known));
}

/// Says once for each name that the function is not supported.
CUresult refuseUnsupported(const char *name, bool &wasSaid);

} // namespace lockstep::simgpu::cuda

#endif // LOCKSTEP_SIMGPU_CUDA_FACADE_H
