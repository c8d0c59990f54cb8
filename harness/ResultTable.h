// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_RESULTTABLE_H
#define LOCKSTEP_HARNESS_RESULTTABLE_H

#include "harness/CellMatrix.h"
#include "reports/Results.h"

#include "llvm/Support/raw_ostream.h"

namespace lockstep::harness {

/// The letter that stands for a verdict in the table.
char verdictLetter(reports::Verdict verdict);

/// One row a scenario, one column a backend and lowering; in each place the letter of the worst verdict of its cells
/// and how many of them passed. Where that is wider than `widthMax` columns (0: no limit), the letters alone, and
/// columns headed by letters that are explained below. A legend of the letters used follows. `results` has the visible
/// cells of `matrix`.
void printResultTable(const CellMatrix &matrix, const reports::Results &results, llvm::raw_ostream &stream,
                      size_t widthMax = 0);

/// One line for each program and lowering that shows what it is expected to: which fault, and how it shows.
void printExpectedFindings(const reports::Results &results, llvm::raw_ostream &stream);

/// What is wrong in each cell that did not pass, with the command that shows it alone; a cell that differs from the one
/// before it only in its schedule and has the same reason is counted, not repeated.
void printFindings(const reports::Results &results, llvm::raw_ostream &stream);

/// One line: how many cells, with which verdicts, in what time.
void printSummary(const reports::Results &results, double seconds, llvm::raw_ostream &stream);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_RESULTTABLE_H
