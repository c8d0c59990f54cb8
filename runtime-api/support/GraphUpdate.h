// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a slot launches, and how it becomes what the program wants now (rule GRAPHABI-2): equal nodes cost nothing,
// changed parameters are set, a changed shape or a refused change makes a new executable graph.
//
// A whole-graph update is not tried for explicit graphs: it demands the same shape and refuses at least what setting a
// single node refuses. Captured graphs, whose nodes are not known, are updated that way.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHUPDATE_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHUPDATE_H

#include "runtime-api/support/GraphBackend.h"

namespace lockstep::runtime {

/// Not thread safe. After a failure the state is of no use but for release().
class GraphExecutable {
public:
  /// Whether launch() would need no other driver call first.
  bool isUpToDate(const std::vector<GraphNode> &wanted) const;

  /// Makes this execute `wanted`; false with the failure recorded. Launches in flight keep what they were launched
  /// with.
  bool update(GraphBackend &backend, HostCalls &hostCalls, std::vector<GraphNode> wanted);

  /// The same for a graph that was captured, which is consumed in any case.
  bool updateCaptured(GraphBackend &backend, void *graph);

  /// Launches what the last update made; false with the failure recorded.
  bool launch(GraphBackend &backend, HostCalls &hostCalls);

  /// Gives everything back. Launches in flight complete.
  void release(GraphBackend &backend, HostCalls &hostCalls);

private:
  GraphChange setChanged(GraphBackend &backend, HostCalls &hostCalls, const std::vector<GraphNode> &wanted);
  bool rebuild(GraphBackend &backend, HostCalls &hostCalls, std::vector<GraphNode> wanted);

  DriverGraph driver;
  std::vector<GraphNode> nodes; ///< What `driver` executes; empty for a captured one.
  std::vector<void *> handles;  ///< The driver's nodes, by position in `nodes`.
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHUPDATE_H
