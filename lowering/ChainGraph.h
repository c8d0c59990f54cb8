// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dependencies of a DAG of chains are implied by others. Knows no MLIR.
//
// Nodes are numbered in program order, so an edge goes from a lower number to a higher one. A node is an operation that
// does work, or a join, which does none: its chain means the chains of its operands and nothing else.
//
// Claim: removing what findImplied names changes neither which work is complete when a node starts, nor which work is
// complete when a chain is. Sketch of a proof. Let H(v) be the work that is complete when the chain of v is: for a join
// the union of H over its operands, else that union and v itself.
// - A working operand d of v is named when d is in H(e) \ {e} for another operand e that is not itself a join named for
//   v. Follow e, in turn named because of an operand further right in program order, and so on: program order strictly
//   grows along working operands, so the row ends at one that stays, and its history contains d and, histories being
//   closed under dependence, all of H(d).
// - A join operand j of v is named when H(j) lies in the union of H over v's working operands. Those that are named
//   themselves are covered by ones that stay, as above, and never by a named join.
// So H of v's remaining operands is what it was, and by induction in program order H of every node.
//
// Of working operands nothing more can be removed: the rest is the transitive reduction, which is unique for a DAG
// (Aho, Garey, Ullman, The transitive reduction of a directed graph, SIAM J. Comput. 1(2), 1972). Joins are compared
// with working operands only, not with each other.
//
// Cost: ancestors as bits, for kColumns possible ancestors at a time, so memory is nodes * kColumns / 8 bytes, and time
// (nodes + edges) * nodes / 64 word operations: quadratic, with 20,000 nodes and two edges each some 20 million of
// them.

#ifndef LOCKSTEP_LOWERING_CHAINGRAPH_H
#define LOCKSTEP_LOWERING_CHAINGRAPH_H

#include <cstdint>
#include <vector>

namespace lockstep::agpu {

class ChainGraph {
public:
  struct Node {
    /// Lower numbers, each at most once.
    std::vector<uint32_t> operands;
    bool isJoin = false;
  };

  /// Adds a node after all others and returns its number.
  uint32_t addNode(Node node);

  const std::vector<Node> &getNodes() const { return nodes; }

  /// For each node, for each operand, whether the other operands imply it.
  std::vector<std::vector<bool>> findImplied() const;

private:
  std::vector<Node> nodes;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CHAINGRAPH_H
