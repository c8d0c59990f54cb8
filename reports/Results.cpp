// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/Results.h"

#include "llvm/ADT/STLExtras.h"

using namespace lockstep::reports;

llvm::StringRef lockstep::reports::verdictName(Verdict verdict) {
  static constexpr std::array<llvm::StringLiteral, kAllVerdicts.size()> names = {"pass",    "fail", "error", "crash",
                                                                                 "timeout", "skip", "xfail", "xpass"};
  return names[static_cast<size_t>(verdict)];
}

std::optional<Verdict> lockstep::reports::verdictFromName(llvm::StringRef name) {
  for (Verdict verdict : kAllVerdicts)
    if (verdictName(verdict) == name)
      return verdict;
  return std::nullopt;
}

bool lockstep::reports::isUnexpected(Verdict verdict) {
  switch (verdict) {
  case Verdict::Pass:
  case Verdict::Skip:
  case Verdict::XFail:
    return false;
  case Verdict::Fail:
  case Verdict::Error:
  case Verdict::Crash:
  case Verdict::Timeout:
  case Verdict::XPass:
    return true;
  }
  return true;
}

size_t lockstep::reports::countVerdict(const Results &results, Verdict verdict) {
  return llvm::count_if(results.cells, [&](const CellResult &cell) { return cell.verdict == verdict; });
}
