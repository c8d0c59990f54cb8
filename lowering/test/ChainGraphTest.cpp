// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ChainGraph against its definition: the history of every node, by plain sets, before and after.

#include "lowering/ChainGraph.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using lockstep::agpu::ChainGraph;

namespace {

using History = std::set<uint32_t>;

/// Histories of all nodes, without the operands that |implied| names (null: with all).
std::vector<History> getHistories(const ChainGraph &graph, const std::vector<std::vector<bool>> *implied) {
  std::vector<History> histories;
  for (uint32_t node = 0; node != graph.getNodes().size(); ++node) {
    const ChainGraph::Node &current = graph.getNodes()[node];
    History history;
    for (size_t i = 0; i != current.operands.size(); ++i) {
      if (!implied || !(*implied)[node][i])
        history.insert(histories[current.operands[i]].begin(), histories[current.operands[i]].end());
    }
    if (!current.isJoin)
      history.insert(node);
    histories.push_back(std::move(history));
  }
  return histories;
}

ChainGraph makeRandomGraph(uint32_t count, uint32_t reach, unsigned joinPercent, uint32_t seed) {
  std::mt19937 random(seed);
  ChainGraph graph;
  for (uint32_t node = 0; node != count; ++node) {
    ChainGraph::Node next;
    next.isJoin = random() % 100 < joinPercent;
    std::set<uint32_t> operands;
    for (unsigned i = random() % 4; node && i; --i)
      operands.insert(node - 1 - random() % std::min(node, reach));
    next.operands.assign(operands.begin(), operands.end());
    std::shuffle(next.operands.begin(), next.operands.end(), random);
    graph.addNode(std::move(next));
  }
  return graph;
}

/// Whether a kept working operand lies in the history of another kept operand.
bool hasRedundantWork(const ChainGraph &graph, const std::vector<std::vector<bool>> &implied,
                      const std::vector<History> &histories, uint32_t node) {
  const std::vector<uint32_t> &operands = graph.getNodes()[node].operands;
  for (size_t i = 0; i != operands.size(); ++i) {
    for (size_t j = 0; j != operands.size(); ++j) {
      if (i != j && !implied[node][i] && !implied[node][j] && !graph.getNodes()[operands[i]].isJoin &&
          histories[operands[j]].count(operands[i]))
        return true;
    }
  }
  return false;
}

TEST(ChainGraph, KeepsEveryHistoryAndNothingTwice) {
  size_t removed = 0;
  for (uint32_t seed = 0; seed != 200; ++seed) {
    ChainGraph graph = makeRandomGraph(60, 1 + seed % 30, seed % 3 * 20, seed);
    std::vector<std::vector<bool>> implied = graph.findImplied();
    std::vector<History> histories = getHistories(graph, nullptr);
    ASSERT_EQ(histories, getHistories(graph, &implied)) << "seed " << seed;
    for (uint32_t node = 0; node != graph.getNodes().size(); ++node) {
      ASSERT_FALSE(hasRedundantWork(graph, implied, histories, node)) << "seed " << seed << " node " << node;
      removed += std::count(implied[node].begin(), implied[node].end(), true);
    }
  }
  EXPECT_GT(removed, 1000u);
}

// More nodes than one range of columns, with edges that lie across it.
TEST(ChainGraph, WorksAcrossRangesOfColumns) {
  ChainGraph graph;
  graph.addNode({});
  for (uint32_t node = 1; node != 9000; ++node)
    graph.addNode({{node - 1}, false});
  graph.addNode({{0, 4095, 4096, 8999}, false});
  uint32_t join = graph.addNode({{5, 8000}, true});
  graph.addNode({{join, 8500}, false});
  graph.addNode({{join, 7999}, false});
  std::vector<std::vector<bool>> implied = graph.findImplied();
  EXPECT_EQ(implied[9000], (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(implied[9001], (std::vector<bool>{true, false}));
  EXPECT_EQ(implied[9002], (std::vector<bool>{true, false}));
  EXPECT_EQ(implied[9003], (std::vector<bool>{false, true}));
}

// A check of the check: dropping an operand that is needed changes a history.
TEST(ChainGraph, HistoriesTellWhenTooMuchIsDropped) {
  ChainGraph graph;
  graph.addNode({});
  graph.addNode({{0}, false});
  std::vector<std::vector<bool>> tooMuch{{}, {true}};
  EXPECT_NE(getHistories(graph, nullptr), getHistories(graph, &tooMuch));
}

} // namespace
