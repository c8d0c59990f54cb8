// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of a lowering that a program is known to show: the attribute `agpu.expect_findings` of its module. And what a
// program may cost at most: the attribute `agpu.expect_at_most`.
//
// A cell all of whose findings are expected has the verdict xfail. One that lacks a finding that it must show has the
// verdict xpass, which a run reports like a failure: what is recorded is no longer true. A finding that is not expected
// fails as ever.

#ifndef LOCKSTEP_HARNESS_EXPECTEDFINDINGS_H
#define LOCKSTEP_HARNESS_EXPECTEDFINDINGS_H

#include "reports/Results.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>
#include <vector>

namespace lockstep::harness {

/// One entry of the attribute. Patterns are globs on the whole text.
struct ExpectedFinding {
  std::string name;           ///< What the fault is called: "W3". Entries with one name describe one fault.
  std::string lowering;       ///< Name of the lowering that has it.
  std::string oracle;         ///< Pattern of the finding's oracle.
  std::string message;        ///< Pattern of its message.
  std::string schedule = "*"; ///< In cells of these schedules the fault must show; in others it may.
  bool operator==(const ExpectedFinding &) const = default;
};

/// For metrics of a cell (reports/ResultSchema.md), by name, the largest value that is no finding.
using MetricLimits = std::map<std::string, int64_t>;

/// Adds a finding for each metric of a judged cell that is over its limit, and judges anew. Metrics that the cell does
/// not have are left out: it did not come to its end.
void applyMetricLimits(const MetricLimits &limits, reports::CellResult &result);

/// Whether any of them is about the lowering.
bool concerns(llvm::ArrayRef<ExpectedFinding> expected, llvm::StringRef lowering);

/// Changes verdict and reason of a judged cell by what is expected of its lowering and schedule.
void applyExpectedFindings(llvm::ArrayRef<ExpectedFinding> expected, reports::CellResult &result);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_EXPECTEDFINDINGS_H
