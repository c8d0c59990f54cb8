// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_REPORTFILES_H
#define LOCKSTEP_REPORTS_REPORTFILES_H

#include "reports/OutputDirectory.h"
#include "reports/Results.h"

namespace lockstep::reports {

/// Writes the whole report of `results` into `directory`, which the caller commits: results.json, junit.xml, ctrf.json,
/// report.md, report.html where this build has it, and traces. The cells are sorted first. The same results give the
/// same bytes.
llvm::Error writeReport(Results results, OutputDirectory &directory);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_REPORTFILES_H
