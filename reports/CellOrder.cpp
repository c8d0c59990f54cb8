// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/CellOrder.h"

#include "llvm/ADT/STLExtras.h"

using namespace lockstep::reports;
using llvm::StringRef;

/// Where a lowering stands among the known ones; others come behind, by name.
static size_t loweringRank(StringRef name) {
  static constexpr llvm::StringLiteral known[] = {"serial", "streams", "graph", "capture", "upstream"};
  return llvm::find(known, name) - std::begin(known);
}

/// Numbers as numbers first: "width=8" before "width=16". Texts that differ in leading zeros only are told apart.
static int compareText(StringRef left, StringRef right) {
  if (int order = left.compare_numeric(right))
    return order;
  return left.compare(right);
}

template <typename T> static int compareValue(const T &left, const T &right) {
  return left < right ? -1 : right < left ? 1 : 0;
}

int lockstep::reports::compareCells(const CellResult &left, const CellResult &right) {
  if (int order = compareText(left.scenario, right.scenario))
    return order;
  if (int order = compareText(left.backend, right.backend))
    return order;
  if (int order = compareText(left.driver, right.driver))
    return order;
  if (int order = compareValue(loweringRank(left.lowering), loweringRank(right.lowering)))
    return order;
  if (int order = compareText(left.lowering, right.lowering))
    return order;
  if (int order = compareText(left.schedule, right.schedule))
    return order;
  return compareValue(left.seed, right.seed);
}

void lockstep::reports::sortCells(std::vector<CellResult> &cells) {
  llvm::sort(cells, [](const CellResult &left, const CellResult &right) { return compareCells(left, right) < 0; });
}

std::string lockstep::reports::scheduleTitle(const CellResult &cell) {
  std::string title = cell.schedule == "-" ? "device" : cell.schedule;
  if (cell.seed)
    title += " seed " + std::to_string(*cell.seed);
  if (cell.driver != "sim")
    title += " driver " + cell.driver;
  return title;
}

std::string lockstep::reports::columnTitle(const CellResult &cell) { return cell.backend + " " + cell.lowering; }
