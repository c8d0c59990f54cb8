// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime itself, its errors, and its devices.

#include "simgpu/core/ContextApi.h"
#include "simgpu/hip/Facade.h"

#include <algorithm>
#include <cstdio>

namespace lockstep::simgpu::hip {

Vendor commonVendor() {
  Vendor v;
  v.interfaceName = "HIP";
  v.architecture = "amdgcn";
  v.destroyWaitsForStream = true;
  v.freeWaits = true;
  v.zeroSizeIsNull = true;
  v.reRecordMightBeLost = true;
  v.launchesAreOrdered = false;
  v.updateIsByNode = true;
  v.unjoinedStaysCaptured = true;
  v.invalidStream = Status::ContextIsDestroyed;
  return v;
}

/// Codes that CUDA alone has become the nearest that HIP has.
hipError_t toResult(Status status) {
  switch (status) {
  case Status::LossyQuery:
    return hipErrorInvalidValue;
  case Status::HardwareStackError:
  case Status::IllegalInstruction:
    return hipErrorLaunchFailure;
  case Status::NotPermitted:
  case Status::PrimaryContextInUse:
    return hipErrorUnknown;
  default:
    return static_cast<hipError_t>(status);
  }
}

namespace {
/// What a thread has beside the core's state.
struct HipThread {
  uint64_t resetCount = 0; ///< The reset that the rest belongs to.
  int device = 0;
  hipError_t lastError = hipSuccess;

  static HipThread &get() {
    static thread_local HipThread state;
    if (uint64_t now = ThreadState::get().resetCount; state.resetCount != now)
      state = HipThread{now};
    return state;
  }
};
} // namespace

hipError_t leave(Status status) {
  hipError_t result = toResult(status);
  bool isError = result != hipSuccess && result != hipErrorNotReady;
  if (isError || profile().successForgetsErrors)
    HipThread::get().lastError = result;
  return result;
}

Status enterDevice(Call &call) {
  Machine &machine = call.machine;
  if (machine.devices.empty())
    return Status::NoDevice;
  machine.isInitialized = true;
  int ordinal = HipThread::get().device;
  std::shared_ptr<Context> &primary = machine.devices[ordinal].primary;
  uint64_t handle = 0;
  Status status = Status::Success;
  if (!primary && (status = retainPrimary(call, ordinal, handle)) != Status::Success)
    return status;
  if (call.thread.contexts.size() != 1 || call.thread.contexts.back() != primary)
    call.thread.contexts = {primary};
  return call.demandContext();
}

hipError_t hipInit(unsigned flags) {
  return runWithoutDevice(__func__, [&](Call &call) {
    if (flags != 0)
      return call.report(Status::InvalidValue, "errors", "", "flags must be 0");
    return call.machine.devices.empty() ? Status::NoDevice : Status::Success;
  });
}

static hipError_t getVersion(const char *name, int *version) {
  return runWithoutDevice(name, [&](Call &call) {
    if (!version)
      return refuseNull(call);
    *version = profile().runtimeVersion;
    return Status::Success;
  });
}

hipError_t hipDriverGetVersion(int *version) { return getVersion(__func__, version); }
hipError_t hipRuntimeGetVersion(int *version) { return getVersion(__func__, version); }

const char *hipGetErrorName(hipError_t result) {
  switch (result) {
#define LOCKSTEP_HIP_RESULT(name, number, text)                                                                        \
  case name:                                                                                                           \
    return #name;
#include "simgpu/hip/HipResults.def"
  }
  return "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t result) {
  switch (result) {
#define LOCKSTEP_HIP_RESULT(name, number, text)                                                                        \
  case name:                                                                                                           \
    return text;
#include "simgpu/hip/HipResults.def"
  }
  return "unknown error";
}

/// The exported function that a name stands for in programs of that version of HIP (600 for 6.0); null for none.
static void *findExport(std::string name, int version) {
  if (name == "hipGetDeviceProperties" && version >= 600) // As the header of that version spells it.
    name += "R0600";
  const std::vector<ExportedFunction> &all = listExports();
  auto found = std::find_if(all.begin(), all.end(), [&](const ExportedFunction &f) { return name == f.name; });
  return found == all.end() ? nullptr : found->function;
}

hipError_t hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult *result) {
  return runWithoutDevice(__func__, [&](Call &call) {
    if (!symbol || !function)
      return refuseNull(call);
    if (flags != 0)
      return call.report(Status::InvalidValue, "errors", "", "flags must be 0");
    *function = findExport(symbol, version);
    if (result)
      *result = *function ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? Status::Success : Status::InvalidValue; // An answer, and no finding.
  });
}

hipError_t hipGetLastError() {
  hipError_t last = hipPeekAtLastError();
  HipThread::get().lastError = hipSuccess;
  return last;
}
hipError_t hipPeekAtLastError() { return HipThread::get().lastError; }

hipError_t hipGetDeviceCount(int *count) {
  return runWithoutDevice(__func__, [&](Call &call) {
    if (!count)
      return refuseNull(call);
    *count = static_cast<int>(call.machine.devices.size());
    return *count ? Status::Success : Status::NoDevice;
  });
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
  return queryDevice(__func__, ordinal, device, [&](Call &) {
    *device = ordinal;
    return Status::Success;
  });
}

hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device) {
  return queryDevice(__func__, device, name, [&](Call &call) {
    if (length <= 0)
      return call.report(Status::InvalidValue, "errors", "", "length must be positive");
    snprintf(name, static_cast<size_t>(length), "%s", deviceName);
    return Status::Success;
  });
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  return queryDevice(__func__, device, bytes, [&](Call &call) {
    *bytes = call.machine.memory.getLimitBytes();
    return Status::Success;
  });
}

hipError_t hipGetDevice(int *device) {
  return runWithoutDevice(__func__, [&](Call &call) {
    if (!device)
      return refuseNull(call);
    *device = HipThread::get().device;
    return Status::Success;
  });
}

hipError_t hipSetDevice(int device) {
  return runWithoutDevice(__func__, [&](Call &call) {
    Status status = checkDevice(call, device);
    if (status == Status::Success)
      HipThread::get().device = device;
    return status;
  });
}

hipError_t hipDeviceSynchronize() {
  return run(__func__, [&](Call &call) { return synchronizeContext(call); });
}

hipError_t hipDeviceReset() {
  return run(__func__, [&](Call &call) { return resetPrimary(call, HipThread::get().device); });
}

} // namespace lockstep::simgpu::hip
