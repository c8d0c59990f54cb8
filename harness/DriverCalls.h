// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many driver calls a program costs, and what they say as metrics of its cell (reports/ResultSchema.md).

#ifndef LOCKSTEP_HARNESS_DRIVERCALLS_H
#define LOCKSTEP_HARNESS_DRIVERCALLS_H

#include "reports/Results.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace lockstep::harness {

/// For each driver function, by its name ("cuStreamWaitEvent"), how often it was called. Functions never called are
/// left out.
using DriverCallCounts = std::map<std::string, uint64_t>;

/// Counts what a wrapper's recorder sees in its `after`, calls that failed included. Costs one look-up by name a call;
/// keeps nothing of a call. Safe on any number of threads at once.
class DriverCallCounter {
public:
  DriverCallCounter() = default;
  DriverCallCounter(const DriverCallCounter &) = delete;
  DriverCallCounter &operator=(const DriverCallCounter &) = delete;

  void count(const char *call);
  /// Gives what was counted since the last take, and begins at zero.
  DriverCallCounts take();

private:
  std::mutex mutex;
  llvm::StringMap<uint64_t> counts;
};

/// The metrics of a program that made these calls: those named in reports/ResultSchema.md under "Driver calls".
/// `namedOps` is the number of device operations that it named (harness/NamedOps.h); 0 where its lowering names none,
/// and then calls stand for operations.
std::map<std::string, reports::Metric> driverCallMetrics(const DriverCallCounts &counts, uint64_t namedOps);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_DRIVERCALLS_H
