// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent operations on threads, oldest first. For speed and for real races; the order is not repeatable. Device
// memory is open to the host while any kernel runs, so host accesses to it may go unnoticed under this schedule.

#include "simgpu/core/Scheduler.h"

namespace lockstep::simgpu {

namespace {
class ParallelScheduler final : public Scheduler {
public:
  explicit ParallelScheduler(unsigned threads) : threads(threads) {}
  std::optional<size_t> choose(const RunnableList &, const Moment &) override { return 0; }
  bool readsSourceAtSubmit() override { return false; }
  bool takesResizedFill() override { return false; }
  bool losesRecordInFlight() override { return true; }
  unsigned threadCount() const override { return threads; }

private:
  unsigned threads;
};
} // namespace

std::unique_ptr<Scheduler> createParallelScheduler(unsigned threadCount) {
  return std::make_unique<ParallelScheduler>(threadCount);
}

} // namespace lockstep::simgpu
