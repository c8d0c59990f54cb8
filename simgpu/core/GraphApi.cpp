// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and edges.

#include "simgpu/core/GraphApi.h"

#include <algorithm>
#include <unordered_set>

namespace lockstep::simgpu {

static constexpr uint8_t portProgrammatic = 1;
static constexpr uint8_t typeProgrammatic = 1;

std::shared_ptr<Graph> createGraphObject(Machine &machine) {
  auto graph = std::make_shared<Graph>();
  machine.handles.create(HandleKind::Graph, graph);
  return graph;
}

Status createGraph(Call &call, uint64_t &handle) {
  handle = createGraphObject(call.machine)->handle;
  return Status::Success;
}

void releaseGraph(Call &call, Graph &graph) {
  for (const auto &[number, node] : graph.nodes) {
    if (auto *child = std::get_if<ChildGraphTask>(&node->task))
      releaseGraph(call, *child->graph);
    call.machine.handles.destroy(node->handle);
    node->graph = nullptr;
  }
  graph.nodes.clear();
  dropReferences(call.machine, call.context, graph.userObjects);
  call.machine.handles.destroy(graph.handle);
}

Status destroyGraph(Call &call, uint64_t handle) {
  Status status;
  auto graph = call.resolve<Graph>(handle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  if (graph->parent)
    return call.report(Status::InvalidValue, "lifetime", "GRAPH-15", "argument hGraph belongs to a child graph node");
  if (graph->capture.lock())
    return call.report(Status::InvalidValue, "lifetime", "CAPTURE-14", "argument hGraph is being captured into");
  releaseGraph(call, *graph);
  return Status::Success;
}

void copyGraph(Machine &machine, const Graph &original, Graph &clone) {
  std::unordered_map<const GraphNode *, GraphNode *> copies;
  for (const auto &[number, node] : original.nodes) {
    Task task = node->task;
    if (auto *child = std::get_if<ChildGraphTask>(&task)) {
      std::shared_ptr<Graph> inner = createGraphObject(machine);
      copyGraph(machine, *child->graph, *inner);
      child->graph = inner;
    }
    std::shared_ptr<GraphNode> copy = appendNode(machine, clone, {}, std::move(task), node->context.lock(), node->op);
    copies[node.get()] = copy.get();
    clone.clones[node->handle] = copy->handle;
  }
  for (const auto &[node, copy] : copies) {
    copy->sinkSince = node->sinkSince;
    for (const GraphEdge &edge : node->dependencies)
      copy->dependencies.push_back({copies[edge.node], edge.ports});
    for (const GraphEdge &edge : node->dependents)
      copy->dependents.push_back({copies[edge.node], edge.ports});
  }
  clone.lastSink = original.lastSink;
  holdReferences(clone.userObjects, original.userObjects);
}

static Status refuseMemoryNodes(Call &call, const char *what) {
  return call.report(Status::InvalidValue, "errors", "GRAPH-5",
                     std::string("the graph has allocation or free nodes, so ") + what);
}

Status cloneGraph(Call &call, uint64_t original, uint64_t &handle) {
  Status status;
  auto graph = call.resolve<Graph>(original, HandleKind::Graph, "originalGraph", status);
  if (!graph)
    return status;
  if (graph->hasMemoryNodes)
    return refuseMemoryNodes(call, "it cannot be cloned");
  std::shared_ptr<Graph> clone = createGraphObject(call.machine);
  copyGraph(call.machine, *graph, *clone);
  handle = clone->handle;
  return Status::Success;
}

Status findNodeInClone(Call &call, uint64_t nodeHandle, uint64_t cloneHandle, uint64_t &found) {
  Status status;
  auto node = call.resolve<GraphNode>(nodeHandle, HandleKind::GraphNode, "hOriginalNode", status);
  if (!node)
    return status;
  auto clone = call.resolve<Graph>(cloneHandle, HandleKind::Graph, "hClonedGraph", status);
  if (!clone)
    return status;
  auto entry = clone->clones.find(nodeHandle);
  if (entry == clone->clones.end() || !call.machine.handles.lookup(entry->second, HandleKind::GraphNode).object)
    return call.report(Status::InvalidValue, "errors", "GRAPH-15", "the graph holds no clone of the node");
  found = entry->second;
  return Status::Success;
}

std::shared_ptr<GraphNode> appendNode(Machine &machine, Graph &graph, const std::vector<GraphEdge> &dependencies,
                                      Task task, const std::shared_ptr<Context> &context, const std::string &op) {
  auto node = std::make_shared<GraphNode>();
  machine.handles.create(HandleKind::GraphNode, node);
  node->graph = &graph;
  node->number = ++graph.lastNumber;
  node->context = context;
  node->op = op;
  node->dependencies = dependencies;
  node->sinkSince = ++graph.lastSink;
  for (const GraphEdge &edge : dependencies)
    edge.node->dependents.push_back({node.get(), edge.ports});
  bool hasMemory = std::holds_alternative<AllocateTask>(task) || std::holds_alternative<FreeTask>(task);
  if (auto *child = std::get_if<ChildGraphTask>(&task)) {
    child->graph->parent = node.get();
    hasMemory = child->graph->hasMemoryNodes;
  }
  for (Graph *level = &graph; hasMemory && level; level = level->parent ? level->parent->graph : nullptr)
    level->hasMemoryNodes = true;
  node->task = std::move(task);
  graph.nodes.emplace(node->number, node);
  return node;
}

static Status checkPorts(Call &call, const EdgePorts &ports, const GraphNode &from, const Task &to) {
  if (ports.isDefault())
    return Status::Success;
  bool isBetweenKernels = std::holds_alternative<KernelTask>(from.task) && std::holds_alternative<KernelTask>(to);
  if (ports.type != typeProgrammatic || ports.to != 0 || !isBetweenKernels)
    return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                       "an edge with data that are neither default nor programmatic between two kernels");
  // Kernels of this device never signal early, so the port for that opens when they end.
  if (ports.from == portProgrammatic)
    return Status::Success;
  return call.report(Status::NotSupported, "errors", "", "edges from the port of a kernel's launch are not supported");
}

Status resolveDependencies(Call &call, const Graph &graph, const std::vector<Dependency> &dependencies,
                           const Task &dependent, std::vector<GraphEdge> &edges) {
  std::unordered_set<const GraphNode *> seen;
  for (const Dependency &dependency : dependencies) {
    Status status;
    auto node = call.resolve<GraphNode>(dependency.node, HandleKind::GraphNode, "dependencies", status);
    if (!node)
      return status;
    if (node->graph != &graph)
      return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                         "argument dependencies names a node of another graph (" +
                             HandleTable::shortName(node->handle) + ")");
    if (!seen.insert(node.get()).second)
      return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                         "argument dependencies names " + HandleTable::shortName(node->handle) + " twice");
    if ((status = checkPorts(call, dependency.ports, *node, dependent)) != Status::Success)
      return status;
    edges.push_back({node.get(), dependency.ports});
  }
  return Status::Success;
}

Status addNode(Call &call, uint64_t graphHandle, const std::vector<Dependency> &dependencies, Task task,
               std::shared_ptr<Context> context, uint64_t &node) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  std::vector<GraphEdge> edges;
  if ((status = resolveDependencies(call, *graph, dependencies, task, edges)) != Status::Success)
    return status;
  node = appendNode(call.machine, *graph, edges, std::move(task), context ? context : call.context, call.thread.op)
             ->handle;
  return Status::Success;
}

/// Whether `inner` is `graph` or holds it.
static bool contains(const Graph &inner, const Graph &graph) {
  for (const Graph *level = &graph; level; level = level->parent ? level->parent->graph : nullptr)
    if (level == &inner)
      return true;
  return false;
}

Status addChildGraphNode(Call &call, uint64_t graphHandle, const std::vector<Dependency> &dependencies,
                         uint64_t childHandle, bool isMoved, uint64_t &node) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  auto child = call.resolve<Graph>(childHandle, HandleKind::Graph, "childGraph", status);
  if (!child)
    return status;
  std::vector<GraphEdge> edges;
  if ((status = resolveDependencies(call, *graph, dependencies, ChildGraphTask{}, edges)) != Status::Success)
    return status;
  if (!isMoved && child->hasMemoryNodes)
    return refuseMemoryNodes(call, "it becomes a child only by moving it");
  if (isMoved && (child->isOwned() || !child->exec.expired() || contains(*child, *graph)))
    return call.report(Status::InvalidValue, "errors", "GRAPH-5",
                       "argument childGraph cannot be moved: it is in use, or the graph lies inside of it");
  if (!isMoved) {
    std::shared_ptr<Graph> copy = createGraphObject(call.machine);
    copyGraph(call.machine, *child, *copy);
    child = copy;
  }
  node = appendNode(call.machine, *graph, edges, ChildGraphTask{child}, call.context, call.thread.op)->handle;
  return Status::Success;
}

static Status refuseInMovedChild(Call &call, const Graph &graph) {
  if (!graph.parent)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "GRAPH-5",
                     "a child graph that was moved takes no more allocation or free nodes");
}

Status addAllocationNode(Call &call, uint64_t graphHandle, const std::vector<Dependency> &dependencies,
                         int deviceOrdinal, uint64_t sizeBytes, uint64_t &node, uint64_t &address) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph || (status = refuseInMovedChild(call, *graph)) != Status::Success)
    return status;
  std::shared_ptr<GraphMemory> memory;
  if ((status = createGraphMemory(call, deviceOrdinal, sizeBytes, memory)) != Status::Success)
    return status;
  memory->owner = graphHandle;
  address = memory->allocation->address;
  return addNode(call, graphHandle, dependencies, AllocateTask{memory}, nullptr, node);
}

Status addFreeNode(Call &call, uint64_t graphHandle, const std::vector<Dependency> &dependencies, uint64_t address,
                   uint64_t &node) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph || (status = refuseInMovedChild(call, *graph)) != Status::Success)
    return status;
  std::shared_ptr<GraphMemory> memory = findGraphMemory(call, address, status);
  if (!memory || (status = checkFreeNode(call, *memory, graphHandle)) != Status::Success)
    return status;
  status = addNode(call, graphHandle, dependencies, FreeTask{memory}, nullptr, node);
  if (status == Status::Success)
    memory->freedBy.insert(graphHandle);
  return status;
}

/// Takes an edge away at the end that `edges` is; gives whether it was there.
static bool eraseEdge(std::vector<GraphEdge> &edges, const GraphNode *other, const EdgePorts *ports) {
  auto found = std::find_if(edges.begin(), edges.end(), [&](const GraphEdge &edge) {
    return edge.node == other && (!ports || edge.ports == *ports);
  });
  if (found == edges.end())
    return false;
  edges.erase(found);
  return true;
}

static void noteSink(GraphNode &node) {
  if (node.dependents.empty())
    node.sinkSince = ++node.graph->lastSink;
}

Status destroyNode(Call &call, uint64_t handle) {
  Status status;
  auto node = call.resolve<GraphNode>(handle, HandleKind::GraphNode, "hNode", status);
  if (!node)
    return status;
  if (node->graph->hasMemoryNodes)
    return refuseMemoryNodes(call, "its nodes cannot be destroyed");
  if (node->graph->capture.lock())
    return call.report(Status::InvalidValue, "errors", "CAPTURE-14", "the graph of the node is being captured into");
  for (const GraphEdge &edge : node->dependencies) {
    eraseEdge(edge.node->dependents, node.get(), nullptr);
    noteSink(*edge.node);
  }
  for (const GraphEdge &edge : node->dependents)
    eraseEdge(edge.node->dependencies, node.get(), nullptr);
  if (auto *child = std::get_if<ChildGraphTask>(&node->task))
    releaseGraph(call, *child->graph);
  call.machine.handles.destroy(handle);
  node->graph->nodes.erase(node->number);
  node->graph = nullptr;
  return Status::Success;
}

static bool hasEdge(const GraphNode &from, const GraphNode &to) {
  const bool looksForward = from.dependents.size() < to.dependencies.size();
  const std::vector<GraphEdge> &edges = looksForward ? from.dependents : to.dependencies;
  const GraphNode *other = looksForward ? &to : &from;
  return std::any_of(edges.begin(), edges.end(), [&](const GraphEdge &edge) { return edge.node == other; });
}

namespace {
struct ResolvedEdge {
  std::shared_ptr<GraphNode> from, to;
  EdgePorts ports;

  std::string describe() const {
    return HandleTable::shortName(from->handle) + " to " + HandleTable::shortName(to->handle);
  }
};
} // namespace

static Status resolveEdge(Call &call, const Graph &graph, const EdgeRecord &record, ResolvedEdge &edge) {
  Status status;
  edge.ports = record.ports;
  edge.from = call.resolve<GraphNode>(record.from, HandleKind::GraphNode, "from", status);
  if (!edge.from)
    return status;
  edge.to = call.resolve<GraphNode>(record.to, HandleKind::GraphNode, "to", status);
  if (!edge.to)
    return status;
  if (edge.from->graph == &graph && edge.to->graph == &graph)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                     "the edge from " + edge.describe() + " leaves the graph");
}

static void connect(const ResolvedEdge &edge) {
  edge.from->dependents.push_back({edge.to.get(), edge.ports});
  edge.to->dependencies.push_back({edge.from.get(), edge.ports});
}

static void disconnect(const ResolvedEdge &edge) {
  eraseEdge(edge.from->dependents, edge.to.get(), &edge.ports);
  eraseEdge(edge.to->dependencies, edge.from.get(), &edge.ports);
}

Status addEdges(Call &call, uint64_t graphHandle, const std::vector<EdgeRecord> &records) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  std::vector<ResolvedEdge> added;
  for (const EdgeRecord &record : records) {
    ResolvedEdge edge;
    status = resolveEdge(call, *graph, record, edge);
    if (status == Status::Success && edge.from == edge.to)
      status = call.report(Status::InvalidValue, "errors", "GRAPH-9",
                           HandleTable::shortName(edge.from->handle) + " cannot depend on itself");
    if (status == Status::Success && hasEdge(*edge.from, *edge.to))
      status = call.report(Status::InvalidValue, "errors", "GRAPH-9",
                           "there is an edge from " + edge.describe() + " already");
    if (status == Status::Success)
      status = checkPorts(call, edge.ports, *edge.from, edge.to->task);
    if (status != Status::Success) {
      for (auto back = added.rbegin(); back != added.rend(); ++back)
        disconnect(*back);
      return status;
    }
    connect(edge);
    added.push_back(edge);
  }
  return Status::Success;
}

Status removeEdges(Call &call, uint64_t graphHandle, const std::vector<EdgeRecord> &records) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph || records.empty())
    return status;
  if (graph->hasMemoryNodes)
    return refuseMemoryNodes(call, "its edges cannot be removed");
  std::vector<ResolvedEdge> edges(records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    if ((status = resolveEdge(call, *graph, records[i], edges[i])) != Status::Success)
      return status;
    bool isThere =
        std::any_of(edges[i].to->dependencies.begin(), edges[i].to->dependencies.end(), [&](const GraphEdge &edge) {
          return edge.node == edges[i].from.get() && edge.ports == edges[i].ports;
        });
    if (!isThere)
      return call.report(Status::InvalidValue, "errors", "GRAPH-9",
                         "there is no such edge from " + edges[i].describe());
  }
  for (const ResolvedEdge &edge : edges) {
    disconnect(edge);
    noteSink(*edge.from);
  }
  return Status::Success;
}

Status listNodes(Call &call, uint64_t graphHandle, bool rootsOnly, std::vector<uint64_t> &nodes) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  for (const auto &[number, node] : graph->nodes)
    if (!rootsOnly || node->dependencies.empty())
      nodes.push_back(node->handle);
  return Status::Success;
}

Status listEdges(Call &call, uint64_t graphHandle, std::vector<EdgeRecord> &edges) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  for (const auto &[number, node] : graph->nodes)
    for (const GraphEdge &edge : node->dependencies)
      edges.push_back({edge.node->handle, node->handle, edge.ports});
  return Status::Success;
}

static Status listEnds(Call &call, uint64_t handle, std::vector<GraphEdge> GraphNode::*ends,
                       std::vector<Dependency> &list) {
  Status status;
  auto node = call.resolve<GraphNode>(handle, HandleKind::GraphNode, "hNode", status);
  if (!node)
    return status;
  for (const GraphEdge &edge : (*node).*ends)
    list.push_back({edge.node->handle, edge.ports});
  return Status::Success;
}

Status listDependencies(Call &call, uint64_t node, std::vector<Dependency> &dependencies) {
  return listEnds(call, node, &GraphNode::dependencies, dependencies);
}

Status listDependents(Call &call, uint64_t node, std::vector<Dependency> &dependents) {
  return listEnds(call, node, &GraphNode::dependents, dependents);
}

Status refuseKind(Call &call, const GraphNode &node, const char *expected) {
  return call.report(Status::InvalidValue, "lifetime", "GRAPH-15",
                     "argument hNode is " + std::string(taskName(node.task)) + " (" +
                         HandleTable::shortName(node.handle) + "), " + expected + " is expected");
}

Status setNodeTask(Call &call, uint64_t handle, Task task, std::shared_ptr<Context> context) {
  Status status;
  auto node = call.resolve<GraphNode>(handle, HandleKind::GraphNode, "hNode", status);
  if (!node)
    return status;
  if (node->task.index() != task.index())
    return refuseKind(call, *node, taskName(task));
  node->task = std::move(task);
  if (context)
    node->context = context;
  return Status::Success;
}

} // namespace lockstep::simgpu
