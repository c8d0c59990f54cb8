// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_CTRFWRITER_H
#define LOCKSTEP_REPORTS_CTRFWRITER_H

#include "reports/Results.h"

#include "llvm/Support/raw_ostream.h"

namespace lockstep::reports {

/// Writes `results` in the Common Test Report Format (CTRF, a JSON document), one test a cell. What a test of CTRF has
/// no place for (findings, the command that repeats it) is in its `extra`.
void writeCtrfJson(const Results &results, llvm::raw_ostream &stream);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_CTRFWRITER_H
