// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ReportCommand.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
using namespace lockstep::reports;

ExitStatus lockstep::harness::reportCommand(llvm::ArrayRef<std::string> files, llvm::StringRef directory,
                                            const RebuildReport &rebuild) {
  if (files.empty())
    return reportError(usageError("report: which results? Name one or more files results.json"));
  if (directory.empty())
    return reportError(usageError("report: where to? Say --out DIR"));
  llvm::Expected<Results> results = rebuild(files, directory);
  if (!results)
    return reportError(usageError("report: " + llvm::toString(results.takeError())));
  llvm::outs() << directory << ": " << results->cells.size() << (results->cells.size() == 1 ? " cell" : " cells");
  const char *separator = ": ";
  for (Verdict verdict : kAllVerdicts)
    if (size_t count = countVerdict(*results, verdict)) {
      llvm::outs() << separator << count << " " << verdictName(verdict);
      separator = ", ";
    }
  llvm::outs() << '\n';
  return kExitAsExpected;
}
