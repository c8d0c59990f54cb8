// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what happened in a cell to its verdict.

#ifndef LOCKSTEP_HARNESS_VERDICT_H
#define LOCKSTEP_HARNESS_VERDICT_H

#include "harness/CellMatrix.h"
#include "harness/WorkerPool.h"
#include "reports/Results.h"

#include <optional>

namespace lockstep::harness {

/// What is known of one cell after a run; at most one of `done`, `lost` and `error` is set, none where it did not run.
struct CellOutcome {
  std::optional<CellDoneReply> done;
  std::optional<LostCell> lost;
  std::string error; ///< The program could not be compiled.

  bool hasRun() const { return done || lost || !error.empty(); }
  double compileMs = 0;
};

/// Verdict, reason, findings and duration of a cell. `baseline` is the outcome of the cell to compare the output with,
/// null where there is none. Repro commands are left empty.
/// `stopReason` says why the run ended before all cells had run; it is the reason of those that had not, and of those
/// whose baseline had not.
reports::CellResult judgeCell(const Scenario &scenario, const CellOutcome &outcome, const CellOutcome *baseline,
                              llvm::StringRef stopReason = "");

/// The finding that `output` differs from `expected`, none where they are the same. Addresses that MLIR's printing
/// functions give ("base@ = 0x…") differ between any two runs and are left out.
std::optional<reports::Finding> compareOutput(llvm::StringRef expected, llvm::StringRef output);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_VERDICT_H
