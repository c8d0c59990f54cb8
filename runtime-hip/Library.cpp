// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions about the library itself: device, op names, status, recording, reset.

#include "runtime-hip/ApiCall.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

void mgpuSetDefaultDevice(int32_t device) {
  ApiCall call("mgpuSetDefaultDevice");
  if (call && call.enterDevice(device))
    runtimeState().defaultDevice.store(device, std::memory_order_relaxed);
}

void mgpuSetOp(const char *op) {
  setCurrentOp(op);
  if (const Driver *driver = runtimeState().loadedDriver())
    driver->forwardOp(op);
}

int32_t mgpuStatusGet(MgpuStatus *status) { return runtimeState().status.get(status); }

void mgpuStatusSetPolicy(int32_t policy) {
  if (runtimeState().status.setPolicy(policy))
    return;
  Failure failure;
  failure.kind = kMgpuStatusInvalidValue;
  failure.detail = "argument 'policy' is " + std::to_string(policy) + ", which is no policy";
  runtimeState().status.fail("mgpuStatusSetPolicy", failure);
}

int32_t mgpuInitialize() {
  ApiCall call("mgpuInitialize");
  return mgpuStatusGet(nullptr);
}

void mgpuReset() { runtimeState().reset(); }

int32_t mgpuDriverInfo(MgpuDriverInfo *info) {
  ApiCall call("mgpuDriverInfo");
  if (!call)
    return mgpuStatusGet(nullptr);
  if (!info) {
    call.refuse(kMgpuStatusInvalidValue, "argument 'info' is null");
    return mgpuStatusGet(nullptr);
  }
  // One for the thread: the strings are handed out.
  thread_local std::string version;
  thread_local char name[256];
  hipDevice_t device = 0;
  if (!call.invoke(call.driver().hipDeviceGet, &device, int(runtimeState().defaultDevice.load())) ||
      !call.invoke(call.driver().hipDeviceGetName, static_cast<char *>(name), int(sizeof(name)), device))
    return mgpuStatusGet(nullptr);
  version = formatVersion(call.driver().version());
  *info = MgpuDriverInfo{"hip", call.driver().libraryPath().c_str(), version.c_str(),
                         name,  call.driver().deviceCount(),         call.driver().isSimulated() ? 1 : 0};
  return kMgpuStatusOk;
}

void mgpuSetRecorder(const MgpuRecorder *recorder) { setRecorder(recorder); }
