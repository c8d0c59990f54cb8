// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ExpectedFindings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"

using namespace lockstep::harness;
using llvm::StringRef;
using lockstep::reports::CellResult;
using lockstep::reports::Finding;
using lockstep::reports::Verdict;

bool lockstep::harness::concerns(llvm::ArrayRef<ExpectedFinding> expected, StringRef lowering) {
  return llvm::any_of(expected, [&](const ExpectedFinding &entry) { return entry.lowering == lowering; });
}

void lockstep::harness::applyMetricLimits(const MetricLimits &limits, CellResult &result) {
  for (const auto &[name, limit] : limits) {
    auto metric = result.metrics.find(name);
    if (metric == result.metrics.end() || metric->second.value <= static_cast<double>(limit))
      continue;
    std::string message =
        llvm::formatv("{0} is {1:F0}, and the program expects at most {2}", name, metric->second.value, limit);
    if (result.verdict == Verdict::Pass) {
      result.verdict = Verdict::Fail;
      result.reason = message;
    }
    bool isOfPairs = llvm::StringRef(name).ends_with("_pairs");
    result.findings.push_back(
        {isOfPairs ? "concurrency" : "calls", isOfPairs ? "CONCURRENCY-1" : "", std::move(message), {}, {}});
  }
}

/// A pattern that is none was refused when the program was read.
static bool matches(StringRef pattern, StringRef text) {
  llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
  if (!glob) {
    llvm::consumeError(glob.takeError());
    return false;
  }
  return glob->match(text);
}

static bool hasRun(Verdict verdict) { return verdict != Verdict::Skip; }

void lockstep::harness::applyExpectedFindings(llvm::ArrayRef<ExpectedFinding> expected, CellResult &result) {
  if (!concerns(expected, result.lowering) || !hasRun(result.verdict))
    return;
  llvm::SmallSetVector<StringRef, 4> found, wanted;
  bool isExplained = true;
  for (const Finding &finding : result.findings) {
    const ExpectedFinding *match = llvm::find_if(expected, [&](const ExpectedFinding &entry) {
      return entry.lowering == result.lowering && matches(entry.oracle, finding.oracle) &&
             matches(entry.message, finding.message);
    });
    if (match == expected.end())
      isExplained = false;
    else
      found.insert(match->name);
  }
  for (const ExpectedFinding &entry : expected)
    if (entry.lowering == result.lowering && matches(entry.schedule, result.schedule) && !found.contains(entry.name))
      wanted.insert(entry.name);
  if (!isExplained)
    return;
  if (!wanted.empty()) {
    result.verdict = Verdict::XPass;
    result.reason = "expected and not found: " + llvm::join(wanted, ", ");
  } else if (!found.empty()) {
    result.verdict = Verdict::XFail;
    result.reason = llvm::join(found, ", ") + ": " + result.reason;
  }
}
