// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds the work that is queued and runs it in an order that the scheduler chooses among those that the prerequisites
// allow. Knows nothing of streams, events or memory.
//
// Locking: every member function is called with the machine's lock held, and gets it as `lock` where it may let go of
// it for a while (to run foreign code, or to wait for another thread).

#ifndef LOCKSTEP_SIMGPU_CORE_ENGINE_H
#define LOCKSTEP_SIMGPU_CORE_ENGINE_H

#include "simgpu/core/Operation.h"
#include "simgpu/core/Scheduler.h"
#include "simgpu/core/Trace.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace lockstep::simgpu {

using Lock = std::unique_lock<std::mutex>;

class Engine {
public:
  ~Engine();

  /// Drops all queued work, waits for what runs right now, and starts afresh with `scheduler`.
  void restart(Lock &lock, std::unique_ptr<Scheduler> scheduler);
  /// Waits for what runs right now and ends the threads of the scheduler. Queued work is kept and not run.
  void stop(Lock &lock);

  /// Queues `operation` behind `prerequisites` (null and done ones are skipped). Runs nothing.
  void submit(const OperationPtr &operation, const std::vector<OperationPtr> &prerequisites);
  /// Lets the scheduler run what it wants to run at the end of a driver call.
  void advance(Lock &lock);
  /// The same at the end of a call that asked whether `targets` are done.
  void advanceQuery(Lock &lock, const std::vector<OperationPtr> &targets);
  /// Returns when all of `targets` are done.
  void waitFor(Lock &lock, const std::vector<OperationPtr> &targets);

  std::vector<OperationPtr> pendingOf(const Context &context) const;
  /// Work of the program's that is not done, oldest first: what changes memory or calls a function.
  std::vector<OperationPtr> pendingWork() const;

  /// Takes down what `status` reaches, seen from `context`. A failure that is there already stays.
  void fail(Context &context, Status status);
  /// The failure that every call in `context` gives back, or Success.
  Status failureOf(const Context &context) const;
  /// The failure that took the whole process down, or Success.
  Status getProcessFailure() const { return processFailure; }
  /// Called with each context whose memory is gone.
  void setMemoryLossHandler(std::function<void(const Context &)> handler) { loseMemory = std::move(handler); }

  Scheduler &getScheduler() { return *scheduler; }
  Trace &getTrace() { return trace; }
  uint64_t getHostNs() const { return hostNs; }

private:
  std::unordered_set<uint64_t> closureOf(const std::vector<OperationPtr> &targets) const;
  void makeRunnable(const Operation &operation);
  void runChosen(Lock &lock, size_t index);
  void runUntilHostProceeds(Lock &lock, const Moment &moment);
  void run(Lock &lock, OperationPtr operation);
  void complete(const OperationPtr &operation);
  void workerMain(std::mutex &mutex);
  void startWorkers(Lock &lock);

  std::unique_ptr<Scheduler> scheduler;
  std::map<uint64_t, OperationPtr> pending; ///< Everything not done, by id.
  RunnableList runnable;                    ///< The part of it that is neither running nor waiting.
  std::condition_variable changed;          ///< An operation became runnable or done, or the workers are to stop.
  std::vector<std::thread> workers;
  Trace trace;
  uint64_t lastId = 0;
  uint64_t hostNs = 0; ///< The host's position on the virtual clock.
  unsigned runningCount = 0;
  Status processFailure = Status::Success;
  std::function<void(const Context &)> loseMemory;
  bool stopping = false;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_ENGINE_H
