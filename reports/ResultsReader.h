// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_RESULTSREADER_H
#define LOCKSTEP_REPORTS_RESULTSREADER_H

#include "reports/Results.h"

#include "llvm/Support/Error.h"

namespace lockstep::reports {

/// Reads what `writeResultsJson` writes: the two are inverses but for bytes that are not UTF-8. `name` stands for the
/// text in messages. Text that is no JSON, is of another schema or deviates from it is an error of one line: the name,
/// what is wrong first, and how many more deviations there are.
llvm::Expected<Results> parseResults(llvm::StringRef text, llvm::StringRef name);

/// The same for a file. A file that cannot be read is an error of one line, too.
llvm::Expected<Results> readResults(llvm::StringRef path);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_RESULTSREADER_H
