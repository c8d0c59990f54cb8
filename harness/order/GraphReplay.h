// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as their calls made them: nodes and edges, added one by one or captured.

#ifndef LOCKSTEP_HARNESS_ORDER_GRAPHREPLAY_H
#define LOCKSTEP_HARNESS_ORDER_GRAPHREPLAY_H

#include "harness/order/CallLog.h"
#include "harness/order/PartialOrder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace lockstep::harness {

struct ReplayedNode {
  enum class Kind { Work, Empty, Record, Wait };

  Kind kind;
  llvm::SmallVector<uint32_t, 2> after; ///< Positions of earlier nodes.
  uint32_t op = 0;                      ///< Whose work it is: a name in the CallLog.
  uint32_t logEntry = 0;                ///< The call that added it.
  uint64_t event = 0;                   ///< Of Record and Wait.
};

struct ReplayedGraph {
  std::vector<ReplayedNode> nodes;
  llvm::DenseMap<uint64_t, uint32_t> positions; ///< By handle, of nodes that have one.
};

/// An executable graph. Keeps the handles of the nodes of the graph that it was made of, through updates.
struct ReplayedExecutable {
  ReplayedGraph graph;
  History launched; ///< All of its earlier launches.
};

/// A capture under way, or ended. Streams and events that take part share it.
struct ReplayedCapture {
  ReplayedGraph graph;
  bool hasEnded = false;
};

/// Graph and executable handles with what they stand for. What a refused call asked for never gets here.
class GraphReplay {
public:
  explicit GraphReplay(const CallLog &log) : log(log) {}

  /// Carries out a successful call that makes, changes or destroys graphs and executables.
  void apply(const CallLog::Entry &entry, uint32_t logEntry);
  /// A capture has ended in the graph with this handle.
  void add(uint64_t handle, ReplayedGraph graph) { graphs[handle] = std::move(graph); }
  /// Null for a handle that no call made.
  ReplayedExecutable *executable(uint64_t handle);

private:
  void addNode(const CallLog::Entry &entry, uint32_t logEntry);
  void setNode(const CallLog::Entry &entry, uint32_t logEntry);
  void update(uint64_t executable, uint64_t graph);

  const CallLog &log;
  llvm::DenseMap<uint64_t, ReplayedGraph> graphs;
  llvm::DenseMap<uint64_t, ReplayedExecutable> executables;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_GRAPHREPLAY_H
