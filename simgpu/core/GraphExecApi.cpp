// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiation, and parameters of an instance.

#include "simgpu/core/GraphExecApi.h"

#include <algorithm>
#include <queue>

namespace lockstep::simgpu {

std::vector<const GraphNode *> sortNodes(const Graph &graph, const GraphNode *&cyclic) {
  auto isLater = [](const GraphNode *a, const GraphNode *b) { return a->number > b->number; };
  std::priority_queue<const GraphNode *, std::vector<const GraphNode *>, decltype(isLater)> ready(isLater);
  std::unordered_map<const GraphNode *, size_t> unmet;
  for (const auto &[number, node] : graph.nodes) {
    unmet[node.get()] = node->dependencies.size();
    if (node->dependencies.empty())
      ready.push(node.get());
  }
  std::vector<const GraphNode *> sorted;
  sorted.reserve(graph.nodes.size());
  while (!ready.empty()) {
    const GraphNode *node = ready.top();
    ready.pop();
    sorted.push_back(node);
    for (const GraphEdge &edge : node->dependents)
      if (--unmet[edge.node] == 0)
        ready.push(edge.node);
  }
  cyclic = nullptr;
  if (sorted.size() < graph.nodes.size())
    for (const auto &[number, node] : graph.nodes)
      if (unmet[node.get()] > 0)
        cyclic = node.get();
  return sorted;
}

namespace {
using NodePositions = std::unordered_map<const GraphNode *, uint32_t>;

std::vector<uint32_t> listSinks(const std::vector<const GraphNode *> &nodes) {
  std::vector<uint32_t> sinks;
  for (uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]->dependents.empty())
      sinks.push_back(i);
  std::sort(sinks.begin(), sinks.end(),
            [&](uint32_t a, uint32_t b) { return nodes[a]->sinkSince < nodes[b]->sinkSince; });
  return sinks;
}

/// Gives a node of a cycle, or null.
const GraphNode *buildLevel(const Graph &graph, ExecGraph &level, GraphExec &exec) {
  const GraphNode *cyclic = nullptr;
  std::vector<const GraphNode *> nodes = sortNodes(graph, cyclic);
  if (cyclic)
    return cyclic;
  NodePositions positions;
  level.nodes.resize(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const GraphNode &node = *nodes[i];
    ExecNode &copy = level.nodes[i];
    positions[&node] = i;
    copy.task = node.task;
    copy.context = node.context;
    copy.op = node.op;
    copy.number = node.number;
    for (const GraphEdge &edge : node.dependencies)
      copy.dependencies.push_back(positions[edge.node]);
    exec.byNode[node.handle] = &copy;
    if (const auto *child = std::get_if<ChildGraphTask>(&node.task)) {
      copy.child = std::make_shared<ExecGraph>();
      if (const GraphNode *inner = buildLevel(*child->graph, *copy.child, exec))
        return inner;
    }
  }
  level.sinks = listSinks(nodes);
  return nullptr;
}
} // namespace

Status instantiateGraph(Call &call, uint64_t graphHandle, uint64_t flags, bool freesOnLaunch, uint64_t &handle,
                        uint64_t &cyclic) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  auto refuse = [&](const char *rule, const char *message) {
    return call.report(Status::InvalidValue, "errors", rule, message);
  };
  if (graph->capture.lock())
    return refuse("CAPTURE-14", "argument hGraph is being captured into");
  if (graph->parent && graph->hasMemoryNodes)
    return refuse("GRAPH-5", "argument hGraph was moved into a child graph node");
  if (graph->hasMemoryNodes && !graph->exec.expired())
    return refuse("GRAPH-5", "the graph has allocation or free nodes, and an instance of it lives already");
  auto exec = std::make_shared<GraphExec>();
  exec->flags = flags;
  exec->freesOnLaunch = freesOnLaunch;
  if (const GraphNode *node = buildLevel(*graph, exec->root, *exec)) {
    cyclic = node->handle;
    return refuse("GRAPH-9", ("the graph has a cycle at " + HandleTable::shortName(cyclic)).c_str());
  }
  if (graph->hasMemoryNodes)
    graph->exec = exec;
  holdReferences(exec->userObjects, graph->userObjects);
  handle = call.machine.handles.create(HandleKind::GraphExec, exec);
  return Status::Success;
}

Status destroyExec(Call &call, uint64_t handle) {
  Status status;
  auto exec = call.resolve<GraphExec>(handle, HandleKind::GraphExec, "hGraphExec", status);
  if (!exec)
    return status;
  call.machine.handles.destroy(handle);
  if (!exec->lastLaunch || exec->lastLaunch->isDone())
    dropReferences(call.machine, call.context, exec->userObjects);
  else
    exec->lastLaunch->finish = [&machine = call.machine, context = call.context,
                                references = std::move(exec->userObjects)]() mutable {
      dropReferences(machine, context, references);
    };
  return Status::Success;
}

Status getExecFlags(Call &call, uint64_t handle, uint64_t &flags) {
  Status status;
  if (auto exec = call.resolve<GraphExec>(handle, HandleKind::GraphExec, "hGraphExec", status))
    flags = exec->flags;
  return status;
}

/// The instance's copy of a node that is still in its graph; null and a finding otherwise.
static ExecNode *findExecNode(Call &call, uint64_t execHandle, uint64_t nodeHandle, std::shared_ptr<GraphExec> &exec,
                              Status &status) {
  exec = call.resolve<GraphExec>(execHandle, HandleKind::GraphExec, "hGraphExec", status);
  if (!exec)
    return nullptr;
  auto node = call.resolve<GraphNode>(nodeHandle, HandleKind::GraphNode, "hNode", status);
  if (!node)
    return nullptr;
  auto found = exec->byNode.find(nodeHandle);
  if (found != exec->byNode.end())
    return found->second;
  status = call.report(Status::InvalidValue, "lifetime", "GRAPH-15",
                       "argument hNode (" + HandleTable::shortName(nodeHandle) +
                           ") is not in the graph that hGraphExec was made of");
  return nullptr;
}

Status setExecTask(Call &call, uint64_t execHandle, uint64_t nodeHandle, Task task, std::shared_ptr<Context> context) {
  Status status;
  std::shared_ptr<GraphExec> exec;
  ExecNode *node = findExecNode(call, execHandle, nodeHandle, exec, status);
  if (!node)
    return status;
  if (node->task.index() != task.index())
    return call.report(Status::InvalidValue, "errors", "GRAPH-12",
                       "node " + std::to_string(node->number) + " is " + taskName(node->task) + ", and cannot become " +
                           taskName(task));
  if (compareTasks(call.machine, node->task, task, true) != UpdateProblem::None)
    return Status::InvalidValue; // An answer, not an error: programs instantiate anew then.
  node->task = std::move(task);
  node->op = call.thread.op.empty() ? node->op : call.thread.op;
  if (context)
    node->context = context;
  return Status::Success;
}

Status setExecChildGraph(Call &call, uint64_t execHandle, uint64_t nodeHandle, uint64_t childHandle) {
  Status status;
  std::shared_ptr<GraphExec> exec;
  ExecNode *node = findExecNode(call, execHandle, nodeHandle, exec, status);
  if (!node)
    return status;
  auto child = call.resolve<Graph>(childHandle, HandleKind::Graph, "childGraph", status);
  if (!child)
    return status;
  if (!node->child)
    return call.report(Status::InvalidValue, "errors", "GRAPH-12", "argument hNode is no child graph");
  bool isTaken = updateLevel(call.machine, *node->child, *child).problem == UpdateProblem::None;
  return isTaken ? Status::Success : Status::InvalidValue;
}

/// The node where it is of a kind that can be disabled.
static ExecNode *findSwitch(Call &call, uint64_t exec, uint64_t node, Status &status) {
  std::shared_ptr<GraphExec> owner;
  ExecNode *found = findExecNode(call, exec, node, owner, status);
  if (!found)
    return nullptr;
  bool hasSwitch = std::holds_alternative<KernelTask>(found->task) || std::holds_alternative<CopyTask>(found->task) ||
                   std::holds_alternative<FillTask>(found->task);
  if (hasSwitch)
    return found;
  status = call.report(Status::InvalidValue, "errors", "GRAPH-12",
                       std::string(taskName(found->task)) + " cannot be enabled or disabled");
  return nullptr;
}

Status setEnabled(Call &call, uint64_t exec, uint64_t node, bool isEnabled) {
  Status status;
  if (ExecNode *found = findSwitch(call, exec, node, status))
    found->isEnabled = isEnabled;
  return status;
}

Status getEnabled(Call &call, uint64_t exec, uint64_t node, bool &isEnabled) {
  Status status;
  if (ExecNode *found = findSwitch(call, exec, node, status))
    isEnabled = found->isEnabled;
  return status;
}

} // namespace lockstep::simgpu
