// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam between what may run and what does run. The engine asks a scheduler which runnable operation comes next, or
// whether the host goes on first. A scheduler sees no memory and no addresses, so the same program and the same
// schedule text give the same run.
//
// Called with the machine's lock held.

#ifndef LOCKSTEP_SIMGPU_CORE_SCHEDULER_H
#define LOCKSTEP_SIMGPU_CORE_SCHEDULER_H

#include "simgpu/core/Operation.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

namespace lockstep::simgpu {

/// In order of submission. A deque, because the oldest goes first most of the time.
using RunnableList = std::deque<const Operation *>;

/// Why the engine asks.
struct Moment {
  enum class Kind : uint8_t {
    Call,        ///< A driver call is about to return.
    Query,       ///< A driver call that asks for completion is about to return.
    Synchronize, ///< The host waits for `forced`; it goes on only when these are done.
  };
  Kind kind = Kind::Call;
  /// Ids of the operations that the question or wait is about, with all their prerequisites. Null for Call.
  const std::unordered_set<uint64_t> *forced = nullptr;

  bool forces(const Operation &operation) const { return forced && forced->count(operation.id); }
};

class Scheduler {
public:
  virtual ~Scheduler();
  /// Starts a moment; choose follows until it gives nothing, or the wait is over.
  virtual void begin(const Moment &moment) {}
  /// An index into `runnable` (never empty), or nothing: the host goes on. At Synchronize
  /// something must be chosen as long as a forced operation is runnable.
  virtual std::optional<size_t> choose(const RunnableList &runnable, const Moment &moment) = 0;
  /// Whether an asynchronous copy from pageable host memory reads its source during the call (async-semantics 5.3: a
  /// program that can tell is at fault).
  virtual bool readsSourceAtSubmit() = 0;
  /// Whether an instance of a graph takes a one-dimensional fill of another size in place of the one that it has (5.6:
  /// it may).
  virtual bool takesResizedFill() = 0;
  /// Whether a record of an event is lost whose last record is in flight, where the interface leaves that open (5.10).
  virtual bool losesRecordInFlight() = 0;
  /// Number of threads that run operations beside the host; 0: operations run inside driver calls.
  virtual unsigned threadCount() const { return 0; }
};

std::unique_ptr<Scheduler> createEagerScheduler();
std::unique_ptr<Scheduler> createLazyScheduler();
std::unique_ptr<Scheduler> createRandomScheduler(uint64_t seed);
std::unique_ptr<Scheduler> createParallelScheduler(unsigned threadCount);

/// Reads "eager", "lazy", "random:SEED", "parallel" or "parallel:THREADS". Null and a line in `error` for another text.
std::unique_ptr<Scheduler> createScheduler(const std::string &text, std::string &error);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_SCHEDULER_H
