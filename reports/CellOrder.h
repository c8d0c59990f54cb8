// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cells of a report in one order, whoever made them: so that shards together give what one run gives.

#ifndef LOCKSTEP_REPORTS_CELLORDER_H
#define LOCKSTEP_REPORTS_CELLORDER_H

#include "reports/Results.h"

namespace lockstep::reports {

/// Less than 0, 0 or more than 0, by scenario, backend, driver, lowering, schedule and seed: what makes a cell this
/// cell. Numbers in texts count as numbers; the lowerings of this project come before others, the reference first.
int compareCells(const CellResult &left, const CellResult &right);

/// Sorts by `compareCells`, in which no two cells of a run are equal.
void sortCells(std::vector<CellResult> &cells);

/// "eager", "random seed 7"; with a driver other than the simulated one, its name too.
std::string scheduleTitle(const CellResult &cell);

/// "cuda streams": the column of a matrix that a cell belongs to.
std::string columnTitle(const CellResult &cell);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_CELLORDER_H
