// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_JUNITWRITER_H
#define LOCKSTEP_REPORTS_JUNITWRITER_H

#include "reports/Results.h"

#include "llvm/Support/raw_ostream.h"

namespace lockstep::reports {

/// Writes `results` in the XML form of JUnit that Jenkins and GitLab read (docs/parts/reports.md says which of it they
/// use). One `testsuite` a scenario, one `testcase` a cell, in the order of `results.cells`, which has the cells of a
/// scenario side by side. Class name and name together tell all cells apart. Any text is representable.
void writeJunitXml(const Results &results, llvm::raw_ostream &stream);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_JUNITWRITER_H
