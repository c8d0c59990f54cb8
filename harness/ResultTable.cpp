// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ResultTable.h"

#include "harness/TextWidth.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lockstep::harness;
using namespace lockstep::reports;
using llvm::StringRef;

/// Of a cell with more findings the rest is in results.json only.
static constexpr size_t kFindingsShownMax = 3;

/// From harmless to grave: a place in the table shows the gravest of its cells.
static constexpr Verdict kByGravity[] = {Verdict::Pass, Verdict::XFail, Verdict::Skip,    Verdict::XPass,
                                         Verdict::Fail, Verdict::Error, Verdict::Timeout, Verdict::Crash};

char lockstep::harness::verdictLetter(Verdict verdict) {
  switch (verdict) {
  case Verdict::Pass:
    return '.';
  case Verdict::Fail:
    return 'F';
  case Verdict::Error:
    return 'E';
  case Verdict::Crash:
    return 'C';
  case Verdict::Timeout:
    return 'T';
  case Verdict::Skip:
    return 's';
  case Verdict::XFail:
    return 'x';
  case Verdict::XPass:
    return 'X';
  }
  return '?';
}

static size_t gravity(Verdict verdict) {
  for (size_t i = 0; i < std::size(kByGravity); ++i)
    if (kByGravity[i] == verdict)
      return i;
  return 0;
}

namespace {
struct Place {
  Verdict worst = Verdict::Pass;
  size_t passed = 0;
  size_t total = 0;
};
} // namespace

static std::string placeText(const Place &place) {
  if (place.total == 0)
    return "";
  return std::string(1, verdictLetter(place.worst)) + " " + std::to_string(place.passed) + "/" +
         std::to_string(place.total);
}

namespace {

/// Rows of scenarios and columns of backend and lowering, with what the cells of each place came to.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::string> names; ///< Of the rows; a shard may leave scenarios out.
  std::vector<std::vector<Place>> rows;
};

} // namespace

static Table makeTable(const CellMatrix &matrix, const Results &results) {
  Table table;
  for (const Target &target : llvm::ArrayRef(matrix.targets).take_front(matrix.visibleTargetCount))
    for (const std::string &lowering : matrix.lowerings)
      table.columns.push_back(target.backend + " " + lowering);
  std::vector<std::vector<Place>> places(matrix.scenarios.size(), std::vector<Place>(table.columns.size()));
  for (size_t i = 0; i < matrix.visibleCount; ++i) {
    const Cell &cell = matrix.cells[i];
    size_t lowering = llvm::find(matrix.lowerings, cell.lowering) - matrix.lowerings.begin();
    Place &place = places[cell.scenario][cell.target * matrix.lowerings.size() + lowering];
    Verdict verdict = results.cells[i].verdict;
    if (gravity(verdict) > gravity(place.worst))
      place.worst = verdict;
    place.passed += verdict == Verdict::Pass;
    ++place.total;
  }
  for (size_t scenario = 0; scenario < places.size(); ++scenario) {
    if (llvm::all_of(places[scenario], [](const Place &place) { return place.total == 0; }))
      continue;
    table.names.push_back(displayText(matrix.scenarios[scenario].name));
    table.rows.push_back(std::move(places[scenario]));
  }
  return table;
}

/// Prints rows of texts in columns; gives nothing where a line would be wider than `widthMax` (0: no limit).
static std::optional<std::string> alignedText(llvm::ArrayRef<std::vector<std::string>> rows, size_t widthMax) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], displayWidth(row[i]));
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += padded(row[i], widths[i]) + "  ";
    line = StringRef(line).rtrim().str();
    if (widthMax != 0 && displayWidth(line) > widthMax)
      return std::nullopt;
    text += line + '\n';
  }
  return text;
}

static std::string wideText(const Table &table, size_t widthMax) {
  std::vector<std::vector<std::string>> rows = {{"scenario"}};
  llvm::append_range(rows.front(), table.columns);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    rows.push_back({table.names[i]});
    for (const Place &place : table.rows[i])
      rows.back().push_back(placeText(place));
  }
  return alignedText(rows, widthMax).value_or("");
}

/// One character for each place, under a letter for each column; what the letters mean is below, in lines as wide as
/// the rest may be.
static std::string narrowText(const Table &table, size_t widthMax) {
  auto letter = [](size_t column) {
    return column < 26 ? std::string(1, static_cast<char>('a' + column)) : std::to_string(column);
  };
  std::vector<std::vector<std::string>> rows = {{"scenario"}};
  for (size_t i = 0; i < table.columns.size(); ++i)
    rows.front().push_back(letter(i));
  for (size_t i = 0; i < table.rows.size(); ++i) {
    rows.push_back({table.names[i]});
    for (const Place &place : table.rows[i])
      rows.back().push_back(place.total == 0 ? "" : std::string(1, verdictLetter(place.worst)));
  }
  std::string text = *alignedText(rows, 0);
  std::string line;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    std::string column = letter(i) + ": " + table.columns[i];
    if (!line.empty() && line.size() + 2 + column.size() > widthMax) {
      text += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + column;
  }
  return text + line + '\n';
}

void lockstep::harness::printResultTable(const CellMatrix &matrix, const Results &results, llvm::raw_ostream &stream,
                                         size_t widthMax) {
  // An empty shard: the summary says so.
  if (results.cells.empty())
    return;
  Table table = makeTable(matrix, results);
  std::string text = wideText(table, widthMax);
  bool isWide = !text.empty();
  stream << (isWide ? text : narrowText(table, widthMax));
  std::string legend;
  for (Verdict verdict : kAllVerdicts)
    if (countVerdict(results, verdict) != 0)
      legend += llvm::formatv("{0}{1} {2}", legend.empty() ? "" : ", ", verdictLetter(verdict), verdictName(verdict));
  stream << "(" << legend << "; the worst of the cells"
         << (isWide ? ", then how many passed of how many schedules)\n" : ")\n");
}

void lockstep::harness::printExpectedFindings(const Results &results, llvm::raw_ostream &stream) {
  std::string last;
  for (const CellResult &cell : results.cells) {
    if (cell.verdict != Verdict::XFail)
      continue;
    // Of one program and lowering the first: the other schedules show the same fault.
    std::string place = displayText(cell.scenario) + ", " + cell.backend + " " + cell.lowering;
    if (place == last)
      continue;
    stream << (last.empty() ? "\n" : "") << "xfail  " << place << ": " << cell.reason << '\n';
    last = std::move(place);
  }
}

static void printIndented(StringRef text, StringRef indent, llvm::raw_ostream &stream) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    stream << indent << line << '\n';
}

static void printCell(const CellResult &cell, llvm::raw_ostream &stream) {
  stream << '\n'
         << verdictName(cell.verdict) << "  " << displayText(cell.scenario) << ", " << cell.backend << " "
         << cell.lowering << ", " << cell.schedule;
  if (cell.seed)
    stream << " seed " << *cell.seed;
  stream << '\n';
  if (cell.findings.empty())
    printIndented(cell.reason, "  ", stream);
  for (size_t i = 0; i < cell.findings.size() && i < kFindingsShownMax; ++i) {
    const Finding &finding = cell.findings[i];
    std::string label = "[" + finding.oracle + (finding.rule.empty() ? "" : " " + finding.rule) + "] ";
    printIndented(label + finding.message, "  ", stream);
  }
  if (cell.findings.size() > kFindingsShownMax)
    stream << "  … and " << cell.findings.size() - kFindingsShownMax << " more findings\n";
}

void lockstep::harness::printFindings(const Results &results, llvm::raw_ostream &stream) {
  const CellResult *shown = nullptr;
  size_t more = 0;
  auto finish = [&] {
    if (more != 0)
      stream << "  the same in " << more << (more == 1 ? " more schedule\n" : " more schedules\n");
    if (shown && !shown->repro.empty())
      stream << "  to see it alone: " << shown->repro << '\n';
    more = 0;
  };
  for (const CellResult &cell : results.cells) {
    if (!isUnexpected(cell.verdict))
      continue;
    if (shown && shown->scenario == cell.scenario && shown->lowering == cell.lowering &&
        shown->backend == cell.backend && shown->verdict == cell.verdict && shown->reason == cell.reason) {
      ++more;
      continue;
    }
    finish();
    shown = &cell;
    printCell(cell, stream);
  }
  finish();
}

void lockstep::harness::printSummary(const Results &results, double seconds, llvm::raw_ostream &stream) {
  std::string counts;
  for (Verdict verdict : kAllVerdicts)
    if (size_t count = countVerdict(results, verdict))
      counts += llvm::formatv("{0}{1} {2}", counts.empty() ? "" : ", ", count, verdictName(verdict));
  size_t total = results.cells.size();
  if (total == 0) {
    stream << "0 cells: this shard is empty, for there are fewer pairs of program and lowering than shards\n";
    return;
  }
  stream << total << (total == 1 ? " cell: " : " cells: ") << counts << " in " << llvm::formatv("{0:F1}", seconds)
         << " s\n";
}
