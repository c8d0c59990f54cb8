// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the nodes of one execution of a region in program order: numbers them, cuts what no driver node can express
// into several, copies all parameters (rules GRAPHABI-1, GRAPHABI-4, GRAPHABI-5). Calls no driver.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHBUILDER_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHBUILDER_H

#include "runtime-api/support/GraphNode.h"
#include "runtime-api/support/Strided.h"

namespace lockstep::runtime {

/// The numbers that a caller gives are those of operations; behind each stands one last node, which comes after all
/// other nodes of that operation. Not thread safe.
class GraphBuilder {
public:
  /// Forgets everything; capacity stays.
  void clear();

  /// Names what the next operation depends on. Returns false with `error` set where a number is none of this graph.
  /// Must come before each add.
  bool setDependencies(const int32_t *dependencies, int64_t count, std::string &error);

  /// Each adds one operation and returns its number.
  int32_t addOne(GraphNode::Parameters parameters);
  int32_t addCopy(const StridedPlan &plan, uint64_t destination, uint64_t source);
  int32_t addFill(const std::vector<FillPiece> &pieces);
  /// A copy by way of memory at `staging`, which is freed behind it.
  int32_t addStagedCopy(const StridedPlan &in, const StridedPlan &out, uint64_t destination, uint64_t source,
                        uint64_t staging);

  const std::vector<GraphNode> &collected() const { return nodes; }
  std::vector<GraphNode> takeNodes() { return std::move(nodes); }

  /// The addresses that free nodes name.
  std::vector<uint64_t> freedAddresses() const;

private:
  int32_t append(GraphNode::Parameters parameters, std::vector<int32_t> dependencies);
  /// Appends one node for each rectangle, behind `dependencies`; returns a node behind all of them.
  int32_t appendRectangles(const StridedPlan &plan, uint64_t destination, uint64_t source,
                           const std::vector<int32_t> &dependencies);
  /// Returns the only piece, or an empty node behind all of them.
  int32_t join(std::vector<int32_t> pieces, const std::vector<int32_t> &dependencies);
  int32_t number(int32_t lastNode);

  std::vector<GraphNode> nodes;
  std::vector<int32_t> lastNodes;           ///< By number of the operation.
  std::vector<int32_t> pendingDependencies; ///< Of the next operation.
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHBUILDER_H
