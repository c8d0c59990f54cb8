// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the calls of a program enforce: which of its device work comes before which, and before what the host does next,
// whatever order a driver chooses. Of the documented semantics (async-semantics) the guarantees count, and nothing that
// a driver may do besides: no call is taken to wait but those that must. Rules BEFORE-1 to BEFORE-14
// (docs/parts/oracles.md).
//
// The host counts as one: what one thread has waited for is before what any thread issues later. So an order between
// threads that the program makes by other means is seen, and one that came about by chance is too.

#ifndef LOCKSTEP_HARNESS_ORDER_HAPPENSBEFORE_H
#define LOCKSTEP_HARNESS_ORDER_HAPPENSBEFORE_H

#include "harness/order/CallLog.h"
#include "harness/order/OpRuns.h"
#include "harness/order/PartialOrder.h"

namespace lockstep::harness {

/// One piece of device work: what a call queued on a stream, or one execution of a graph's node.
struct WorkItem {
  PartialOrder::Element element;
  uint32_t logEntry; ///< The call that queued it or added the node.
  uint32_t queuedBy; ///< The call that queued it or launched the graph.
};

/// Streams and events by the order of their creation, from 1, for messages; 0 where a call names none.
struct CallPlace {
  uint32_t stream = 0;
  uint32_t event = 0;
};

class HappensBefore {
public:
  /// Replays the log, which must not change while this object lives. Takes time linear in calls times the number of
  /// chains of the order.
  explicit HappensBefore(const CallLog &log);

  llvm::ArrayRef<OpRun> ops() const { return runs.all(); }
  llvm::ArrayRef<WorkItem> items() const { return work; }
  const CallLog &calls() const { return log; }
  CallPlace place(uint32_t logEntry) const { return places[logEntry]; }

  /// Whether all of the first's work is before all of the second's. True where one has none.
  bool isBefore(const OpRun &first, const OpRun &second) const;
  /// Whether all of the operation's work is in the history.
  bool isIn(const OpRun &op, const History &history) const;
  /// Whether all operations were named by one thread, so that their order is that of the program.
  bool isNamedByOneThread() const { return runs.threadCount() <= 1; }
  /// What the host knew to be complete at the end.
  const History &hostAtEnd() const { return host; }

private:
  friend class HappensBeforeReplay;

  const CallLog &log;
  PartialOrder order;
  History host;
  OpRuns runs;
  std::vector<WorkItem> work;
  std::vector<CallPlace> places;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_HAPPENSBEFORE_H
