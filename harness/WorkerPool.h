// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs jobs on worker processes, several at a time, and survives what happens to them: a worker that dies or hangs
// costs the cell that it was in; its other cells go to a new worker.

#ifndef LOCKSTEP_HARNESS_WORKERPOOL_H
#define LOCKSTEP_HARNESS_WORKERPOOL_H

#include "harness/WorkerProcess.h"

#include <chrono>
#include <deque>
#include <optional>

namespace lockstep::harness {

/// A cell that has no CellDoneReply because its worker was lost in it.
struct LostCell {
  uint64_t id = 0;
  bool isTimeout = false;      ///< Else the worker died.
  std::string reason;          ///< "SIGABRT (Aborted)", "exit status 3", "no end after 60 s".
  bool whileCompiling = false; ///< Nothing of the program had run yet.
  std::string output;
  std::string errorOutput;
  double durationMs = 0;
};

/// Told what happens, on the thread that called WorkerPool::run.
class PoolObserver {
public:
  virtual ~PoolObserver();
  virtual void cellDone(const CellDoneReply &cell) = 0;
  virtual void cellLost(const LostCell &cell) = 0;
  virtual void compiled(const JobRequest &job, double durationMs) = 0;
  /// None of the job's cells will run.
  virtual void compileFailed(const JobRequest &job, llvm::StringRef message) = 0;
  /// Asked between events; true ends the run: nothing more is started, and what is under way is killed unreported.
  virtual bool shouldStop() = 0;
  /// Called several times a second.
  virtual void tick() = 0;
};

/// A time limit as people write it: "60", "0.3".
std::string secondsText(double seconds);

/// After which a worker is taken to hang. They are apart because how long a compilation takes says nothing about the
/// program's run.
struct TimeLimits {
  double cellSeconds = 60;
  double compileSeconds = 600; ///< Many times what the longest program of the suites takes.
};

class WorkerPool {
public:
  WorkerPool(size_t workerCount, TimeLimits limits, PoolObserver &observer);
  ~WorkerPool();

  /// Runs all jobs; blocks until each cell was reported or the observer asked to stop. Fails where no worker can be
  /// started or a worker does not keep to the protocol.
  llvm::Error run(std::vector<JobRequest> jobs);

private:
  using Clock = std::chrono::steady_clock;

  struct Slot {
    std::unique_ptr<WorkerProcess> process;
    std::string backend; ///< A worker loads one wrapper library and one driver in its life.
    std::string driver;
    std::optional<JobRequest> job; ///< The cells that are not reported yet; the first one is next or under way.
    bool isFresh = true;           ///< The process has not finished a job yet.
    bool isSuspect = false;        ///< A program did something wrong in it, perhaps to its memory too.
    bool isCompiled = false;
    bool isTracing = false;
    bool isInCell = false;
    Clock::time_point phaseStart;
  };

  llvm::Error assignJobs();
  llvm::Error assign(Slot &slot, JobRequest job);
  bool isBusy() const;
  void poll();
  llvm::Error receive(Slot &slot);
  llvm::Error handle(Slot &slot, Reply reply);
  /// Ends the worker where it still runs, and reports the cell that it was in.
  enum class Loss { Died, TimedOut, WroteTooMuch };
  void handleLoss(Slot &slot, Loss loss);
  void checkLimits();
  std::string lossReason(const Slot &slot, Loss loss, const std::string &end) const;
  double limitSeconds(const Slot &slot) const;

  TimeLimits limits;
  PoolObserver &observer;
  std::vector<Slot> slots;
  std::deque<JobRequest> queue;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_WORKERPOOL_H
