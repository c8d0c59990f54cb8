// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executions of a program's operations, as the program named them, and which of them a driver call works for.

#ifndef LOCKSTEP_HARNESS_ORDER_OPRUNS_H
#define LOCKSTEP_HARNESS_ORDER_OPRUNS_H

#include "harness/order/PartialOrder.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace lockstep::harness {

/// One execution of an operation.
struct OpRun {
  uint32_t name;                             ///< In the CallLog.
  uint32_t ordinal;                          ///< Among the executions with that name, from 0.
  uint32_t logEntry;                         ///< Where it was named.
  History hostBefore;                        ///< What the host knew to be complete then.
  History hostAfter;                         ///< And when its thread named the next one, or at the end.
  llvm::SmallVector<uint32_t, 1> items = {}; ///< Its work: positions in HappensBefore::items.
};

class OpRuns {
public:
  /// The thread has named an operation.
  void announce(uint32_t thread, uint32_t name, uint32_t logEntry, const History &host);
  /// The program has ended.
  void finish(const History &host);

  /// The execution that a call on this thread works for: the last of that name, of this thread where it named any.
  std::optional<uint32_t> find(uint32_t thread, uint32_t name) const;

  /// For a graph that this thread launches: the executions of its `count` work nodes of that name, in order. A graph
  /// that holds several executions of one name has had that many named since the launch before; where the numbers
  /// differ, several nodes are of the last one.
  llvm::SmallVector<std::optional<uint32_t>, 1> findForLaunch(uint32_t thread, uint32_t name, size_t count) const;
  /// The launch is over.
  void endLaunch(uint32_t thread) { sinceLaunch[thread].clear(); }

  OpRun &operator[](uint32_t index) { return runs[index]; }
  llvm::ArrayRef<OpRun> all() const { return runs; }
  size_t threadCount() const { return lastOfThread.size(); }

private:
  std::vector<OpRun> runs;
  llvm::DenseMap<uint32_t, uint32_t> countOfName;
  llvm::DenseMap<uint32_t, uint32_t> lastOfName;
  llvm::DenseMap<uint32_t, uint32_t> lastOfThread;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> lastOfThreadAndName;
  llvm::DenseMap<uint32_t, llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>>> sinceLaunch;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_OPRUNS_H
