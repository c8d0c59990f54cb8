// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimum chain cover of a DAG: as few chains as possible such that each node to be covered is on one, and each node of
// a chain reaches the next. By Dilworth's theorem that is the DAG's width, the size of its largest antichain.
//
// Method: greedy path cover (each path takes the most nodes that are still uncovered; at most width * ln(n) + 1 paths),
// then augmenting paths in the matching formulation (Fulkerson), with reachability read from one vector per node
// indexed by greedy path (Mäkinen et al., Sparse Dynamic Programming on DAGs with Small Width, 2019). Deviation: the
// greedy paths only index reachability; the matching starts from them and is changed beside them.

#ifndef LOCKSTEP_LOWERING_CHAINCOVER_H
#define LOCKSTEP_LOWERING_CHAINCOVER_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// A DAG in topological order: predecessors of a node have smaller numbers. Stored as one array of edges.
struct ChainCoverGraph {
  /// Predecessors of node i are edges[firstEdge[i]] to edges[firstEdge[i + 1] - 1].
  std::vector<uint32_t> firstEdge{0};
  std::vector<uint32_t> edges;
  /// Whether node i must be on a chain. Other nodes only carry reachability.
  std::vector<bool> isCovered;

  size_t size() const { return isCovered.size(); }
  llvm::ArrayRef<uint32_t> predecessors(size_t node) const {
    return llvm::ArrayRef(edges).slice(firstEdge[node], firstEdge[node + 1] - firstEdge[node]);
  }
  void addNode(llvm::ArrayRef<uint32_t> predecessors, bool covered);
};

struct ChainCover {
  uint32_t numChains = 0;
  /// Chain of each covered node; chains are numbered by their first node. Meaningless for other nodes.
  std::vector<uint32_t> chain;
};

/// A cover with as many chains as the DAG is wide; nullopt where the width is known to be over `maxChains`, without
/// always finding out by how much. About O((V + E) * maxChains * ln V).
std::optional<ChainCover> findMinimumChainCover(const ChainCoverGraph &graph, uint32_t maxChains);

} // namespace lockstep

#endif // LOCKSTEP_LOWERING_CHAINCOVER_H
