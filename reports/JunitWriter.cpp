// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/JunitWriter.h"

#include "reports/CellOrder.h"
#include "reports/PlainText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace lockstep::reports;
using llvm::raw_ostream;
using llvm::StringRef;

/// GitLab refuses files above 30 MB; the rest of a cell's findings is in results.json.
static constexpr size_t kFindingsMax = 20;
static constexpr size_t kMessageBytesMax = 300;

static std::string escapeXml(StringRef text, bool isAttribute) {
  std::string escaped;
  for (char c : plainText(text)) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    case '\n':
    case '\t':
      // As they are, a reader turns them into blanks in an attribute.
      escaped += isAttribute ? (c == '\n' ? "&#10;" : "&#9;") : std::string(1, c);
      break;
    default:
      escaped += c;
    }
  }
  return escaped;
}

static std::string attribute(StringRef name, StringRef value) {
  return (" " + name + "=\"").str() + escapeXml(value, /*isAttribute=*/true) + "\"";
}

/// Jenkins' schema takes three digits behind the point and no exponent.
static std::string secondsText(double milliseconds) { return llvm::formatv("{0:F3}", milliseconds / 1000).str(); }

namespace {

enum class Outcome { Passed, Failure, Error, Skipped };

struct Counts {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double durationMs = 0;
};

} // namespace

static Outcome outcomeOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Pass:
    return Outcome::Passed;
  case Verdict::Fail:
  case Verdict::XPass:
    return Outcome::Failure;
  case Verdict::Error:
  case Verdict::Crash:
  case Verdict::Timeout:
    return Outcome::Error;
  case Verdict::Skip:
  case Verdict::XFail:
    return Outcome::Skipped;
  }
  return Outcome::Error;
}

static Counts countCells(llvm::ArrayRef<CellResult> cells) {
  Counts counts;
  for (const CellResult &cell : cells) {
    Outcome outcome = outcomeOf(cell.verdict);
    ++counts.tests;
    counts.failures += outcome == Outcome::Failure;
    counts.errors += outcome == Outcome::Error;
    counts.skipped += outcome == Outcome::Skipped;
    counts.durationMs += cell.durationMs;
  }
  return counts;
}

static std::string countAttributes(const Counts &counts) {
  return llvm::formatv(" tests=\"{0}\" failures=\"{1}\" errors=\"{2}\"", counts.tests, counts.failures, counts.errors);
}

/// Jenkins keeps the first failure of a test case only, and GitLab shows the text but not the message, so one element
/// holds everything.
static void writeOutcome(const CellResult &cell, raw_ostream &stream) {
  std::string message = std::string(verdictName(cell.verdict)) + ": " + cell.reason;
  message = attribute("message", cutText(plainText(message), kMessageBytesMax));
  Outcome outcome = outcomeOf(cell.verdict);
  if (outcome == Outcome::Skipped) {
    stream << "<skipped" << message << "/>\n";
    return;
  }
  StringRef element = outcome == Outcome::Failure ? "failure" : "error";
  std::string type = cell.findings.empty() ? verdictName(cell.verdict).str() : cell.findings.front().oracle;
  stream << "<" << element << message << attribute("type", type) << ">"
         << escapeXml(findingsText(cell, kFindingsMax), /*isAttribute=*/false);
  if (!cell.repro.empty())
    stream << "\nto see it alone: " << escapeXml(cell.repro, /*isAttribute=*/false);
  stream << "</" << element << ">\n";
}

static void writeCase(const CellResult &cell, raw_ostream &stream) {
  stream << "<testcase" << attribute("classname", cell.backend + "." + cell.lowering)
         << attribute("name", cell.scenario + ", " + scheduleTitle(cell)) << " time=\"" << secondsText(cell.durationMs)
         << "\"";
  if (cell.verdict == Verdict::Pass) {
    stream << "/>\n";
    return;
  }
  stream << ">\n";
  writeOutcome(cell, stream);
  if (!cell.repro.empty())
    stream << "<system-out>" << escapeXml(cell.repro, /*isAttribute=*/false) << "</system-out>\n";
  stream << "</testcase>\n";
}

static void writeProperties(const RunDescription &run, raw_ostream &stream) {
  auto property = [&](StringRef name, StringRef value) {
    stream << "<property" << attribute("name", name) << attribute("value", value) << "/>\n";
  };
  stream << "<properties>\n";
  property("run", run.id);
  property("command", run.command);
  if (run.git)
    property("commit", run.git->sha + (run.git->dirty ? " with changes" : ""));
  property("system", run.host.system + " " + run.host.architecture);
  property("cpu", run.host.cpu);
  for (const DriverDescription &driver : run.drivers)
    property("driver." + driver.backend, driver.driver + " " + driver.version);
  for (const DeviceDescription &device : run.devices)
    property("device." + device.backend + "." + std::to_string(device.index), device.name);
  stream << "</properties>\n";
}

/// "2026-12-01T05:06:58": the schema has no time zone.
static StringRef timestamp(const RunDescription &run) { return StringRef(run.started).rtrim('Z'); }

static void writeSuite(const RunDescription &run, llvm::ArrayRef<CellResult> cells, raw_ostream &stream) {
  Counts counts = countCells(cells);
  stream << "<testsuite" << attribute("name", cells.front().scenario) << countAttributes(counts) << " skipped=\""
         << counts.skipped << "\" time=\"" << secondsText(counts.durationMs) << "\"";
  if (!run.started.empty())
    stream << attribute("timestamp", timestamp(run));
  if (!run.host.name.empty())
    stream << attribute("hostname", run.host.name);
  stream << ">\n";
  writeProperties(run, stream);
  for (const CellResult &cell : cells)
    writeCase(cell, stream);
  stream << "</testsuite>\n";
}

void lockstep::reports::writeJunitXml(const Results &results, raw_ostream &stream) {
  stream << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         << "<testsuites name=\"lockstep\"" << countAttributes(countCells(results.cells)) << " time=\""
         << secondsText(results.run.durationMs) << "\">\n";
  llvm::ArrayRef<CellResult> rest = results.cells;
  while (!rest.empty()) {
    llvm::ArrayRef<CellResult> suite =
        rest.take_while([&](const CellResult &cell) { return cell.scenario == rest.front().scenario; });
    writeSuite(results.run, suite, stream);
    rest = rest.drop_front(suite.size());
  }
  stream << "</testsuites>\n";
}
