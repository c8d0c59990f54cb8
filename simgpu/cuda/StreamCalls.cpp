// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events and host functions.

#include "simgpu/core/HostFunctionApi.h"
#include "simgpu/core/StreamApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return runWithResult(__func__, Needs::Context, stream, [&](Call &call, uint64_t &handle) {
    Status status = checkFlags(call, flags, CU_STREAM_NON_BLOCKING);
    return status == Status::Success ? createStream(call, !(flags & CU_STREAM_NON_BLOCKING), priority, handle) : status;
  });
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return runWithResult(__func__, Needs::Context, stream, [&](Call &call, uint64_t &handle) {
    Status status = checkFlags(call, flags, CU_STREAM_NON_BLOCKING);
    return status == Status::Success ? createStream(call, !(flags & CU_STREAM_NON_BLOCKING), 0, handle) : status;
  });
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return run(__func__, Needs::Context, [&](Call &call) { return destroyStream(call, toNumber(stream)); });
}
CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }

CUresult cuStreamSynchronize(CUstream stream) {
  return run(__func__, Needs::Context, [&](Call &call) { return synchronizeStream(call, toNumber(stream)); });
}

CUresult cuStreamQuery(CUstream stream) {
  return run(__func__, Needs::Context, [&](Call &call) { return queryStream(call, toNumber(stream)); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) {
    Status status = checkFlags(call, flags, CU_EVENT_WAIT_EXTERNAL);
    return status == Status::Success ? waitEvent(call, toNumber(stream), toNumber(event), flags != 0) : status;
  });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) {
    if (!callback || flags != 0)
      return call.report(Status::InvalidValue, "errors", "HOSTFN-1",
                         callback ? "flags must be 0" : "the callback is null");
    return addCallback(call, toNumber(stream), [=](Status status) { callback(stream, toResult(status), data); });
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return run(__func__, Needs::Context,
             [&](Call &call) { return launchHostFunction(call, toNumber(stream), function, data); });
}

/// Runs `body(stream, value)` on a resolved stream.
template <typename Result, typename Body>
static CUresult queryOfStream(const char *name, CUstream handle, Result *result, Body body) {
  return runWithResult(name, Needs::Context, result, [&](Call &call, uint64_t &value) {
    Status status;
    if (std::shared_ptr<Stream> stream = call.resolveStream(toNumber(handle), "hStream", status))
      value = body(*stream);
    return status;
  });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  return queryOfStream(__func__, stream, flags,
                       [](Stream &s) { return uint64_t(s.isBlocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING); });
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  return queryOfStream(__func__, stream, priority, [](Stream &s) { return static_cast<uint64_t>(s.priority); });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  return queryOfStream(__func__, stream, context, [](Stream &s) { return s.context.lock()->handle; });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  return queryOfStream(__func__, stream, id, [](Stream &s) { return uint64_t(s.age); });
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return runWithResult(__func__, Needs::Context, event, [&](Call &call, uint64_t &handle) {
    if (flags & CU_EVENT_INTERPROCESS)
      return call.report(Status::NotSupported, "errors", "", "events between processes are not supported");
    Status status = checkFlags(call, flags, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
    if (status != Status::Success)
      return status;
    return createEvent(call, !(flags & CU_EVENT_DISABLE_TIMING), flags & CU_EVENT_BLOCKING_SYNC, handle);
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return run(__func__, Needs::Context, [&](Call &call) { return destroyEvent(call, toNumber(event)); });
}
CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return run(__func__, Needs::Context,
             [&](Call &call) { return recordEvent(call, toNumber(event), toNumber(stream)); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) {
    Status status = checkFlags(call, flags, CU_EVENT_WAIT_EXTERNAL);
    return status == Status::Success ? recordEvent(call, toNumber(event), toNumber(stream), flags != 0) : status;
  });
}

CUresult cuEventQuery(CUevent event) {
  return run(__func__, Needs::Context, [&](Call &call) { return queryEvent(call, toNumber(event)); });
}

CUresult cuEventSynchronize(CUevent event) {
  return run(__func__, Needs::Context, [&](Call &call) { return synchronizeEvent(call, toNumber(event)); });
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return run(__func__, Needs::Context, [&](Call &call) {
    if (!milliseconds)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    return elapsedTime(call, *milliseconds, toNumber(start), toNumber(end));
  });
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}

} // namespace lockstep::simgpu::cuda
