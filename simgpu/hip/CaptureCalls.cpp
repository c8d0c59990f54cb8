// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture.

#include "simgpu/core/CaptureApi.h"
#include "simgpu/hip/Facade.h"

#include <algorithm>

namespace lockstep::simgpu::hip {

static Status readMode(Call &call, hipStreamCaptureMode mode, CaptureMode &result) {
  result = static_cast<CaptureMode>(mode);
  if (mode <= hipStreamCaptureModeRelaxed)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "CAPTURE-1", "unknown capture mode " + std::to_string(mode));
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return run(__func__, [&](Call &call) {
    CaptureMode wanted;
    Status status = readMode(call, mode, wanted);
    return status == Status::Success ? beginCapture(call, toNumber(stream), wanted) : status;
  });
}

/// Edge data other than the default have no meaning on these devices.
static bool isDefault(const hipGraphEdgeData &data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == 0;
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t *nodes,
                                        const hipGraphEdgeData *data, size_t count, hipStreamCaptureMode mode) {
  return run(__func__, [&](Call &call) {
    CaptureMode wanted;
    Status status = readMode(call, mode, wanted);
    if (status != Status::Success)
      return status;
    if (count > 0 && !nodes)
      return refuseNull(call);
    if (data && !std::all_of(data, data + count, isDefault))
      return call.report(Status::NotSupported, "errors", "", "edge data are not supported");
    std::vector<Dependency> dependencies;
    for (size_t i = 0; i < count; ++i)
      dependencies.push_back({toNumber(nodes[i]), {}});
    return beginCaptureToGraph(call, toNumber(stream), toNumber(graph), dependencies, wanted);
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
  return run(__func__, [&](Call &call) {
    if (!graph)
      return refuseNull(call);
    uint64_t handle = 0;
    Status status = endCapture(call, toNumber(stream), handle);
    *graph = toHandle<hipGraph_t>(handle);
    return status;
  });
}

/// A null pointer stands for what is not asked for.
static hipError_t getInfo(const char *name, hipStream_t stream, hipStreamCaptureStatus *captureStatus,
                          unsigned long long *id, hipGraph_t *graph = nullptr,
                          const hipGraphNode_t **dependencies = nullptr, size_t *count = nullptr) {
  return run(name, [&](Call &call) {
    if (!captureStatus)
      return refuseNull(call);
    CaptureInfo info;
    Status status = getCaptureInfo(call, toNumber(stream), info);
    if (status != Status::Success)
      return status;
    *captureStatus = static_cast<hipStreamCaptureStatus>(info.status);
    if (info.status != CaptureStatus::Active)
      return status;
    if (id)
      *id = info.id;
    if (graph)
      *graph = toHandle<hipGraph_t>(info.graph);
    if (dependencies)
      *dependencies = reinterpret_cast<const hipGraphNode_t *>(info.nodes->data());
    if (count)
      *count = info.nodes->size();
    return status;
  });
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
  return getInfo(__func__, stream, status, nullptr);
}
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id) {
  return getInfo(__func__, stream, status, id);
}
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
                                      hipGraph_t *graph, const hipGraphNode_t **dependencies, size_t *count) {
  return getInfo(__func__, stream, status, id, graph, dependencies, count);
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies, size_t count,
                                              unsigned flags) {
  return run(__func__, [&](Call &call) {
    Status status = checkFlags(call, flags, hipStreamSetCaptureDependencies);
    if (status != Status::Success)
      return status;
    if (count > 0 && !dependencies)
      return refuseNull(call);
    std::vector<Dependency> list;
    for (size_t i = 0; i < count; ++i)
      list.push_back({toNumber(dependencies[i]), {}});
    return updateCaptureDependencies(call, toNumber(stream), list, flags & hipStreamSetCaptureDependencies);
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  return runWithoutDevice(__func__, [&](Call &call) {
    if (!mode)
      return refuseNull(call);
    CaptureMode wanted;
    Status status = readMode(call, *mode, wanted);
    if (status == Status::Success)
      *mode = static_cast<hipStreamCaptureMode>(exchangeCaptureMode(call, wanted));
    return status;
  });
}

} // namespace lockstep::simgpu::hip
