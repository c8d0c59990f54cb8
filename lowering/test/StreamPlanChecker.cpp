// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/test/StreamPlanChecker.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <functional>
#include <map>

using namespace lockstep;
using Kind = StreamPlanNode::Kind;
using WaitKind = StreamPlanWait::Kind;
using llvm::BitVector;

namespace {

/// Runs the plan as streams and events would. A set holds what is complete: bit i for node i, bit n + x for external x.
class Replay {
public:
  Replay(const StreamPlanGraph &graph, const StreamPlan &plan)
      : graph(graph), plan(plan), numBits(graph.nodes.size() + graph.numExternals), host(numBits),
        paths(plan.numPaths, BitVector(numBits)), events(graph.nodes.size()), needed(graph.nodes.size()) {}

  std::vector<std::string> run() {
    for (size_t node = 0; node < graph.nodes.size(); ++node)
      step(node);
    for (size_t node = 0; node < graph.nodes.size(); ++node)
      if (plan.steps[node].recordsEvent && !graph.nodes[node].isCarried && !hasUse[node])
        problems.push_back(llvm::formatv("event of node {0} has no use on another path or by the host", node));
    return std::move(problems);
  }

private:
  void step(size_t node) {
    const StreamPlanStep &step = plan.steps[node];
    needed[node] = collectNeeded(node);
    if (graph.nodes[node].kind == Kind::HostWait) {
      for (StreamPlanWait wait : step.waits)
        apply(wait, node, host);
      expectContains(host, needed[node], node);
      return;
    }
    if (!step.path) {
      if (graph.nodes[node].kind == Kind::Work)
        problems.push_back(llvm::formatv("node {0} is not issued", node));
      else if (graph.nodes[node].isCarried)
        expectContains(host, needed[node], node);
      return;
    }
    BitVector &path = paths[*step.path];
    // The host issues in order: what it knows to be complete is complete for all that it issues afterwards.
    path |= host;
    for (StreamPlanWait wait : step.waits)
      apply(wait, node, path);
    expectContains(path, needed[node], node);
    path.set(node);
    if (step.recordsEvent)
      events[node] = path;
  }

  void apply(StreamPlanWait wait, size_t node, BitVector &into) {
    switch (wait.kind) {
    case WaitKind::Event:
      if (events[wait.index].empty())
        problems.push_back(llvm::formatv("node {0} waits for event {1}, which is not recorded", node, wait.index));
      else
        into |= events[wait.index];
      if (plan.steps[node].path != plan.steps[wait.index].path)
        hasUse[wait.index] = true;
      return;
    case WaitKind::External:
      into.set(graph.nodes.size() + wait.index);
      return;
    case WaitKind::Path:
      into |= paths[wait.index];
      return;
    }
  }

  /// Work and externals that the node depends on, through joins.
  BitVector collectNeeded(size_t node) const {
    BitVector result(numBits);
    for (uint32_t dependency : graph.nodes[node].dependencies) {
      if (graph.nodes[dependency].kind == Kind::Join)
        result |= needed[dependency];
      else
        result.set(dependency);
    }
    for (uint32_t external : graph.nodes[node].externals)
      result.set(graph.nodes.size() + external);
    return result;
  }

  void expectContains(const BitVector &complete, BitVector wanted, size_t node) {
    for (unsigned missing : wanted.reset(complete).set_bits())
      problems.push_back(llvm::formatv("nothing enforces {0} before node {1}", missing, node));
  }

  const StreamPlanGraph &graph;
  const StreamPlan &plan;
  const size_t numBits;
  BitVector host;
  std::vector<BitVector> paths, events, needed;
  std::map<size_t, bool> hasUse;
  std::vector<std::string> problems;
};

} // namespace

std::vector<std::string> test::checkPlan(const StreamPlanGraph &graph, const StreamPlan &plan) {
  return Replay(graph, plan).run();
}

uint32_t test::findWidth(const StreamPlanGraph &graph) {
  size_t size = graph.nodes.size();
  std::vector<BitVector> before(size, BitVector(size));
  BitVector host(size), hasWork(size);
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    before[index] = host;
    for (uint32_t dependency : node.dependencies)
      before[index] |= before[dependency];
    for (uint32_t dependency : node.dependencies)
      before[index].set(dependency);
    if (node.kind == Kind::HostWait)
      host = before[index];
    else if (node.kind == Kind::Work || node.isCarried)
      hasWork.set(index);
  }
  std::vector<int> matched(size, -1);
  BitVector visited;
  std::function<bool(size_t)> augment = [&](size_t node) {
    BitVector candidates = before[node];
    candidates &= hasWork;
    for (unsigned earlier : candidates.set_bits()) {
      if (visited.test(earlier))
        continue;
      visited.set(earlier);
      if (matched[earlier] < 0 || augment(matched[earlier])) {
        matched[earlier] = node;
        return true;
      }
    }
    return false;
  };
  uint32_t numMatched = 0;
  for (unsigned node : hasWork.set_bits()) {
    visited.clear();
    visited.resize(size);
    numMatched += augment(node);
  }
  return hasWork.count() - numMatched;
}
