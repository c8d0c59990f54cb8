// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs only what a wait of the host forces, newest stream first and, in a graph, newest node first: the device that
// does nothing it was not made to do. A query answers from the state before it and then moves the queried work on by
// one operation, so that a polling loop ends.

#include "simgpu/core/Scheduler.h"

namespace lockstep::simgpu {

namespace {
class LazyScheduler final : public Scheduler {
public:
  void begin(const Moment &moment) override { queryBudget = moment.kind == Moment::Kind::Query ? 1 : 0; }

  std::optional<size_t> choose(const RunnableList &runnable, const Moment &moment) override {
    if (moment.kind == Moment::Kind::Call)
      return std::nullopt;
    if (moment.kind == Moment::Kind::Query && queryBudget-- == 0)
      return std::nullopt;
    auto age = [&](size_t i) { return std::pair(runnable[i]->streamAge, runnable[i]->nodeNumber); };
    std::optional<size_t> newest;
    for (size_t i = 0; i < runnable.size(); ++i)
      if (moment.forces(*runnable[i]) && (!newest || age(i) > age(*newest)))
        newest = i;
    return newest;
  }

  bool readsSourceAtSubmit() override { return false; }
  bool takesResizedFill() override { return false; }
  bool losesRecordInFlight() override { return true; }

private:
  unsigned queryBudget = 0;
};
} // namespace

std::unique_ptr<Scheduler> createLazyScheduler() { return std::make_unique<LazyScheduler>(); }

} // namespace lockstep::simgpu
