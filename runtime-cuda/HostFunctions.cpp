// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/ApiCall.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

void mgpuLaunchHostFunc(MgpuStream stream, MgpuHostFunction function, const void *argument, size_t argumentBytes) {
  ApiCall call("mgpuLaunchHostFunc");
  if (!call)
    return;
  CUstream driverStream = call.stream("stream", stream);
  if (!driverStream)
    return;
  if (!function || (argumentBytes && !argument))
    return call.refuse(kMgpuStatusInvalidValue,
                       function ? "argument 'argument' is null" : "argument 'function' is null");
  HostCalls &hostCalls = runtimeState().hostCalls;
  HostCalls::Pending *pending = hostCalls.add(function, argument, argumentBytes);
  hostCalls.expectRun(pending);
  hostCalls.retire(pending);
  if (!call.invoke(call.driver().cuLaunchHostFunc, driverStream, &HostCalls::run, static_cast<void *>(pending)))
    hostCalls.cancelRun(pending);
}
