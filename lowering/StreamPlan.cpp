// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/StreamPlan.h"

#include "lowering/ChainCover.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

using namespace lockstep;
using Kind = StreamPlanNode::Kind;
using WaitKind = StreamPlanWait::Kind;

namespace {

/// Entry p: how many of the first nodes of path p. As a clock of a node: those that are enforced to be complete before
/// its end. As a frontier: those that a node depends on directly.
using PathCounts = llvm::SmallVector<uint32_t, 8>;

void mergeInto(PathCounts &counts, llvm::ArrayRef<uint32_t> other) {
  for (size_t path = 0; path < counts.size(); ++path)
    counts[path] = std::max(counts[path], other[path]);
}

class Planner {
public:
  Planner(const StreamPlanGraph &graph, uint32_t maxPaths);
  StreamPlan run();

private:
  /// What a node waits for: a frontier over the paths, and completions from outside.
  struct Needs {
    PathCounts frontier;
    llvm::SmallVector<uint32_t, 1> externals;

    bool isEmpty() const {
      return externals.empty() && llvm::all_of(frontier, [](uint32_t count) { return count == 0; });
    }
  };

  Needs gatherNeeds(uint32_t node) const;
  void planIssue(uint32_t node, const Needs &needs);
  void planHostWait(uint32_t node);
  uint32_t choosePath(uint32_t node, const Needs &needs);
  std::optional<uint32_t> findFreePath(const Needs &needs) const;
  bool isImplied(uint32_t external, const PathCounts &clock) const;
  /// Nodes of the frontier that the clock does not contain, latest first: a later one may imply an earlier one, never
  /// the other way round.
  llvm::SmallVector<uint32_t, 8> listTargets(const PathCounts &frontier, const PathCounts &clock) const;

  llvm::MutableArrayRef<uint32_t> row(uint32_t node) {
    return llvm::MutableArrayRef(rows).slice(size_t(node) * maxPaths, maxPaths);
  }
  llvm::ArrayRef<uint32_t> row(uint32_t node) const {
    return llvm::ArrayRef(rows).slice(size_t(node) * maxPaths, maxPaths);
  }
  uint32_t positionOf(uint32_t node) const { return row(node)[*plan.steps[node].path]; }
  uint32_t pathLength(uint32_t path) const { return pathNodes[path].size(); }

  const StreamPlanGraph &graph;
  const uint32_t maxPaths;
  std::optional<ChainCover> cover;
  /// Path of each chain of the cover, given when its first node is issued.
  llvm::SmallVector<std::optional<uint32_t>, 8> pathOfChain;
  StreamPlan plan;
  /// Of work the clock, of joins the frontier; maxPaths entries each.
  std::vector<uint32_t> rows;
  std::vector<std::vector<uint32_t>> joinExternals;
  std::vector<std::vector<uint32_t>> pathNodes;
  /// The clock of the last node of each path.
  std::vector<PathCounts> pathClocks;
  /// What the host knows to be complete.
  PathCounts hostClock;
  std::vector<bool> isExternalComplete;
  /// For each external the (path, count) pairs from which on it is known to be complete on that path.
  std::vector<llvm::SmallVector<std::pair<uint32_t, uint32_t>, 2>> externalKnown;
};

} // namespace

/// The order that every plan may use: dependencies, and the order that host waits give.
static ChainCoverGraph buildCoverGraph(const StreamPlanGraph &graph) {
  ChainCoverGraph result;
  std::optional<uint32_t> lastHostWait;
  llvm::SmallVector<uint32_t, 4> predecessors;
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    predecessors.assign(node.dependencies.begin(), node.dependencies.end());
    if (lastHostWait)
      predecessors.push_back(*lastHostWait);
    result.addNode(predecessors, node.kind == Kind::Work || (node.kind == Kind::Join && node.isCarried));
    if (node.kind == Kind::HostWait)
      lastHostWait = index;
  }
  return result;
}

Planner::Planner(const StreamPlanGraph &graph, uint32_t maxPaths)
    : graph(graph), maxPaths(maxPaths), cover(findMinimumChainCover(buildCoverGraph(graph), maxPaths)),
      pathOfChain(cover ? cover->numChains : 0), rows(graph.nodes.size() * maxPaths), joinExternals(graph.nodes.size()),
      hostClock(maxPaths), isExternalComplete(graph.numExternals), externalKnown(graph.numExternals) {
  plan.steps.resize(graph.nodes.size());
}

StreamPlan Planner::run() {
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    if (node.kind == Kind::HostWait) {
      planHostWait(index);
      continue;
    }
    Needs needs = gatherNeeds(index);
    if (node.kind == Kind::Work || (node.isCarried && !needs.isEmpty()))
      planIssue(index, needs);
    if (node.kind == Kind::Join) {
      llvm::copy(needs.frontier, row(index).begin());
      joinExternals[index].assign(needs.externals.begin(), needs.externals.end());
    }
  }
  plan.numPaths = pathNodes.size();
  return std::move(plan);
}

Planner::Needs Planner::gatherNeeds(uint32_t node) const {
  Needs needs{PathCounts(maxPaths), graph.nodes[node].externals};
  for (uint32_t dependency : graph.nodes[node].dependencies) {
    assert(dependency < node && "dependencies come before their users");
    assert(graph.nodes[dependency].kind != Kind::HostWait);
    if (graph.nodes[dependency].kind == Kind::Work) {
      uint32_t path = *plan.steps[dependency].path;
      needs.frontier[path] = std::max(needs.frontier[path], positionOf(dependency));
      continue;
    }
    // A join is looked through even where it is issued for its event: what it waits for may be implied already.
    mergeInto(needs.frontier, row(dependency));
    llvm::append_range(needs.externals, joinExternals[dependency]);
  }
  for (size_t path = 0; path < maxPaths; ++path)
    if (needs.frontier[path] <= hostClock[path])
      needs.frontier[path] = 0;
  llvm::sort(needs.externals);
  needs.externals.erase(llvm::unique(needs.externals), needs.externals.end());
  llvm::erase_if(needs.externals, [&](uint32_t external) { return isImplied(external, hostClock); });
  return needs;
}

void Planner::planIssue(uint32_t node, const Needs &needs) {
  uint32_t path = choosePath(node, needs);
  StreamPlanStep &step = plan.steps[node];
  step.path = path;
  step.recordsEvent = graph.nodes[node].isCarried;
  PathCounts &clock = pathClocks[path];
  pathNodes[path].push_back(node);
  for (uint32_t target : listTargets(needs.frontier, clock)) {
    if (clock[*plan.steps[target].path] >= positionOf(target))
      continue;
    step.waits.push_back({WaitKind::Event, target});
    plan.steps[target].recordsEvent = true;
    mergeInto(clock, row(target));
  }
  for (uint32_t external : needs.externals) {
    if (isImplied(external, clock))
      continue;
    step.waits.push_back({WaitKind::External, external});
    externalKnown[external].emplace_back(path, pathLength(path));
  }
  clock[path] = pathLength(path);
  if (graph.nodes[node].kind == Kind::Work)
    llvm::copy(clock, row(node).begin());
}

void Planner::planHostWait(uint32_t node) {
  Needs needs = gatherNeeds(node);
  StreamPlanStep &step = plan.steps[node];
  for (uint32_t target : listTargets(needs.frontier, hostClock)) {
    uint32_t path = *plan.steps[target].path;
    if (hostClock[path] >= positionOf(target))
      continue;
    if (positionOf(target) == pathLength(path)) {
      step.waits.push_back({WaitKind::Path, path});
    } else {
      step.waits.push_back({WaitKind::Event, target});
      plan.steps[target].recordsEvent = true;
    }
    mergeInto(hostClock, row(target));
  }
  for (uint32_t external : needs.externals) {
    if (isImplied(external, hostClock))
      continue;
    step.waits.push_back({WaitKind::External, external});
    isExternalComplete[external] = true;
  }
}

uint32_t Planner::choosePath(uint32_t node, const Needs &needs) {
  std::optional<uint32_t> path;
  if (cover) {
    std::optional<uint32_t> &known = pathOfChain[cover->chain[node]];
    if (!known)
      known = pathNodes.size();
    path = known;
  } else {
    path = findFreePath(needs);
    if (!path && pathNodes.size() < maxPaths)
      path = pathNodes.size();
  }
  if (!path) {
    // The region is wider than the paths. The path that was used least recently is the likeliest to be done first.
    auto oldest = llvm::min_element(pathNodes, [](const auto &a, const auto &b) { return a.back() < b.back(); });
    path = oldest - pathNodes.begin();
  }
  if (*path == pathNodes.size()) {
    pathNodes.emplace_back();
    pathClocks.emplace_back(maxPaths);
  }
  return *path;
}

/// A path where the node adds no order that the program does not ask for. Best is one that ends in a direct dependency,
/// which then needs no event.
std::optional<uint32_t> Planner::findFreePath(const Needs &needs) const {
  PathCounts before = hostClock;
  std::optional<uint32_t> direct, free;
  for (uint32_t path = 0; path < pathNodes.size(); ++path) {
    if (!needs.frontier[path])
      continue;
    uint32_t target = pathNodes[path][needs.frontier[path] - 1];
    mergeInto(before, row(target));
    if (needs.frontier[path] == pathLength(path) && (!direct || pathNodes[*direct].back() < target))
      direct = path;
  }
  if (direct)
    return direct;
  for (uint32_t path = 0; path < pathNodes.size() && !free; ++path)
    if (before[path] == pathLength(path))
      free = path;
  return free;
}

bool Planner::isImplied(uint32_t external, const PathCounts &clock) const {
  return isExternalComplete[external] ||
         llvm::any_of(externalKnown[external], [&](auto known) { return clock[known.first] >= known.second; });
}

llvm::SmallVector<uint32_t, 8> Planner::listTargets(const PathCounts &frontier, const PathCounts &clock) const {
  llvm::SmallVector<uint32_t, 8> targets;
  for (size_t path = 0; path < maxPaths; ++path)
    if (frontier[path] > clock[path])
      targets.push_back(pathNodes[path][frontier[path] - 1]);
  llvm::sort(targets, std::greater<>());
  return targets;
}

StreamPlan lockstep::planStreams(const StreamPlanGraph &graph, uint32_t maxPaths) {
  assert(maxPaths > 0 && "there must be a path");
  return Planner(graph, maxPaths).run();
}
