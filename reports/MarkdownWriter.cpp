// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every section has its share of the whole, and every text of unknown length a bound of its own, so that the sum of
// the shares bounds the report.

#include "reports/MarkdownWriter.h"

#include "reports/CellGroups.h"
#include "reports/CellOrder.h"
#include "reports/HtmlWriter.h"
#include "reports/MarkdownText.h"
#include "reports/PlainText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lockstep::reports;
using llvm::formatv;
using llvm::StringRef;

static constexpr size_t kRunBytesMax = 8000;
static constexpr size_t kMatrixBytesMax = 16000;
static constexpr size_t kFaultsBytesMax = 30000;
static constexpr size_t kExpectedBytesMax = 8000;
/// Headings, totals, and the counts of what was left out.
static constexpr size_t kFrameBytesMax = 3000;
static_assert(kRunBytesMax + kMatrixBytesMax + kFaultsBytesMax + kExpectedBytesMax + kFrameBytesMax <=
              kMarkdownBytesMax);

static constexpr size_t kNameBytesMax = 200;
static constexpr size_t kCommandBytesMax = 1000;
static constexpr size_t kFindingsBytesMax = 2000;
static constexpr size_t kFindingsMax = 3;
static constexpr size_t kSchedulesMax = 6;

static std::string shortName(StringRef name) { return cutText(plainText(name), kNameBytesMax); }

static std::string counted(size_t count, StringRef noun) {
  return formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s");
}

static std::string heading(const Results &results) {
  size_t total = results.cells.size();
  size_t failing = llvm::count_if(results.cells, [](const CellResult &cell) { return isUnexpected(cell.verdict); });
  if (total == 0)
    return "## Lockstep: no cells\n\n";
  if (failing == 0)
    return formatv("## Lockstep: {0} as expected\n\n", counted(total, "cell"));
  return formatv("## Lockstep: {0} of {1} {2} not as expected\n\n", failing, counted(total, "cell"),
                 failing == 1 ? "is" : "are");
}

static std::string totals(const Results &results) {
  std::string text =
      "A *cell* is one program, lowered in one way, on one backend, under one schedule of the device.\n\n"
      "| verdict | cells | says |\n|---|---:|---|\n";
  for (Verdict verdict : kAllVerdicts)
    if (size_t count = countVerdict(results, verdict))
      text += formatv("| {0} | {1} | {2} |\n", verdictName(verdict), count, verdictMeaning(verdict));
  return text + "\n";
}

static std::string runSection(const RunDescription &run) {
  BoundedText text(kRunBytesMax);
  auto row = [&](StringRef name, StringRef value) {
    if (!value.empty())
      text.append(formatv("| {0} | {1} |\n", name, codeSpan(cutText(value, kCommandBytesMax))).str());
  };
  text.append("<details><summary>What ran</summary>\n\n| | |\n|---|---|\n");
  row("command", run.command);
  if (run.git)
    row("commit", run.git->sha + (run.git->dirty ? ", with changes" : ""));
  row("started", run.started);
  row("duration", formatv("{0:F1} s", run.durationMs / 1000).str());
  row("machine", run.host.name + ", " + run.host.system + ", " + run.host.architecture + ", " + run.host.cpu);
  for (const DriverDescription &driver : run.drivers)
    row(driver.backend == "hip" ? "HIP driver" : "CUDA driver",
        (driver.simulated ? "simulated, " : "") + driver.path + ", version " + driver.version);
  for (const DeviceDescription &device : run.devices)
    row("device", device.name);
  // Its bound leaves room for this.
  return text.str() + "\n</details>\n\n";
}

static std::string placeText(const MatrixPlace &place) {
  if (place.total == 0)
    return "";
  std::string name = verdictName(place.worst).str();
  if (isUnexpected(place.worst))
    name = "**" + name + "**";
  return formatv("{0} {1}/{2}", name, place.passed, place.total);
}

static bool isFailing(const MatrixRow &row) {
  return llvm::any_of(row.places, [](const MatrixPlace &place) { return isUnexpected(place.worst); });
}

static std::string matrixSection(const Results &results) {
  Matrix matrix = makeMatrix(results);
  llvm::erase_if(matrix.rows, [](const MatrixRow &row) { return !isFailing(row); });
  if (matrix.rows.empty())
    return "";
  BoundedText table(kMatrixBytesMax);
  std::string head = "| program |", rule = "|---|";
  for (const std::string &column : matrix.columns) {
    head += " " + words(shortName(column)) + " |";
    rule += "---|";
  }
  size_t shown = 0;
  if (table.append(head + "\n" + rule + "\n"))
    for (const MatrixRow &row : matrix.rows) {
      std::string line = "| " + codeSpan(shortName(row.scenario)) + " |";
      for (const MatrixPlace &place : row.places)
        line += " " + placeText(place) + " |";
      if (!table.append(line + "\n"))
        break;
      ++shown;
    }
  std::string text =
      "### Programs that do not pass\n\nThe gravest verdict of each place, and how many schedules of how many "
      "passed.\n\n" +
      table.str();
  if (shown < matrix.rows.size())
    text += formatv("\n… and {0}.\n", counted(matrix.rows.size() - shown, "more program"));
  return text + "\n";
}

static std::string scheduleList(const CellGroup &group) {
  llvm::ArrayRef<std::string> shown = llvm::ArrayRef(group.schedules).take_front(kSchedulesMax);
  std::string text = llvm::join(shown, ", ");
  if (size_t rest = group.schedules.size() - shown.size())
    text += formatv(" and {0} more", rest);
  return shortName(text);
}

static std::string faultText(const CellGroup &group) {
  const CellResult &cell = *group.first;
  std::string text =
      formatv("#### {0}: {1}, {2}\n\nSchedules: {3}\n\n", verdictName(cell.verdict), codeSpan(shortName(cell.scenario)),
              words(shortName(columnTitle(cell))), words(scheduleList(group)));
  text += codeBlock(cutText(findingsText(cell, kFindingsMax), kFindingsBytesMax), "text");
  if (!cell.repro.empty())
    text += "To see it alone:\n" + codeBlock(cutText(plainText(cell.repro), kCommandBytesMax), "sh");
  return text + "\n";
}

static std::string faultsSection(const Results &results) {
  std::vector<CellGroup> groups = groupCells(results, isUnexpected);
  if (groups.empty())
    return "";
  BoundedText faults(kFaultsBytesMax);
  size_t shown = 0, cells = 0;
  for (const CellGroup &group : groups) {
    if (!faults.append(faultText(group)))
      break;
    ++shown;
  }
  for (const CellGroup &group : llvm::ArrayRef(groups).drop_front(shown))
    cells += group.schedules.size();
  std::string text = "### Findings\n\n" + faults.str();
  if (shown < groups.size())
    text += formatv("… and {0} in {1}: see {2}.\n\n", counted(groups.size() - shown, "more fault"),
                    counted(cells, "cell"), hasHtmlPage() ? "report.html" : "results.json");
  return text;
}

static std::string expectedSection(const Results &results) {
  std::vector<CellGroup> groups = groupCells(results, [](Verdict verdict) { return verdict == Verdict::XFail; });
  if (groups.empty())
    return "";
  BoundedText table(kExpectedBytesMax);
  table.append("| program | | why |\n|---|---|---|\n");
  size_t shown = 0;
  for (const CellGroup &group : groups) {
    std::string reason = cutText(plainText(group.first->reason), kNameBytesMax);
    if (!table.append(formatv("| {0} | {1} | {2} |\n", codeSpan(shortName(group.first->scenario)),
                              words(shortName(columnTitle(*group.first))), words(reason))
                          .str()))
      break;
    ++shown;
  }
  std::string text = "<details><summary>Wrong as expected</summary>\n\n" + table.str();
  if (shown < groups.size())
    text += formatv("\n… and {0} more.\n", groups.size() - shown);
  return text + "\n</details>\n";
}

std::string lockstep::reports::markdownReport(const Results &results) {
  std::string text = heading(results) + totals(results) + matrixSection(results) + faultsSection(results) +
                     expectedSection(results) + runSection(results.run);
  // Where configuration said so, the launcher has put it into a log.
  if (!hasHtmlPage())
    text +=
        "There is no report.html: this build of Lockstep was configured without, or npm was missing or could not fetch "
        "its libraries.\n";
  return llvm::StringRef(text).rtrim('\n').str() + "\n";
}
