// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that the facade's files share. HIP has no contexts to speak of: each call acts on the current device of its
// thread, whose primary context is made at first use.

#ifndef LOCKSTEP_SIMGPU_HIP_FACADE_H
#define LOCKSTEP_SIMGPU_HIP_FACADE_H

#include "simgpu/core/Call.h"
#include "simgpu/core/ContextApi.h"
#include "simgpu/core/Vendor.h"
#include "simgpu/hip/HipApi.h"

namespace lockstep::simgpu::hip {

/// What differs between versions of the runtime at this interface; the rest is in core/Vendor.h.
struct Profile {
  int runtimeVersion;
  bool hasMemsetParams7;     ///< Which layout hipMemsetParams has (HIP-14).
  bool successForgetsErrors; ///< Whether a call that succeeds overwrites the last error (HIP-4).
};
const Profile &profile();
/// What all versions have in common, for Vendor.h.
Vendor commonVendor();

template <typename Handle> uint64_t toNumber(Handle handle) { return reinterpret_cast<uint64_t>(handle); }
template <typename Handle> Handle toHandle(uint64_t number) { return reinterpret_cast<Handle>(number); }

hipError_t toResult(Status status);

/// Notes `status` as the thread's last error, and gives it back as a result.
hipError_t leave(Status status);
/// Makes the primary context of the thread's device current, and demands that it works.
Status enterDevice(Call &call);

/// Runs `body(call)` as the call `name` on the thread's device.
template <typename Body> hipError_t run(const char *name, Body body) {
  Call call(name);
  Status status = call.begin(Needs::Nothing);
  if (status == Status::Success)
    status = enterDevice(call);
  if (status == Status::Success) {
    status = body(call);
    call.end();
  }
  return leave(status);
}

/// The same without a device: for calls that come before one is chosen.
template <typename Body> hipError_t runWithoutDevice(const char *name, Body body) {
  Call call(name);
  Status status = call.begin(Needs::Nothing);
  return leave(status == Status::Success ? body(call) : status);
}

inline Status refuseNull(Call &call) {
  return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
}

/// With a number as result that goes to `*result` as a handle or address; a null `result` is refused.
template <typename Result, typename Body> hipError_t runWithResult(const char *name, Result *result, Body body) {
  return run(name, [&](Call &call) {
    if (!result)
      return refuseNull(call);
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

/// What every device is called.
inline constexpr const char *deviceName = "Lockstep simulated GPU";

/// Checks the device and the pointer to the result, then runs `body(call)`, without a current device.
template <typename Result, typename Body>
hipError_t queryDevice(const char *name, int device, Result *result, Body body) {
  return runWithoutDevice(name, [&](Call &call) {
    Status status = checkDevice(call, device);
    if (status != Status::Success)
      return status;
    return result ? body(call) : refuseNull(call);
  });
}

/// Says once for each name that the function is not supported.
hipError_t refuseUnsupported(const char *name, bool &wasSaid);

struct ExportedFunction {
  const char *name;
  void *function;
};
/// Every exported function, in Exports.cpp.
const std::vector<ExportedFunction> &listExports();

} // namespace lockstep::simgpu::hip

#endif // LOCKSTEP_SIMGPU_HIP_FACADE_H
