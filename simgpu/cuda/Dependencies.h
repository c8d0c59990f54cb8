// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of nodes and their edge data as they cross the interface.

#ifndef LOCKSTEP_SIMGPU_CUDA_DEPENDENCIES_H
#define LOCKSTEP_SIMGPU_CUDA_DEPENDENCIES_H

#include "simgpu/core/GraphApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

/// Null stands for default edge data.
inline EdgePorts toPorts(const CUgraphEdgeData *data) {
  return data ? EdgePorts{data->from_port, data->to_port, data->type} : EdgePorts{};
}

inline CUgraphEdgeData toEdgeData(const EdgePorts &ports) { return {ports.from, ports.to, ports.type, {}}; }

inline Status readDependencies(Call &call, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count,
                               std::vector<Dependency> &dependencies) {
  if (count > 0 && !nodes)
    return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                       "argument dependencies is null and their count not 0");
  for (size_t i = 0; i < count; ++i)
    dependencies.push_back({toNumber(nodes[i]), toPorts(data ? &data[i] : nullptr)});
  return Status::Success;
}

/// Fills as many of the `*count` places as there are entries, the rest with null, and sets `*count` to the number of
/// entries written; without places, to the number that there are. Edge data that would be lost: LossyQuery.
inline Status writeDependencies(Call &call, const std::vector<Dependency> &list, CUgraphNode *nodes,
                                CUgraphEdgeData *data, size_t *count) {
  if (!count || (data && !nodes))
    return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                       count ? "edge data are asked for without nodes" : "the pointer to the count is null");
  if (!nodes) {
    *count = list.size();
    return Status::Success;
  }
  const size_t room = *count;
  size_t written = 0;
  for (; written < list.size() && written < room; ++written) {
    if (!data && !list[written].ports.isDefault())
      return Status::LossyQuery;
    nodes[written] = toHandle<CUgraphNode>(list[written].node);
    if (data)
      data[written] = toEdgeData(list[written].ports);
  }
  for (size_t i = written; i < room; ++i)
    nodes[i] = nullptr;
  *count = written;
  return Status::Success;
}

} // namespace lockstep::simgpu::cuda

#endif // LOCKSTEP_SIMGPU_CUDA_DEPENDENCIES_H
