// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_REBUILDREPORT_H
#define LOCKSTEP_REPORTS_REBUILDREPORT_H

#include "reports/Results.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace lockstep::reports {

/// Reads `files`, which are results.json of one run or of its shards, and writes the report of all of it to
/// `directory`, as a whole or not at all. Gives what the report is made of. Any failure is an error of one line: a file
/// that is no results, shards that do not fit (`mergeResults`), a directory that cannot take results, or one that holds
/// one of the files, since what else is in it would be lost.
llvm::Expected<Results> rebuildReport(llvm::ArrayRef<std::string> files, llvm::StringRef directory);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_REBUILDREPORT_H
