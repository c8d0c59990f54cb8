// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/CellGroups.h"

#include "reports/CellOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lockstep::reports;

static size_t gravity(Verdict verdict) { return llvm::find(kVerdictsByGravity, verdict) - kVerdictsByGravity.begin(); }

/// `reason` with every hexadecimal number as "0x": addresses and handles differ from run to run.
static std::string withoutAddresses(llvm::StringRef reason) {
  std::string text;
  while (!reason.empty()) {
    size_t position = reason.find("0x");
    text += reason.take_front(position);
    if (position == llvm::StringRef::npos)
      break;
    text += "0x";
    reason = reason.drop_front(position + 2).drop_while(llvm::isHexDigit);
  }
  return text;
}

static bool isSameFault(const CellResult &left, const CellResult &right) {
  return left.scenario == right.scenario && left.backend == right.backend && left.lowering == right.lowering &&
         left.driver == right.driver && left.verdict == right.verdict &&
         withoutAddresses(left.reason) == withoutAddresses(right.reason);
}

std::vector<CellGroup> lockstep::reports::groupCells(const Results &results, bool (*isWanted)(Verdict)) {
  std::vector<CellGroup> groups;
  for (const CellResult &cell : results.cells) {
    if (!isWanted(cell.verdict))
      continue;
    // The cells of one fault may be apart: other schedules between them gave another reason.
    CellGroup *group = nullptr;
    for (CellGroup &known : llvm::reverse(groups)) {
      if (known.first->scenario != cell.scenario)
        break;
      if (isSameFault(*known.first, cell)) {
        group = &known;
        break;
      }
    }
    if (!group)
      group = &groups.emplace_back(CellGroup{&cell, {}});
    group->schedules.push_back(scheduleTitle(cell));
  }
  return groups;
}

/// The columns in the order of cells, whatever the scenario.
static std::vector<std::string> columnsOf(const Results &results) {
  std::vector<CellResult> heads;
  for (const CellResult &cell : results.cells) {
    CellResult head;
    head.backend = cell.backend;
    head.lowering = cell.lowering;
    if (llvm::none_of(heads, [&](const CellResult &other) { return compareCells(other, head) == 0; }))
      heads.push_back(std::move(head));
  }
  sortCells(heads);
  std::vector<std::string> columns;
  for (const CellResult &head : heads)
    columns.push_back(columnTitle(head));
  return columns;
}

Matrix lockstep::reports::makeMatrix(const Results &results) {
  Matrix matrix;
  matrix.columns = columnsOf(results);
  for (const CellResult &cell : results.cells) {
    if (matrix.rows.empty() || matrix.rows.back().scenario != cell.scenario)
      matrix.rows.push_back({cell.scenario, std::vector<MatrixPlace>(matrix.columns.size())});
    MatrixPlace &place =
        matrix.rows.back().places[llvm::find(matrix.columns, columnTitle(cell)) - matrix.columns.begin()];
    if (gravity(cell.verdict) > gravity(place.worst))
      place.worst = cell.verdict;
    place.passed += cell.verdict == Verdict::Pass;
    ++place.total;
  }
  return matrix;
}
