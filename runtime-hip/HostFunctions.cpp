// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/ApiCall.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

/// As hipStreamAddCallback wants it. It is called for failed streams too, and then the function must not run.
static void runUnlessFailed(hipStream_t, hipError_t status, void *pending) {
  if (status == hipSuccess)
    HostCalls::run(pending);
  else
    runtimeState().hostCalls.cancelRun(static_cast<HostCalls::Pending *>(pending));
}

static bool launch(ApiCall &call, hipStream_t stream, void *pending) {
  const Driver &driver = call.driver();
  if (!driver.hipLaunchHostFunc.isPresent() && driver.hipStreamAddCallback.isPresent())
    return call.invoke(driver.hipStreamAddCallback, stream, &runUnlessFailed, pending, 0u);
  return call.invoke(driver.hipLaunchHostFunc, stream, &HostCalls::run, pending);
}

void mgpuLaunchHostFunc(MgpuStream stream, MgpuHostFunction function, const void *argument, size_t argumentBytes) {
  ApiCall call("mgpuLaunchHostFunc");
  if (!call)
    return;
  hipStream_t driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  if (!function || (argumentBytes && !argument))
    return call.refuse(kMgpuStatusInvalidValue,
                       function ? "argument 'argument' is null" : "argument 'function' is null");
  HostCalls &hostCalls = runtimeState().hostCalls;
  HostCalls::Pending *pending = hostCalls.add(function, argument, argumentBytes);
  hostCalls.expectRun(pending);
  hostCalls.retire(pending);
  if (!launch(call, driverStream, pending))
    hostCalls.cancelRun(pending);
}
