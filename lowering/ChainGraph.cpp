// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/ChainGraph.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace lockstep::agpu {

namespace {

constexpr uint32_t kColumns = 4096;
constexpr uint32_t kWordBits = 64;

/// A set of nodes from one range of kColumns numbers.
using Columns = std::array<uint64_t, kColumns / kWordBits>;

void add(Columns &set, const Columns &other) {
  for (size_t i = 0; i != set.size(); ++i)
    set[i] |= other[i];
}

bool isSubset(const Columns &set, const Columns &other) {
  for (size_t i = 0; i != set.size(); ++i) {
    if (set[i] & ~other[i])
      return false;
  }
  return true;
}

bool contains(const Columns &set, uint32_t column) { return set[column / kWordBits] >> (column % kWordBits) & 1; }

void insert(Columns &set, uint32_t column) { set[column / kWordBits] |= uint64_t(1) << (column % kWordBits); }

void remove(Columns &set, uint32_t column) { set[column / kWordBits] &= ~(uint64_t(1) << (column % kWordBits)); }

/// What is known about one operand of one node, over all ranges of columns.
struct OperandState {
  /// Working: in the strict history of another working operand. Join: its history lies in that of working operands.
  bool isImplied = false;
  /// Working: the operands that are joins and contain it, by position.
  std::vector<uint32_t> containingJoins;
};

/// Goes over the nodes with the ancestors from one range of columns.
class Sweep {
public:
  Sweep(const std::vector<ChainGraph::Node> &nodes, std::vector<std::vector<OperandState>> &states, uint32_t first)
      : nodes(nodes), states(states), first(first), rows(nodes.size() - first) {}

  void run() {
    for (uint32_t node = first; node != nodes.size(); ++node)
      visit(node);
  }

private:
  /// Nodes before the range have no ancestors in it.
  bool hasRow(uint32_t node) const { return node >= first; }
  bool isColumn(uint32_t node) const { return node >= first && node - first < kColumns; }

  void visit(uint32_t node) {
    const ChainGraph::Node &current = nodes[node];
    Columns strict{}, working{};
    Columns &row = rows[node - first];
    for (uint32_t operand : current.operands) {
      if (!hasRow(operand))
        continue;
      const Columns &history = rows[operand - first];
      add(row, history);
      if (nodes[operand].isJoin)
        continue;
      add(working, history);
      // The history of a working operand holds the operand itself: that is no reason to drop it.
      bool isInOther = isColumn(operand) && contains(strict, operand - first);
      add(strict, history);
      if (isColumn(operand) && !isInOther)
        remove(strict, operand - first);
    }
    judge(node, strict, working);
    if (!current.isJoin && isColumn(node))
      insert(row, node - first);
  }

  void judge(uint32_t node, const Columns &strict, const Columns &working) {
    const std::vector<uint32_t> &operands = nodes[node].operands;
    for (uint32_t position = 0; position != operands.size(); ++position) {
      uint32_t operand = operands[position];
      OperandState &state = states[node][position];
      if (nodes[operand].isJoin) {
        if (hasRow(operand) && !isSubset(rows[operand - first], working))
          state.isImplied = false;
        continue;
      }
      if (!isColumn(operand))
        continue;
      state.isImplied = contains(strict, operand - first);
      for (uint32_t other = 0; other != operands.size(); ++other) {
        uint32_t join = operands[other];
        if (nodes[join].isJoin && hasRow(join) && contains(rows[join - first], operand - first))
          state.containingJoins.push_back(other);
      }
    }
  }

  const std::vector<ChainGraph::Node> &nodes;
  std::vector<std::vector<OperandState>> &states;
  uint32_t first;
  std::vector<Columns> rows;
};

} // namespace

uint32_t ChainGraph::addNode(Node node) {
  assert(std::all_of(node.operands.begin(), node.operands.end(), [&](uint32_t o) { return o < nodes.size(); }) &&
         "an edge goes forward in program order");
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

std::vector<std::vector<bool>> ChainGraph::findImplied() const {
  std::vector<std::vector<OperandState>> states(nodes.size());
  for (size_t node = 0; node != nodes.size(); ++node) {
    for (uint32_t operand : nodes[node].operands) {
      OperandState state;
      // A join is implied until a range of columns shows a part of it that is not.
      state.isImplied = nodes[operand].isJoin;
      states[node].push_back(std::move(state));
    }
  }
  for (uint32_t first = 0; first < nodes.size(); first += kColumns)
    Sweep(nodes, states, first).run();

  std::vector<std::vector<bool>> implied(nodes.size());
  for (size_t node = 0; node != nodes.size(); ++node) {
    for (const OperandState &state : states[node]) {
      bool inKeptJoin = std::any_of(state.containingJoins.begin(), state.containingJoins.end(),
                                    [&](uint32_t join) { return !states[node][join].isImplied; });
      implied[node].push_back(state.isImplied || inKeptJoin);
    }
  }
  return implied;
}

} // namespace lockstep::agpu
