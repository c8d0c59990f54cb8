// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/test/FakeDriver.h"
#include "runtime-hip/test/FakeDriverCalls.h"

#include <cstdio>
#include <cstring>

using namespace lockstep::hip;

static constexpr auto kUnsupportedInCapture = static_cast<hipError_t>(900);
static constexpr auto kCaptureInvalidated = static_cast<hipError_t>(901);

static FakeDriver &state() {
  static FakeDriver &fake = *new FakeDriver;
  return fake;
}

FAKE_EXPORT FakeDriver *fakeDriverState() { return &state(); }

void lockstep::hip::note(std::string call) { state().calls.push_back(std::move(call)); }

static std::string nameOf(const void *handle) { return handle ? *static_cast<const std::string *>(handle) : "null"; }

/// A new object of `kind`; the names of all objects of one kind begin with it.
template <typename Handle> static hipError_t make(Handle *result, const std::string &kind) {
  std::deque<std::string> &objects = state().objects;
  auto isSameKind = [&](const std::string &name) { return name.compare(0, kind.size(), kind) == 0; };
  size_t number = std::count_if(objects.begin(), objects.end(), isSameKind) + 1;
  objects.push_back(kind + std::to_string(number));
  *result = reinterpret_cast<Handle>(&objects.back());
  return hipSuccess;
}

// Start and devices.

FAKE_EXPORT hipError_t hipInit(unsigned) {
  note("hipInit");
  return state().initResult;
}

FAKE_EXPORT hipError_t hipRuntimeGetVersion(int *version) {
  *version = state().version;
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipGetDeviceCount(int *count) {
  *count = state().deviceCount;
  return state().countResult;
}

FAKE_EXPORT hipError_t hipDeviceGetName(char *name, int sizeBytes, hipDevice_t) {
  std::snprintf(name, sizeBytes, "Fake");
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipGetDevice(int *device) {
  *device = state().device;
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipSetDevice(int device) {
  note("hipSetDevice " + std::to_string(device));
  state().device = device;
  return hipSuccess;
}

// Streams and events.

FAKE_EXPORT hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned) {
  note("hipStreamCreateWithFlags");
  return make(stream, "stream");
}

FAKE_EXPORT hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned) {
  note("hipEventCreateWithFlags");
  return make(event, "event");
}

FAKE_EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  note("hipEventRecord " + nameOf(event) + " " + nameOf(stream));
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned) {
  note("hipStreamWaitEvent " + nameOf(stream) + " " + nameOf(event));
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipEventQuery(hipEvent_t event) {
  note("hipEventQuery " + nameOf(event));
  FakeDriver &fake = state();
  if (fake.captured && fake.captureMode != hipStreamCaptureModeRelaxed) {
    fake.isCaptureInvalid = true;
    return kUnsupportedInCapture;
  }
  return fake.busyEvents.count(event) ? hipErrorNotReady : hipSuccess;
}

// Host functions.

FAKE_EXPORT hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  note("hipLaunchHostFunc " + nameOf(stream));
  function(data);
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data, unsigned) {
  note("hipStreamAddCallback " + nameOf(stream));
  callback(stream, state().callbackStatus, data);
  return hipSuccess;
}

// Graphs.

FAKE_EXPORT hipError_t hipGraphCreate(hipGraph_t *graph, unsigned) { return make(graph, "graph"); }

FAKE_EXPORT hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t, const hipGraphNode_t *, size_t) {
  return make(node, "node");
}

FAKE_EXPORT hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t, const hipGraphNode_t *, size_t,
                                                  hipEvent_t) {
  return make(node, "node");
}

static void keepFill(const MemsetParamsOfVersion *fill) {
  std::memcpy(state().fills.emplace_back().data(), fill, sizeof(state().fills.back()));
}

FAKE_EXPORT hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t, const hipGraphNode_t *, size_t,
                                             const MemsetParamsOfVersion *fill) {
  keepFill(fill);
  return make(node, "node");
}

FAKE_EXPORT hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t, hipGraphNode_t,
                                                       const MemsetParamsOfVersion *fill) {
  keepFill(fill);
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *executable, hipGraph_t, unsigned long long) {
  return make(executable, "exec");
}

FAKE_EXPORT hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  note("hipGraphLaunch " + nameOf(executable) + " " + nameOf(stream));
  return hipSuccess;
}

// Capture.

FAKE_EXPORT hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  state().captured = stream;
  state().captureMode = mode;
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t *graph) {
  state().captured = nullptr;
  return state().isCaptureInvalid ? kCaptureInvalidated : make(graph, "graph");
}

FAKE_EXPORT hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
  *status = static_cast<hipStreamCaptureStatus>(stream == state().captured);
  return hipSuccess;
}

FAKE_EXPORT hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  note("hipThreadExchangeStreamCaptureMode " + std::to_string(*mode));
  std::swap(state().captureMode, *mode);
  return hipSuccess;
}
