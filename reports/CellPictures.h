// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report can draw of a cell: the order that its program asks for, and when its work ran. Both are optional, and
// meant for cells that do not pass; reports/ResultSchema.md says how results.json holds them. Plain data.

#ifndef LOCKSTEP_REPORTS_CELLPICTURES_H
#define LOCKSTEP_REPORTS_CELLPICTURES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::reports {

/// What became of an order between two operations.
enum class EdgeState {
  Enforced, ///< Asked for by the program, and enforced by the calls.
  Missing,  ///< Needed, by the program's word or since both use the same memory, and not enforced: a fault.
  Extra,    ///< Not asked for, but enforced: lost concurrency.
};

/// The word that stands for a state in results.json.
llvm::StringRef edgeStateName(EdgeState state);
std::optional<EdgeState> edgeStateFromName(llvm::StringRef name);

/// From one element of a list to another, by their positions in it.
struct CellEdge {
  size_t from = 0;
  size_t to = 0;
  EdgeState state = EdgeState::Enforced;
};

/// One device operation of the program.
struct GraphNode {
  std::string op; ///< As findings name it.
  std::string
      kind; ///< "kernel", "copy", "fill", "alloc", "free", "host", "join", "wait"; others are shown as they are.
  std::string place; ///< "file:line:column" in the program, or "".
};

/// The order that the program asks for, as a graph over `nodes`. Of a loop without the edges into the next round,
/// unless they are missing.
struct CellGraph {
  std::vector<GraphNode> nodes;
  std::vector<CellEdge> edges;
};

/// One piece of work, on one track. Times are in the clock that the timeline names; 0 is where it starts.
struct TimelineSpan {
  size_t track = 0;
  std::string op;   ///< As findings name it, or "" for work that no operation of the program asked for.
  std::string name; ///< What ran: a driver call or a kernel.
  double startNs = 0;
  double endNs = 0; ///< Not before startNs.
};

/// When the work of a cell ran: one track for each stream, and one for the host where it did something.
struct Timeline {
  std::string clock; ///< "virtual", "device" or "host".
  std::vector<std::string> tracks;
  std::vector<TimelineSpan> spans;
  std::vector<CellEdge> flows; ///< Between spans: chains that the program asks for.
};

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_CELLPICTURES_H
