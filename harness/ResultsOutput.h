// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_RESULTSOUTPUT_H
#define LOCKSTEP_HARNESS_RESULTSOUTPUT_H

#include "reports/Results.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>

namespace lockstep::harness {

/// Where a run's results go. The harness knows what they are, not how they are stored: the tool hands it in.
class ResultsOutput {
public:
  virtual ~ResultsOutput();
  virtual llvm::Error writeResults(const reports::Results &results) = 0;
  /// A file beside the results; `name` may contain folders.
  virtual llvm::Error writeFile(llvm::StringRef name, llvm::StringRef contents) = 0;
  /// Makes everything visible at once; without it nothing is left of this output.
  virtual llvm::Error commit() = 0;
};

/// Checks that results can be stored at `path` and prepares for it. Called before anything runs, as a trial, and again
/// when there is something to store.
using OpenResultsOutput = std::function<llvm::Expected<std::unique_ptr<ResultsOutput>>(llvm::StringRef path)>;

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_RESULTSOUTPUT_H
