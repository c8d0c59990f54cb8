// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture.

#include "simgpu/core/CaptureApi.h"
#include "simgpu/cuda/Dependencies.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

static_assert(sizeof(ShownPorts) == sizeof(CUgraphEdgeData), "queries hand out what the capture keeps");

static Status readMode(Call &call, CUstreamCaptureMode mode, CaptureMode &result) {
  result = static_cast<CaptureMode>(mode);
  if (mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "CAPTURE-1", "unknown capture mode " + std::to_string(mode));
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return run(__func__, Needs::Context, [&](Call &call) {
    CaptureMode wanted;
    Status status = readMode(call, mode, wanted);
    return status == Status::Success ? beginCapture(call, toNumber(stream), wanted) : status;
  });
}
CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode) {
  return run(__func__, Needs::Context, [&](Call &call) {
    CaptureMode wanted;
    std::vector<Dependency> list;
    Status status = readMode(call, mode, wanted);
    if (status == Status::Success)
      status = readDependencies(call, dependencies, data, count, list);
    return status == Status::Success ? beginCaptureToGraph(call, toNumber(stream), toNumber(graph), list, wanted)
                                     : status;
  });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  return run(__func__, Needs::Context, [&](Call &call) {
    if (!graph)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    uint64_t handle = 0;
    Status status = endCapture(call, toNumber(stream), handle);
    *graph = toHandle<CUgraph>(handle);
    return status;
  });
}

/// Where a null pointer stands for what is not asked for.
struct InfoPlaces {
  CUstreamCaptureStatus *status = nullptr;
  cuuint64_t *id = nullptr;
  CUgraph *graph = nullptr;
  const CUgraphNode **dependencies = nullptr;
  const CUgraphEdgeData **data = nullptr;
  size_t *count = nullptr;
};

static CUresult getInfo(const char *name, CUstream stream, const InfoPlaces &places) {
  return run(name, Needs::Context, [&](Call &call) {
    if (!places.status)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the status is null");
    CaptureInfo info;
    Status status = getCaptureInfo(call, toNumber(stream), info);
    if (status != Status::Success)
      return status;
    if (places.dependencies && !places.data && info.hasPorts)
      return Status::LossyQuery;
    *places.status = static_cast<CUstreamCaptureStatus>(info.status);
    if (info.status != CaptureStatus::Active)
      return status;
    if (places.id)
      *places.id = info.id;
    if (places.graph)
      *places.graph = toHandle<CUgraph>(info.graph);
    if (places.dependencies)
      *places.dependencies = reinterpret_cast<const CUgraphNode *>(info.nodes->data());
    if (places.data)
      *places.data = info.hasPorts ? reinterpret_cast<const CUgraphEdgeData *>(info.ports->data()) : nullptr;
    if (places.count)
      *places.count = info.nodes->size();
    return status;
  });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  return getInfo(__func__, stream, {status});
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  return getInfo(__func__, stream, {status, id});
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count) {
  return getInfo(__func__, stream, {status, id, graph, dependencies, nullptr, count});
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count) {
  return getInfo(__func__, stream, {status, id, graph, dependencies, data, count});
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                              size_t count, unsigned flags) {
  return run(__func__, Needs::Context, [&](Call &call) {
    std::vector<Dependency> list;
    Status status = checkFlags(call, flags, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    if (status == Status::Success)
      status = readDependencies(call, dependencies, data, count, list);
    if (status != Status::Success)
      return status;
    return updateCaptureDependencies(call, toNumber(stream), list, flags & CU_STREAM_SET_CAPTURE_DEPENDENCIES);
  });
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return run(__func__, Needs::Nothing, [&](Call &call) {
    if (!mode)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the mode is null");
    CaptureMode wanted;
    Status status = readMode(call, *mode, wanted);
    if (status == Status::Success)
      *mode = static_cast<CUstreamCaptureMode>(exchangeCaptureMode(call, wanted));
    return status;
  });
}

} // namespace lockstep::simgpu::cuda
