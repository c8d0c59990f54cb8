// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the operations of a straight-line region are spread over streams ("paths"), and which events order them. A pure
// algorithm: nothing here knows MLIR. The rules STREAMPLAN-1 to -8 are in docs/parts/stream-lowering.md.

#ifndef LOCKSTEP_LOWERING_STREAMPLAN_H
#define LOCKSTEP_LOWERING_STREAMPLAN_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// One operation of the region. Nodes are in program order, which is the order in which the host issues them.
struct StreamPlanNode {
  enum class Kind {
    Work,     ///< Device work: is issued on a path.
    Join,     ///< No work: complete when its dependencies are.
    HostWait, ///< The host goes on when its dependencies are complete. No node may depend on it.
  };
  Kind kind = Kind::Work;
  /// Whether the completion is needed outside of the region, as an event.
  bool isCarried = false;
  /// Earlier nodes of kind Work or Join. Any order, repeats allowed.
  llvm::SmallVector<uint32_t, 2> dependencies;
  /// Completions from outside of the region that the node waits for too, as numbers below numExternals.
  llvm::SmallVector<uint32_t, 1> externals;
};

struct StreamPlanGraph {
  std::vector<StreamPlanNode> nodes;
  uint32_t numExternals = 0;
};

/// Something to wait for.
struct StreamPlanWait {
  enum class Kind {
    Event,    ///< The event that node `index` records.
    External, ///< The completion `index` from outside.
    Path,     ///< All that was issued on path `index` so far; host waits only.
  };
  Kind kind;
  uint32_t index;
  bool operator==(const StreamPlanWait &) const = default;
};

/// What to do for one node, in this order: the waits, the work, the record.
struct StreamPlanStep {
  /// Where the node is issued. None for host waits, for joins that are not carried, and for a carried join all of whose
  /// dependencies the host knows to be complete: that one is complete at once and records no event.
  std::optional<uint32_t> path;
  /// Whether an event is recorded on `path` right after the node.
  bool recordsEvent = false;
  /// Waits of the path, or of the host where the node is a host wait.
  llvm::SmallVector<StreamPlanWait, 2> waits;
};

struct StreamPlan {
  uint32_t numPaths = 0;
  std::vector<StreamPlanStep> steps;
};

/// Plans the region for at most `maxPaths` (at least 1) paths. Deterministic. Time grows close to linearly with nodes
/// and dependencies for a given `maxPaths`.
StreamPlan planStreams(const StreamPlanGraph &graph, uint32_t maxPaths);

} // namespace lockstep

#endif // LOCKSTEP_LOWERING_STREAMPLAN_H
