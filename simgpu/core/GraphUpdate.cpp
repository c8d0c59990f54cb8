// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole-graph update: which node of the new graph is which of the instance, and whether the difference is allowed.
// Nodes are paired from the sinks (in the order in which they became sinks) backwards along the edges (in the order in
// which they were added); where the interface compares no edges (HIP-8), in the order in which they are sorted.

#include "simgpu/core/GraphExecApi.h"
#include "simgpu/core/Vendor.h"

#include <algorithm>

namespace lockstep::simgpu {

static bool isSameMemory(const Endpoint &now, const Endpoint &wanted) {
  if (now.region.side != wanted.region.side || now.place != wanted.place)
    return false;
  if (!now.allocation || !wanted.allocation)
    return now.allocation == wanted.allocation;
  return now.allocation->deviceOrdinal == wanted.allocation->deviceOrdinal &&
         now.allocation->context.lock() == wanted.allocation->context.lock();
}

static bool isSameShape(const FillTask &a, const FillTask &b) {
  return a.elementBytes == b.elementBytes && a.extent.widthBytes == b.extent.widthBytes &&
         a.extent.height == b.extent.height &&
         (a.extent.isLinear() || a.destination.region.rowPitchBytes == b.destination.region.rowPitchBytes);
}

static UpdateProblem compareFills(Machine &machine, const FillTask &now, const FillTask &wanted) {
  if (!isSameMemory(now.destination, wanted.destination))
    return UpdateProblem::Parameters;
  if (isSameShape(now, wanted))
    return UpdateProblem::None;
  // Another size in one dimension may be taken; in two it never is.
  bool mayResize = now.extent.isLinear() && wanted.extent.isLinear();
  return mayResize && machine.engine.getScheduler().takesResizedFill() ? UpdateProblem::None
                                                                       : UpdateProblem::Parameters;
}

UpdateProblem compareTasks(Machine &machine, const Task &now, const Task &wanted, bool isSetter) {
  if (now.index() != wanted.index())
    return UpdateProblem::NodeType;
  if (const auto *kernel = std::get_if<KernelTask>(&now)) {
    const auto &other = std::get<KernelTask>(wanted);
    return kernel->function->context.lock() == other.function->context.lock() ? UpdateProblem::None
                                                                              : UpdateProblem::Function;
  }
  if (const auto *copy = std::get_if<CopyTask>(&now)) {
    const auto &other = std::get<CopyTask>(wanted);
    bool isAllowed = isSameMemory(copy->source, other.source) && isSameMemory(copy->destination, other.destination) &&
                     (!isSetter || (copy->extent.isLinear() && other.extent.isLinear()));
    return isAllowed ? UpdateProblem::None : UpdateProblem::Parameters;
  }
  if (const auto *fill = std::get_if<FillTask>(&now))
    return compareFills(machine, *fill, std::get<FillTask>(wanted));
  if (const auto *allocate = std::get_if<AllocateTask>(&now))
    return allocate->memory == std::get<AllocateTask>(wanted).memory ? UpdateProblem::None
                                                                     : UpdateProblem::NotSupported;
  if (const auto *free = std::get_if<FreeTask>(&now))
    return free->memory == std::get<FreeTask>(wanted).memory ? UpdateProblem::None : UpdateProblem::NotSupported;
  return UpdateProblem::None;
}

namespace {
class Update {
public:
  explicit Update(Machine &machine) : machine(machine) {}

  /// Pairs one level and all below; false and `result` where they do not fit.
  bool compare(ExecGraph &level, const Graph &graph) {
    Pairing pairing(level, graph, result);
    if (!pairing.run())
      return false;
    for (const auto &[number, node] : graph.nodes) {
      ExecNode &paired = level.nodes[pairing.positionOf(*node)];
      UpdateProblem problem = compareTasks(machine, paired.task, node->task, false);
      if (problem != UpdateProblem::None) {
        result = {problem, node->handle, 0};
        return false;
      }
      if (paired.child) {
        if (!compare(*paired.child, *std::get<ChildGraphTask>(node->task).graph))
          return false;
      } else {
        changes.push_back({&paired, node.get()});
      }
    }
    return true;
  }

  void apply() const {
    for (const auto &[paired, node] : changes) {
      paired->task = node->task;
      paired->context = node->context;
      paired->op = node->op;
    }
  }

  UpdateResult result;

private:
  class Pairing {
  public:
    Pairing(ExecGraph &level, const Graph &graph, UpdateResult &result)
        : level(level), graph(graph), result(result), partners(level.nodes.size()) {}

    bool run() {
      if (graph.nodes.size() != level.nodes.size())
        return fail(0, 0);
      if (vendor().updateIsByNode)
        return pairInOrder();
      std::vector<const GraphNode *> sinks = listSinks();
      if (sinks.size() != level.sinks.size())
        return fail(sinks.empty() ? 0 : sinks.back()->handle, 0);
      for (size_t i = 0; i < sinks.size(); ++i)
        pair(*sinks[i], level.sinks[i]);
      while (!open.empty()) {
        const GraphNode *node = open.back();
        open.pop_back();
        if (!pairDependencies(*node))
          return false;
      }
      // Nodes of a cycle are reached from no sink.
      return positions.size() == graph.nodes.size() || fail(0, 0);
    }

    uint32_t positionOf(const GraphNode &node) const { return positions.at(&node); }

  private:
    /// Of the edges, only each node's number of dependencies is compared.
    bool pairInOrder() {
      const GraphNode *cyclic = nullptr;
      std::vector<const GraphNode *> sorted = sortNodes(graph, cyclic);
      if (cyclic)
        return fail(cyclic->handle, 0);
      for (uint32_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i]->dependencies.size() != level.nodes[i].dependencies.size())
          return fail(sorted[i]->handle, 0);
        positions[sorted[i]] = i;
      }
      return true;
    }

    std::vector<const GraphNode *> listSinks() const {
      std::vector<const GraphNode *> sinks;
      for (const auto &[number, node] : graph.nodes)
        if (node->dependents.empty())
          sinks.push_back(node.get());
      std::sort(sinks.begin(), sinks.end(),
                [](const GraphNode *a, const GraphNode *b) { return a->sinkSince < b->sinkSince; });
      return sinks;
    }

    bool fail(uint64_t node, uint64_t from) {
      result = {UpdateProblem::Topology, node, from};
      return false;
    }

    void pair(const GraphNode &node, uint32_t position) {
      positions[&node] = position;
      partners[position] = &node;
      open.push_back(&node);
    }

    bool pairDependencies(const GraphNode &node) {
      const std::vector<uint32_t> &wanted = level.nodes[positions[&node]].dependencies;
      if (wanted.size() != node.dependencies.size())
        return fail(node.handle, 0);
      for (size_t i = 0; i < wanted.size(); ++i) {
        const GraphNode &dependency = *node.dependencies[i].node;
        auto known = positions.find(&dependency);
        bool isNew = known == positions.end() && !partners[wanted[i]];
        if (isNew)
          pair(dependency, wanted[i]);
        else if (known == positions.end() || known->second != wanted[i])
          return fail(node.handle, dependency.handle);
      }
      return true;
    }

    ExecGraph &level;
    const Graph &graph;
    UpdateResult &result;
    std::unordered_map<const GraphNode *, uint32_t> positions;
    std::vector<const GraphNode *> partners; ///< By position in `level`; null where not paired yet.
    std::vector<const GraphNode *> open;
  };

  Machine &machine;
  std::vector<std::pair<ExecNode *, const GraphNode *>> changes;
};
} // namespace

UpdateResult updateLevel(Machine &machine, ExecGraph &level, const Graph &graph) {
  Update update(machine);
  // Nodes that were compared before the one that does not fit are changed, where nodes are updated one by one.
  if (update.compare(level, graph) || vendor().updateIsByNode)
    update.apply();
  return update.result;
}

Status updateExec(Call &call, uint64_t execHandle, uint64_t graphHandle, UpdateResult &result) {
  result.problem = UpdateProblem::Error;
  Status status;
  auto exec = call.resolve<GraphExec>(execHandle, HandleKind::GraphExec, "hGraphExec", status);
  if (!exec)
    return status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  if (graph->parent && graph->hasMemoryNodes)
    return call.report(Status::InvalidValue, "errors", "GRAPH-5", "argument hGraph was moved into a child graph node");
  result = updateLevel(call.machine, exec->root, *graph);
  if (result.problem != UpdateProblem::None)
    return Status::GraphUpdateFailed; // An answer, not an error: programs ask whether an update can be done.
  UserReferences old = std::move(exec->userObjects);
  exec->userObjects.clear();
  holdReferences(exec->userObjects, graph->userObjects);
  dropReferences(call.machine, call.context, old);
  return Status::Success;
}

} // namespace lockstep::simgpu
