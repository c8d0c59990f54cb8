// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_SCHEDULE_H
#define LOCKSTEP_HARNESS_SCHEDULE_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::harness {

/// In which of the allowed orders a simulated device runs its work: a value that a command line can carry.
struct Schedule {
  enum class Kind {
    None, ///< A real device: it has an order of its own.
    Eager,
    Lazy,
    Random,
    Parallel
  };
  Kind kind = Kind::None;
  uint64_t seed = 0; ///< Meaningful for Random only.

  bool operator==(const Schedule &) const = default;

  /// The kind's word: "eager", "random"; "-" for None.
  std::string name() const;
  std::optional<uint64_t> optionalSeed() const;
  /// What the simulated driver takes as `schedule`: "random:7".
  std::string driverText() const;
  /// What --schedule takes to run this one alone: "random:1:7".
  std::string optionText() const;
};

inline constexpr llvm::StringLiteral kDefaultSchedules = "eager,lazy,random:5";

/// Reads a comma separated list of eager, lazy, parallel and random:COUNT[:SEED]. The last stands for COUNT schedules
/// with seeds SEED, SEED+1, …; SEED is 1 where left out. A schedule that the list gives twice is kept once. Fails with
/// a usage error.
llvm::Expected<std::vector<Schedule>> parseSchedules(llvm::StringRef list);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_SCHEDULE_H
