// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What wrapper functions do differently while their thread captures a stream (rule GRAPHABI-11): queries and waits that
// a capture forbids are put off, and harmless calls that it forbids too are made in relaxed mode.

#ifndef LOCKSTEP_RUNTIME_HIP_CAPTURE_H
#define LOCKSTEP_RUNTIME_HIP_CAPTURE_H

#include "runtime-hip/ApiCall.h"

namespace lockstep::hip {

/// Whether the calling thread has a capture open.
bool isCapturing();

/// Whether the stream takes part in the calling thread's capture.
bool isCaptured(ApiCall &call, hipStream_t stream);

/// Puts the free of host-shared memory off to the end of the thread's capture, where `stream` is part of one; false
/// where it is not.
bool freeAfterCapture(ApiCall &call, hipDeviceptr_t memory, hipStream_t stream);

/// Puts the return of a stream to the pool off to the end of the thread's capture; false where it has none open.
/// Otherwise another thread could get a stream that is still captured.
bool releaseAfterCapture(MgpuStream stream);

/// Ends the capture that the slot has open: whatever failed, the stream must be usable again. Null, with the failure
/// recorded, where no graph came of it.
hipGraph_t endCapture(ApiCall &call, runtime::GraphSlot &slot);

/// Does what was put off. The stream of the capture must have got the launch, if there is one.
void finishCapture(ApiCall &call, runtime::GraphSlot &slot, hipStream_t stream);

/// While the thread captures, lets it make calls that could upset another program's capture but not ours: allocate,
/// look up.
class RelaxedCapture {
public:
  explicit RelaxedCapture(ApiCall &call);
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  ApiCall &call;
  bool isExchanged = false;
  hipStreamCaptureMode previous = hipStreamCaptureModeRelaxed;
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_CAPTURE_H
