// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_REPORTCOMMAND_H
#define LOCKSTEP_HARNESS_REPORTCOMMAND_H

#include "harness/ExitStatus.h"
#include "reports/Results.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace lockstep::harness {

/// Makes a report in `directory` of results in files. The harness knows neither their form nor the report's: the tool
/// hands it in. Gives what was read; errors have one line.
using RebuildReport =
    std::function<llvm::Expected<reports::Results>(llvm::ArrayRef<std::string> files, llvm::StringRef directory)>;

/// `lockstep report`: rebuilds a report from the results of one run or of its shards, and says on standard output what
/// is in it. The status does not depend on the verdicts: what is wrong was the business of the runs.
ExitStatus reportCommand(llvm::ArrayRef<std::string> files, llvm::StringRef directory, const RebuildReport &rebuild);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_REPORTCOMMAND_H
