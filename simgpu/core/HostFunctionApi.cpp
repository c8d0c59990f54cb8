// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions are operations whose work is the program's code.

#include "simgpu/core/HostFunctionApi.h"

#include "simgpu/core/CaptureApi.h"

namespace lockstep::simgpu {

Status launchHostFunction(Call &call, uint64_t streamHandle, void (*function)(void *), void *data) {
  if (!function)
    return call.report(Status::InvalidValue, "errors", "HOSTFN-1", "argument fn is null");
  Status status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  return stream ? call.enqueue(*stream, HostTask{function, data}) : status;
}

Status addCallback(Call &call, uint64_t streamHandle, std::function<void(Status)> callback) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream || (stream->capture && (status = refuseOnCaptured(call, *stream)) != Status::Success))
    return status;
  OperationPtr operation = call.createOperation(OperationKind::HostFunction, *stream, "callback", 0);
  setHostWork(*operation, std::move(callback));
  operation->runsAfterError = true;
  call.submit(*stream, operation);
  return Status::Success;
}

void setHostWork(Operation &operation, std::function<void(Status)> function) {
  operation.runsUnlocked = true;
  operation.work = [function = std::move(function)](Status contextStatus) {
    ThreadState &thread = ThreadState::get();
    ++thread.hostFunctionDepth;
    function(contextStatus);
    --thread.hostFunctionDepth;
    return contextStatus;
  };
}

} // namespace lockstep::simgpu
