// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_RESULTSMERGE_H
#define LOCKSTEP_REPORTS_RESULTSMERGE_H

#include "reports/Results.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace lockstep::reports {

/// Results with the file that they come from, for messages.
struct NamedResults {
  std::string name;
  Results results;
};

/// Puts shards of one run together: the cells of all, sorted; what ran as the shard that started first says it, without
/// its `--shard`; drivers, devices and machines of all; the time from the first start to the last end. One shard alone
/// stays as it is but for the order of its cells. `shards` is not empty.
///
/// An error of one line, with the two files: a cell that stands in both, or shards of different runs: another seed,
/// commit, driver version, or device.
llvm::Expected<Results> mergeResults(llvm::ArrayRef<NamedResults> shards);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_RESULTSMERGE_H
