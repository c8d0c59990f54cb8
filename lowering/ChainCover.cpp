// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/ChainCover.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

constexpr uint32_t kNone = ~0u;

/// The greedy paths, and what each node is reached by.
class Reachability {
public:
  /// Cuts the graph into greedy paths; false where that takes more than a graph of width `maxWidth` could need.
  bool build(const ChainCoverGraph &graph, uint32_t maxWidth);

  uint32_t numPaths() const { return paths.size(); }
  llvm::ArrayRef<uint32_t> path(uint32_t index) const { return paths[index]; }
  /// How many nodes at the front of `path` reach `node`; the node itself does not count.
  uint32_t numReaching(uint32_t node, uint32_t path) const {
    return reach[size_t(node) * numPaths() + path] - (pathOf[node] == path);
  }

private:
  bool takeLongestPath(const ChainCoverGraph &graph);
  void fillReach(const ChainCoverGraph &graph);

  std::vector<std::vector<uint32_t>> paths;
  std::vector<uint32_t> pathOf, positionOf;
  /// Row of node i, column of path p: how many nodes of p reach i, itself included.
  std::vector<uint32_t> reach;
  /// Scratch of takeLongestPath, kept to avoid allocation in each round.
  std::vector<uint32_t> count, best;
};

/// The chains as a matching: each node's neighbour on its chain.
class Matching {
public:
  Matching(const ChainCoverGraph &graph, const Reachability &reachability);
  /// Joins two chains into one by moving ends of chains along an augmenting path; false where the cover is minimum.
  bool augment();
  ChainCover cover() const;

private:
  void rematch(uint32_t tail);

  const ChainCoverGraph &graph;
  const Reachability &reachability;
  std::vector<uint32_t> next, previous;
  /// The node that a search wants to place after this one.
  std::vector<uint32_t> wantedBy;
};

} // namespace

void ChainCoverGraph::addNode(llvm::ArrayRef<uint32_t> predecessors, bool covered) {
  llvm::append_range(edges, predecessors);
  firstEdge.push_back(edges.size());
  isCovered.push_back(covered);
}

bool Reachability::build(const ChainCoverGraph &graph, uint32_t maxWidth) {
  pathOf.assign(graph.size(), kNone);
  positionOf.assign(graph.size(), 0);
  // Each greedy path covers at least the maxWidth-th part of what is left.
  auto maxPaths = size_t(std::ceil(maxWidth * std::log(std::max<double>(graph.size(), 2)))) + 1;
  while (takeLongestPath(graph))
    if (paths.size() > maxPaths)
      return false;
  fillReach(graph);
  return true;
}

bool Reachability::takeLongestPath(const ChainCoverGraph &graph) {
  count.assign(graph.size(), 0);
  best.assign(graph.size(), kNone);
  uint32_t last = kNone;
  for (uint32_t node = 0, end = graph.size(); node < end; ++node) {
    for (uint32_t predecessor : graph.predecessors(node)) {
      if (best[node] != kNone && count[predecessor] <= count[best[node]])
        continue;
      best[node] = predecessor;
    }
    count[node] = best[node] == kNone ? 0 : count[best[node]];
    count[node] += graph.isCovered[node] && pathOf[node] == kNone;
    if (count[node] > (last == kNone ? 0 : count[last]))
      last = node;
  }
  if (last == kNone)
    return false;
  std::vector<uint32_t> path;
  for (uint32_t node = last; node != kNone; node = best[node])
    if (graph.isCovered[node] && pathOf[node] == kNone)
      path.push_back(node);
  std::reverse(path.begin(), path.end());
  for (auto [position, node] : llvm::enumerate(path)) {
    pathOf[node] = paths.size();
    positionOf[node] = position;
  }
  paths.push_back(std::move(path));
  return true;
}

void Reachability::fillReach(const ChainCoverGraph &graph) {
  size_t width = numPaths();
  reach.assign(graph.size() * width, 0);
  for (size_t node = 0; node < graph.size(); ++node) {
    uint32_t *row = &reach[node * width];
    for (uint32_t predecessor : graph.predecessors(node)) {
      const uint32_t *other = &reach[predecessor * width];
      for (size_t path = 0; path < width; ++path)
        row[path] = std::max(row[path], other[path]);
    }
    if (pathOf[node] != kNone)
      row[pathOf[node]] = positionOf[node] + 1;
  }
}

Matching::Matching(const ChainCoverGraph &graph, const Reachability &reachability)
    : graph(graph), reachability(reachability), next(graph.size(), kNone), previous(graph.size(), kNone),
      wantedBy(graph.size(), kNone) {
  for (uint32_t index = 0; index < reachability.numPaths(); ++index) {
    llvm::ArrayRef<uint32_t> path = reachability.path(index);
    for (size_t i = 1; i < path.size(); ++i) {
      next[path[i - 1]] = path[i];
      previous[path[i]] = path[i - 1];
    }
  }
}

bool Matching::augment() {
  // Breadth first from the heads of all chains. What reaches a node is a prefix of each greedy path, so one counter a
  // path says what was visited.
  std::vector<uint32_t> numVisited(reachability.numPaths(), 0), queue;
  for (uint32_t node = 0, end = graph.size(); node < end; ++node)
    if (graph.isCovered[node] && previous[node] == kNone)
      queue.push_back(node);
  for (size_t i = 0; i < queue.size(); ++i) {
    uint32_t wanting = queue[i];
    for (uint32_t path = 0; path < reachability.numPaths(); ++path) {
      for (uint32_t end = reachability.numReaching(wanting, path); numVisited[path] < end; ++numVisited[path]) {
        uint32_t node = reachability.path(path)[numVisited[path]];
        wantedBy[node] = wanting;
        if (next[node] == kNone) {
          rematch(node);
          return true;
        }
        queue.push_back(next[node]);
      }
    }
  }
  return false;
}

void Matching::rematch(uint32_t tail) {
  for (uint32_t node = tail; node != kNone;) {
    uint32_t moved = wantedBy[node];
    uint32_t left = previous[moved];
    next[node] = moved;
    previous[moved] = node;
    node = left;
  }
}

ChainCover Matching::cover() const {
  ChainCover result;
  result.chain.assign(graph.size(), kNone);
  for (uint32_t node = 0, end = graph.size(); node < end; ++node) {
    if (!graph.isCovered[node])
      continue;
    result.chain[node] = previous[node] == kNone ? result.numChains++ : result.chain[previous[node]];
  }
  return result;
}

/// Nodes with the same number of covered nodes on the longest way to them do not reach each other.
static uint32_t findLargestLevel(const ChainCoverGraph &graph) {
  std::vector<uint32_t> level(graph.size(), 0), size(graph.size() + 1, 0);
  for (size_t node = 0; node < graph.size(); ++node) {
    for (uint32_t predecessor : graph.predecessors(node))
      level[node] = std::max(level[node], level[predecessor]);
    if (graph.isCovered[node])
      ++size[++level[node]];
  }
  return *llvm::max_element(size);
}

std::optional<ChainCover> lockstep::findMinimumChainCover(const ChainCoverGraph &graph, uint32_t maxChains) {
  if (findLargestLevel(graph) > maxChains)
    return std::nullopt;
  Reachability reachability;
  if (!reachability.build(graph, maxChains))
    return std::nullopt;
  Matching matching(graph, reachability);
  while (matching.augment()) {
  }
  ChainCover cover = matching.cover();
  if (cover.numChains > maxChains)
    return std::nullopt;
  return cover;
}
