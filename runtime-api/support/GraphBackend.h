// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backend does for a graph: one driver call each, or few. The decisions are in GraphUpdate.h and
// GraphAllocations.h.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHBACKEND_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHBACKEND_H

#include "runtime-api/support/GraphNode.h"

namespace lockstep::runtime {

enum class GraphChange {
  Done,
  Refused, ///< The driver cannot make this change; another way may do.
  Failed,  ///< A failure, which is recorded.
};

/// One mgpu function at work on one graph. Functions that give null or false have recorded the failure, with the node's
/// op where there is a node. Handles are the driver's own.
class GraphBackend {
public:
  virtual ~GraphBackend() = default;

  virtual void *createGraph() = 0;
  virtual void *addNode(void *graph, const GraphNode &node, const std::vector<void *> &dependencies) = 0;
  /// Adds a node that allocates, and says where the memory will be at each launch.
  virtual bool addAllocation(void *graph, uint64_t sizeBytes, uint64_t &address) = 0;
  virtual void *instantiate(void *graph) = 0;
  /// Gives a node of an executable graph, named by the node that it was made from, other parameters.
  virtual GraphChange setNode(void *executable, void *handle, const GraphNode &node) = 0;
  /// Gives all nodes of an executable graph the parameters of `graph`.
  virtual GraphChange update(void *executable, void *graph) = 0;
  /// `op` names what is launched where the caller has not; null where it has.
  virtual bool launch(void *executable, const char *op) = 0;

  /// Errors are recorded. What is in flight completes.
  virtual void destroyGraph(void *graph) = 0;
  virtual void destroyExecutable(void *executable) = 0;
};

/// A driver graph and what was instantiated from it; both null where there is none.
struct DriverGraph {
  void *graph = nullptr;
  void *executable = nullptr;

  void destroy(GraphBackend &backend) {
    if (executable)
      backend.destroyExecutable(executable);
    if (graph)
      backend.destroyGraph(graph);
    *this = DriverGraph();
  }
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHBACKEND_H
