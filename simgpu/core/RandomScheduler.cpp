// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws from a seed: how many operations run during a call, and which. Uses its own generator (SplitMix64), because the
// distributions of the standard library differ between libraries.

#include "simgpu/core/Scheduler.h"

namespace lockstep::simgpu {

namespace {
class RandomScheduler final : public Scheduler {
public:
  /// The seed also says how far the device lags behind the host in this run: a quarter of the seeds run nothing before
  /// the host waits, so that all that is in flight is reordered, and a quarter keep up with it.
  explicit RandomScheduler(uint64_t seed) : state(seed), lag(draw(4)) {}

  /// Of the calls that count (each; one in 8; one in 64; none, by the lag), half run nothing; the others run up to a
  /// few operations, now and then everything.
  void begin(const Moment &moment) override {
    bool counts = lag == 0 || (lag == 1 && draw(8) == 0) || (lag == 2 && draw(64) == 0);
    switch (counts ? draw(8) : 8) {
    case 0:
      budget = UINT64_MAX;
      break;
    case 1:
    case 2:
    case 3:
      budget = 1 + draw(4);
      break;
    default:
      budget = 0;
    }
    // A polling loop must end with every seed.
    if (moment.kind == Moment::Kind::Query && budget == 0)
      budget = 1;
  }

  std::optional<size_t> choose(const RunnableList &runnable, const Moment &moment) override {
    if (moment.kind != Moment::Kind::Synchronize && budget-- == 0)
      return std::nullopt;
    return draw(runnable.size());
  }

  bool readsSourceAtSubmit() override { return draw(2) == 0; }
  bool takesResizedFill() override { return draw(2) == 0; }
  bool losesRecordInFlight() override { return draw(2) == 0; }

private:
  uint64_t draw(uint64_t bound) {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (z ^ (z >> 31)) % bound;
  }

  uint64_t state;
  uint64_t lag;
  uint64_t budget = 0;
};
} // namespace

std::unique_ptr<Scheduler> createRandomScheduler(uint64_t seed) { return std::make_unique<RandomScheduler>(seed); }

} // namespace lockstep::simgpu
