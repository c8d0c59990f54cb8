// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's graph calls behind runtime-api/support/GraphBackend.h.

#ifndef LOCKSTEP_RUNTIME_HIP_GRAPHCALLS_H
#define LOCKSTEP_RUNTIME_HIP_GRAPHCALLS_H

#include "runtime-api/support/GraphBackend.h"
#include "runtime-hip/ApiCall.h"

namespace lockstep::hip {

/// The graph calls of one mgpu function, on behalf of which failures are recorded. Not thread safe; the driver's graph
/// objects are not either.
class GraphCalls : public runtime::GraphBackend {
public:
  /// Objects are made in the context of `device`; launches go to `stream`.
  GraphCalls(ApiCall &call, int32_t device, hipStream_t stream = nullptr)
      : call(call), device(device), stream(stream) {}

  void *createGraph() override;
  void *addNode(void *graph, const runtime::GraphNode &node, const std::vector<void *> &dependencies) override;
  bool addAllocation(void *graph, uint64_t sizeBytes, uint64_t &address) override;
  void *instantiate(void *graph) override;
  runtime::GraphChange setNode(void *executable, void *handle, const runtime::GraphNode &node) override;
  runtime::GraphChange update(void *executable, void *graph) override;
  bool launch(void *executable, const char *op) override;
  void destroyGraph(void *graph) override;
  void destroyExecutable(void *executable) override;

private:
  struct NodeAdder;
  struct NodeSetter;
  runtime::GraphChange classify(const char *name, hipError_t result);

  ApiCall &call;
  int32_t device;
  hipStream_t stream;
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_GRAPHCALLS_H
