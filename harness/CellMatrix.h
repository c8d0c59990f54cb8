// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a command line asks for to the list of cells, in the order in which results show them, and the jobs that
// run them.

#ifndef LOCKSTEP_HARNESS_CELLMATRIX_H
#define LOCKSTEP_HARNESS_CELLMATRIX_H

#include "harness/Scenario.h"
#include "harness/Schedule.h"
#include "harness/WorkerProtocol.h"

#include <map>

namespace lockstep::harness {

/// One driver of a backend as a run uses it.
struct Target {
  std::string backend;
  std::string driver;         ///< As given to --driver.
  std::string driverLibrary;  ///< What dlopen gets.
  bool takesSchedules = true; ///< It is simulated.
};

struct Cell {
  size_t scenario = 0; ///< Index into CellMatrix::scenarios.
  std::string lowering;
  size_t target = 0; ///< Index into CellMatrix::targets.
  Schedule schedule;
  /// Run only so that other cells can be compared with it; not part of the results.
  bool isHiddenBaseline = false;
};

struct Shard {
  size_t index = 1; ///< From 1 to count.
  size_t count = 1;
};

/// Reads "I/N". Fails with a usage error.
llvm::Expected<Shard> parseShard(llvm::StringRef text);

/// Lowering of the cell that the others of a program without expectations are compared with. It runs on a simulated
/// driver where there is one, in the order `eager`.
inline constexpr llvm::StringLiteral kBaselineLowering = "serial";

struct CellMatrix {
  std::vector<Scenario> scenarios;
  std::vector<Target> targets; ///< Those of the results, then those that only baselines run on.
  size_t visibleTargetCount = 0;
  std::vector<std::string> lowerings;
  std::vector<Cell> cells; ///< Visible cells in order of scenario, target, lowering, schedule; hidden ones at the end.
  size_t visibleCount = 0;
  std::map<std::string, std::string> pipelines = {}; ///< Of the lowerings that are pipelines, by name.
  std::vector<std::string> passPlugins = {};         ///< Libraries with passes for them.

  /// The cell that `cell` is compared with, none for a program that states expectations.
  std::optional<size_t> baselineOf(const Cell &cell) const;
  /// The target that the baseline of a cell on `target` runs on: `target` itself where it is simulated, else the
  /// simulated one of the same backend, else `target`.
  size_t baselineTarget(size_t target) const;

  /// Cells that share a program, lowering and target, as jobs for at least `workerCount` workers where there are enough
  /// cells. Ids are indices into `cells`.
  std::vector<JobRequest> makeJobs(size_t workerCount) const;
};

/// All combinations with the first `visibleTargetCount` of the targets, of which each shard takes every N-th pair of
/// scenario and lowering. Adds hidden baselines where a program states no expectation and the baseline is not among its
/// cells.
CellMatrix makeCellMatrix(std::vector<Scenario> scenarios, std::vector<Target> targets, size_t visibleTargetCount,
                          std::vector<std::string> lowerings, llvm::ArrayRef<Schedule> schedules, Shard shard);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_CELLMATRIX_H
