// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building and asking graphs: async-semantics 5.6. Every function is one driver call's body; see Call.h. All of them
// are linear in what they touch.

#ifndef LOCKSTEP_SIMGPU_CORE_GRAPHAPI_H
#define LOCKSTEP_SIMGPU_CORE_GRAPHAPI_H

#include "simgpu/core/Call.h"
#include "simgpu/core/Graph.h"

#include <vector>

namespace lockstep::simgpu {

/// A node, by handle, and what of it is waited for.
struct Dependency {
  uint64_t node = 0;
  EdgePorts ports;
};

struct EdgeRecord {
  uint64_t from = 0, to = 0;
  EdgePorts ports;
};

Status createGraph(Call &call, uint64_t &handle);
/// Nodes, owned graphs and references to user objects go with it; instances and launches live on.
Status destroyGraph(Call &call, uint64_t handle);
/// InvalidValue for a graph with memory nodes.
Status cloneGraph(Call &call, uint64_t original, uint64_t &handle);
Status findNodeInClone(Call &call, uint64_t node, uint64_t clone, uint64_t &found);

/// Adds a node behind `dependencies`. A null `context` stands for the current one.
Status addNode(Call &call, uint64_t graph, const std::vector<Dependency> &dependencies, Task task,
               std::shared_ptr<Context> context, uint64_t &node);
/// A child is copied, or moved into the node.
Status addChildGraphNode(Call &call, uint64_t graph, const std::vector<Dependency> &dependencies, uint64_t child,
                         bool isMoved, uint64_t &node);
Status addAllocationNode(Call &call, uint64_t graph, const std::vector<Dependency> &dependencies, int deviceOrdinal,
                         uint64_t sizeBytes, uint64_t &node, uint64_t &address);
Status addFreeNode(Call &call, uint64_t graph, const std::vector<Dependency> &dependencies, uint64_t address,
                   uint64_t &node);
Status destroyNode(Call &call, uint64_t node);
/// Adds all edges, or none.
Status addEdges(Call &call, uint64_t graph, const std::vector<EdgeRecord> &edges);
Status removeEdges(Call &call, uint64_t graph, const std::vector<EdgeRecord> &edges);

Status listNodes(Call &call, uint64_t graph, bool rootsOnly, std::vector<uint64_t> &nodes);
Status listEdges(Call &call, uint64_t graph, std::vector<EdgeRecord> &edges);
Status listDependencies(Call &call, uint64_t node, std::vector<Dependency> &dependencies);
Status listDependents(Call &call, uint64_t node, std::vector<Dependency> &dependents);
/// A node whose task is a T; null, InvalidValue and a finding for another one.
template <typename T> std::shared_ptr<GraphNode> resolveNode(Call &call, uint64_t handle, Status &status);
/// Replaces the task of a node by one of the same kind.
Status setNodeTask(Call &call, uint64_t node, Task task, std::shared_ptr<Context> context);
/// Writes the graph in the DOT language; `isVerbose` adds parameters.
Status writeDot(Call &call, uint64_t graph, const char *path, bool isVerbose);

/// The caller has `count` references to begin with. When the last reference is gone, `destroy(data)` runs at some
/// time, as a host function does; nothing can wait for it.
Status createUserObject(Call &call, void *data, void (*destroy)(void *), uint64_t count, uint64_t &handle);
Status retainUserObject(Call &call, uint64_t object, uint64_t count);
Status releaseUserObject(Call &call, uint64_t object, uint64_t count);
/// Gives the graph references: new ones, or the caller's (`isMoved`).
Status retainForGraph(Call &call, uint64_t graph, uint64_t object, uint64_t count, bool isMoved);
Status releaseForGraph(Call &call, uint64_t graph, uint64_t object, uint64_t count);
/// Adds to, or takes from, what a graph or instance holds; for the functions of graphs themselves.
void holdReferences(UserReferences &holder, const UserReferences &references);
void dropReferences(Machine &machine, const std::shared_ptr<Context> &context, UserReferences &references);

/// The parts that capture shares: adds a node that was judged, behind nodes of the same graph.
std::shared_ptr<GraphNode> appendNode(Machine &machine, Graph &graph, const std::vector<GraphEdge> &dependencies,
                                      Task task, const std::shared_ptr<Context> &context, const std::string &op);
std::shared_ptr<Graph> createGraphObject(Machine &machine);
/// Takes the handles of the graph and of all in it out of use.
void releaseGraph(Call &call, Graph &graph);
/// A copy in place of `clone`, which is empty: nodes, edges, owned graphs, references.
void copyGraph(Machine &machine, const Graph &original, Graph &clone);
/// Checks that each node is one of `graph`, none named twice, and the ports are known.
Status resolveDependencies(Call &call, const Graph &graph, const std::vector<Dependency> &dependencies,
                           const Task &dependent, std::vector<GraphEdge> &edges);

/// Reports a node of another kind.
Status refuseKind(Call &call, const GraphNode &node, const char *expected);

template <typename T> std::shared_ptr<GraphNode> resolveNode(Call &call, uint64_t handle, Status &status) {
  auto node = call.resolve<GraphNode>(handle, HandleKind::GraphNode, "hNode", status);
  if (!node || std::holds_alternative<T>(node->task))
    return node;
  status = refuseKind(call, *node, taskName(T{}));
  return nullptr;
}

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_GRAPHAPI_H
