// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_CELLGROUPS_H
#define LOCKSTEP_REPORTS_CELLGROUPS_H

#include "reports/Results.h"

namespace lockstep::reports {

/// From harmless to grave: of several cells the gravest verdict is shown.
inline constexpr std::array<Verdict, kAllVerdicts.size()> kVerdictsByGravity = {
    Verdict::Pass, Verdict::XFail, Verdict::Skip,    Verdict::XPass,
    Verdict::Fail, Verdict::Error, Verdict::Timeout, Verdict::Crash};

/// Cells that differ in their schedule only and came to the same verdict for the same reason, whatever addresses and
/// handles it names: one fault for a reader.
struct CellGroup {
  const CellResult *first = nullptr; ///< Into the results; stands for all of the group.
  std::vector<std::string> schedules;
};

/// The groups of the cells whose verdict `isWanted`, in the order of their first cells.
std::vector<CellGroup> groupCells(const Results &results, bool (*isWanted)(Verdict));

/// A row of a matrix: what the cells of one scenario came to in each column.
struct MatrixPlace {
  Verdict worst = Verdict::Pass; ///< The gravest of its cells.
  size_t passed = 0;
  size_t total = 0; ///< 0 where the scenario has no cell there.
};
struct MatrixRow {
  std::string scenario;
  std::vector<MatrixPlace> places; ///< One for each column.
};
struct Matrix {
  std::vector<std::string> columns; ///< `columnTitle` of cells, in the order of the cells.
  std::vector<MatrixRow> rows;
};

/// Scenarios against backends and lowerings. `results` is sorted.
Matrix makeMatrix(const Results &results);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_CELLGROUPS_H
