// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/Results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

llvm::StringRef lockstep::reports::verdictMeaning(Verdict verdict) {
  static constexpr std::array<llvm::StringLiteral, kAllVerdicts.size()> meanings = {
      "everything that was checked is as it must be",
      "the program came to its end, and something is wrong",
      "the program could not be run: it cannot be lowered, or something is missing",
      "the program's process died",
      "the program did not come to its end in time",
      "not run",
      "wrong in the way that is recorded and expected",
      "recorded as wrong, but the fault did not show: the record is no longer true"};
  return meanings[static_cast<size_t>(verdict)];
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

static constexpr llvm::StringLiteral kEdgeStateNames[] = {"enforced", "missing", "extra"};

llvm::StringRef lockstep::reports::edgeStateName(EdgeState state) {
  return kEdgeStateNames[static_cast<size_t>(state)];
}

std::optional<EdgeState> lockstep::reports::edgeStateFromName(llvm::StringRef name) {
  const auto *found = llvm::find(kEdgeStateNames, name);
  if (found == std::end(kEdgeStateNames))
    return std::nullopt;
  return static_cast<EdgeState>(found - std::begin(kEdgeStateNames));
}

std::string lockstep::reports::fileStem(const CellResult &cell) {
  auto plain = [](std::string text) {
    for (char &c : text)
      if (!llvm::isAlnum(c) && c != '.' && c != '-')
        c = '_';
    return text;
  };
  std::string schedule = cell.schedule == "-" ? "device" : cell.schedule;
  if (cell.seed)
    schedule += "-" + std::to_string(*cell.seed);
  return plain(cell.scenario) + "/" + plain(cell.backend + "-" + cell.lowering + "-" + schedule);
}

size_t lockstep::reports::countVerdict(const Results &results, Verdict verdict) {
  return llvm::count_if(results.cells, [&](const CellResult &cell) { return cell.verdict == verdict; });
}
