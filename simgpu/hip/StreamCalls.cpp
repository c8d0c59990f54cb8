// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events and host functions.

#include "simgpu/core/HostFunctionApi.h"
#include "simgpu/core/StreamApi.h"
#include "simgpu/hip/Facade.h"

namespace lockstep::simgpu::hip {

static hipError_t create(const char *name, hipStream_t *stream, unsigned flags, int priority) {
  return runWithResult(name, stream, [&](Call &call, uint64_t &handle) {
    Status status = checkFlags(call, flags, hipStreamNonBlocking);
    return status == Status::Success ? createStream(call, !(flags & hipStreamNonBlocking), priority, handle) : status;
  });
}

hipError_t hipStreamCreate(hipStream_t *stream) { return create(__func__, stream, hipStreamDefault, 0); }
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) { return create(__func__, stream, flags, 0); }
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority) {
  return create(__func__, stream, flags, priority);
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return run(__func__, [&](Call &call) { return destroyStream(call, toNumber(stream)); });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return run(__func__, [&](Call &call) { return synchronizeStream(call, toNumber(stream)); });
}

hipError_t hipStreamQuery(hipStream_t stream) {
  return run(__func__, [&](Call &call) { return queryStream(call, toNumber(stream)); });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return run(__func__, [&](Call &call) {
    if (flags != 0)
      return call.report(Status::InvalidValue, "errors", "HIP-6", "flags must be 0");
    return waitEvent(call, toNumber(stream), toNumber(event));
  });
}

/// Runs `body(stream)` on a resolved stream and writes what it gives.
template <typename Result, typename Body>
static hipError_t queryOfStream(const char *name, hipStream_t handle, Result *result, Body body) {
  return runWithResult(name, result, [&](Call &call, uint64_t &value) {
    Status status;
    if (std::shared_ptr<Stream> stream = call.resolveStream(toNumber(handle), "stream", status))
      value = body(*stream);
    return status;
  });
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags) {
  return queryOfStream(__func__, stream, flags,
                       [](Stream &s) { return uint64_t(s.isBlocking ? hipStreamDefault : hipStreamNonBlocking); });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return queryOfStream(__func__, stream, priority, [](Stream &s) { return static_cast<uint64_t>(s.priority); });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return queryOfStream(__func__, stream, device,
                       [](Stream &s) { return static_cast<uint64_t>(s.context.lock()->deviceOrdinal); });
}

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return run(__func__, [&](Call &) {
    if (least)
      *least = leastStreamPriority;
    if (greatest)
      *greatest = greatestStreamPriority;
    return Status::Success;
  });
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data, unsigned flags) {
  return run(__func__, [&](Call &call) {
    if (!callback || flags != 0)
      return call.report(Status::InvalidValue, "errors", "HOSTFN-1",
                         callback ? "flags must be 0" : "the callback is null");
    return addCallback(call, toNumber(stream), [=](Status status) { callback(stream, toResult(status), data); });
  });
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  return run(__func__, [&](Call &call) { return launchHostFunction(call, toNumber(stream), function, data); });
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
  return runWithResult(__func__, event, [&](Call &call, uint64_t &handle) {
    constexpr unsigned release = hipEventReleaseToDevice | hipEventReleaseToSystem;
    constexpr unsigned fences = release | hipEventDisableSystemFence;
    if (flags & hipEventInterprocess)
      return call.report(Status::NotSupported, "errors", "", "events between processes are not supported");
    Status status = checkFlags(call, flags, hipEventBlockingSync | hipEventDisableTiming | fences);
    if (status != Status::Success)
      return status;
    if ((flags & release) == release)
      return call.report(Status::InvalidValue, "errors", "HIP-16", "flags release to the device and to the system");
    return createEvent(call, !(flags & hipEventDisableTiming), flags & hipEventBlockingSync, handle);
  });
}
hipError_t hipEventCreate(hipEvent_t *event) { return hipEventCreateWithFlags(event, hipEventDefault); }

hipError_t hipEventDestroy(hipEvent_t event) {
  return run(__func__, [&](Call &call) { return destroyEvent(call, toNumber(event)); });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return run(__func__, [&](Call &call) { return recordEvent(call, toNumber(event), toNumber(stream)); });
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return run(__func__, [&](Call &call) {
    Status status = checkFlags(call, flags, hipEventRecordExternal);
    return status == Status::Success
               ? recordEvent(call, toNumber(event), toNumber(stream), flags & hipEventRecordExternal)
               : status;
  });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return run(__func__, [&](Call &call) { return synchronizeEvent(call, toNumber(event)); });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return run(__func__, [&](Call &call) { return queryEvent(call, toNumber(event)); });
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t end) {
  return run(__func__, [&](Call &call) {
    return milliseconds ? elapsedTime(call, *milliseconds, toNumber(start), toNumber(end)) : refuseNull(call);
  });
}

} // namespace lockstep::simgpu::hip
