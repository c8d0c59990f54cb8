// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs everything that is allowed, at once, in the order of submission: the device that is never busy.

#include "simgpu/core/Scheduler.h"

namespace lockstep::simgpu {

namespace {
class EagerScheduler final : public Scheduler {
public:
  std::optional<size_t> choose(const RunnableList &, const Moment &) override { return 0; }
  bool readsSourceAtSubmit() override { return true; }
  bool takesResizedFill() override { return true; }
  bool losesRecordInFlight() override { return false; }
};
} // namespace

std::unique_ptr<Scheduler> createEagerScheduler() { return std::make_unique<EagerScheduler>(); }

} // namespace lockstep::simgpu
