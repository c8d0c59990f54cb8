// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asking graphs: what is in them, and how it is connected.

#include "simgpu/core/GraphApi.h"
#include "simgpu/hip/Facade.h"

#include <algorithm>

namespace lockstep::simgpu::hip {

/// Without places, the number of nodes; else as many as there are places, the rest null.
static void writeNodes(const std::vector<uint64_t> &list, hipGraphNode_t *nodes, size_t &count) {
  const size_t room = nodes ? count : 0;
  for (size_t i = 0; i < room; ++i)
    nodes[i] = i < list.size() ? toHandle<hipGraphNode_t>(list[i]) : nullptr;
  count = nodes ? std::min(room, list.size()) : list.size();
}

/// Writes the handles that `list(call, handles)` gives.
template <typename List> static hipError_t listInto(const char *name, hipGraphNode_t *nodes, size_t *count, List list) {
  return run(name, [&](Call &call) {
    if (!count)
      return refuseNull(call);
    std::vector<uint64_t> handles;
    Status status = list(call, handles);
    if (status == Status::Success)
      writeNodes(handles, nodes, *count);
    return status;
  });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
  return listInto(__func__, nodes, count, [&](Call &call, std::vector<uint64_t> &handles) {
    return listNodes(call, toNumber(graph), false, handles);
  });
}
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
  return listInto(__func__, nodes, count, [&](Call &call, std::vector<uint64_t> &handles) {
    return listNodes(call, toNumber(graph), true, handles);
  });
}

static hipError_t listEnds(const char *name, hipGraphNode_t node, hipGraphNode_t *nodes, size_t *count,
                           Status (*list)(Call &, uint64_t, std::vector<Dependency> &)) {
  return listInto(name, nodes, count, [&](Call &call, std::vector<uint64_t> &handles) {
    std::vector<Dependency> ends;
    Status status = list(call, toNumber(node), ends);
    for (const Dependency &end : ends)
      handles.push_back(end.node);
    return status;
  });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *nodes, size_t *count) {
  return listEnds(__func__, node, nodes, count, listDependencies);
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes, size_t *count) {
  return listEnds(__func__, node, nodes, count, listDependents);
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to, size_t *count) {
  return run(__func__, [&](Call &call) {
    if (!count)
      return refuseNull(call);
    if (!from != !to)
      return call.report(Status::InvalidValue, "errors", "GRAPH-9", "one of from and to is null");
    std::vector<EdgeRecord> edges;
    Status status = listEdges(call, toNumber(graph), edges);
    if (status != Status::Success)
      return status;
    std::vector<uint64_t> sources, targets;
    for (const EdgeRecord &edge : edges) {
      sources.push_back(edge.from);
      targets.push_back(edge.to);
    }
    size_t room = *count;
    writeNodes(sources, from, room);
    writeNodes(targets, to, *count);
    return status;
  });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t *node, hipGraphNode_t original, hipGraph_t clone) {
  return runWithResult(__func__, node, [&](Call &call, uint64_t &handle) {
    return findNodeInClone(call, toNumber(original), toNumber(clone), handle);
  });
}

hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned flags) {
  return run(__func__, [&](Call &call) { return writeDot(call, toNumber(graph), path, flags != 0); });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType *type) {
  return runWithResult(__func__, type, [&](Call &call, uint64_t &value) {
    // In the order of Task.
    static constexpr hipGraphNodeType types[] = {
        hipGraphNodeTypeEmpty,   hipGraphNodeTypeMemcpy,      hipGraphNodeTypeMemset,    hipGraphNodeTypeKernel,
        hipGraphNodeTypeHost,    hipGraphNodeTypeEventRecord, hipGraphNodeTypeWaitEvent, hipGraphNodeTypeMemAlloc,
        hipGraphNodeTypeMemFree, hipGraphNodeTypeGraph};
    static_assert(std::size(types) == std::variant_size_v<Task>);
    Status status;
    if (auto node = call.resolve<GraphNode>(toNumber(handle), HandleKind::GraphNode, "node", status))
      value = types[node->task.index()];
    return status;
  });
}

} // namespace lockstep::simgpu::hip
