// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions are operations whose work is the program's code.

#include "simgpu/core/HostFunctionApi.h"

namespace lockstep::simgpu {

static Status queue(Call &call, uint64_t streamHandle, std::function<void(Status)> function, bool runsAfterError) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream)
    return status;
  OperationPtr operation =
      call.createOperation(OperationKind::HostFunction, *stream, runsAfterError ? "callback" : "", 0);
  operation->runsUnlocked = true;
  operation->runsAfterError = runsAfterError;
  operation->work = [function = std::move(function)](Status contextStatus) {
    ThreadState &thread = ThreadState::get();
    ++thread.hostFunctionDepth;
    function(contextStatus);
    --thread.hostFunctionDepth;
    return contextStatus;
  };
  call.submit(*stream, operation);
  return Status::Success;
}

Status launchHostFunction(Call &call, uint64_t stream, void (*function)(void *), void *data) {
  if (!function)
    return call.report(Status::InvalidValue, "errors", "HOSTFN-1", "argument fn is null");
  return queue(call, stream, [function, data](Status) { function(data); }, false);
}

Status addCallback(Call &call, uint64_t stream, std::function<void(Status)> callback) {
  return queue(call, stream, std::move(callback), true);
}

} // namespace lockstep::simgpu
