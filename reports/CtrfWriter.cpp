// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/CtrfWriter.h"

#include "reports/CellOrder.h"
#include "reports/PlainText.h"
#include "reports/RunTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace lockstep::reports;
using llvm::StringRef;
using llvm::json::OStream;

static constexpr size_t kFindingsMax = 20;

static constexpr llvm::StringLiteral kStatuses[] = {"passed", "failed", "skipped", "pending", "other"};

/// A cell that is wrong as expected is neither passed nor failed; `rawStatus` has the verdict.
static StringRef statusOf(Verdict verdict) {
  if (verdict == Verdict::Pass)
    return "passed";
  if (verdict == Verdict::Skip)
    return "skipped";
  return isUnexpected(verdict) ? "failed" : "other";
}

static void writeSummary(const Results &results, OStream &json) {
  json.attribute("tests", results.cells.size());
  for (StringRef status : kStatuses)
    json.attribute(status, llvm::count_if(results.cells,
                                          [&](const CellResult &cell) { return statusOf(cell.verdict) == status; }));
  int64_t start = startMs(results.run);
  int64_t duration = std::llround(results.run.durationMs);
  json.attribute("start", start);
  json.attribute("stop", start + duration);
  json.attribute("duration", duration);
}

static void writeExtra(const CellResult &cell, OStream &json) {
  json.attribute("repro", plainText(cell.repro));
  json.attributeArray("findings", [&] {
    for (const Finding &finding : llvm::ArrayRef(cell.findings).take_front(kFindingsMax))
      json.object([&] {
        json.attribute("oracle", plainText(finding.oracle));
        json.attribute("rule", plainText(finding.rule));
        json.attribute("message", plainText(finding.message));
      });
  });
}

static void writeTest(const CellResult &cell, OStream &json) {
  json.attribute("name", plainText(cell.scenario + ", " + columnTitle(cell) + ", " + scheduleTitle(cell)));
  json.attribute("status", statusOf(cell.verdict));
  json.attribute("rawStatus", verdictName(cell.verdict));
  json.attribute("duration", std::llround(cell.durationMs));
  json.attributeArray("suite", [&] {
    json.value(plainText(cell.scenario));
    json.value(plainText(columnTitle(cell)));
  });
  if (!cell.reason.empty())
    json.attribute("message", plainText(cell.reason));
  if (isUnexpected(cell.verdict))
    json.attribute("trace", findingsText(cell, kFindingsMax));
  json.attributeObject("parameters", [&] {
    json.attribute("backend", plainText(cell.backend));
    json.attribute("driver", plainText(cell.driver));
    json.attribute("lowering", plainText(cell.lowering));
    json.attribute("schedule", plainText(cell.schedule));
    if (cell.seed)
      json.attribute("seed", *cell.seed);
  });
  if (cell.verdict != Verdict::Pass)
    json.attributeObject("extra", [&] { writeExtra(cell, json); });
}

static void writeEnvironment(const RunDescription &run, OStream &json) {
  json.attribute("reportName", plainText(run.id));
  json.attribute("appName", "lockstep");
  if (run.git)
    json.attribute("commit", plainText(run.git->sha));
  json.attribute("osPlatform", "linux");
  json.attribute("osRelease", plainText(run.host.system));
  json.attributeObject("extra", [&] {
    json.attribute("command", plainText(run.command));
    json.attribute("host", plainText(run.host.name));
    json.attributeObject("drivers", [&] {
      for (const DriverDescription &driver : run.drivers)
        json.attribute(plainText(driver.backend + " " + driver.driver), plainText(driver.version));
    });
  });
}

void lockstep::reports::writeCtrfJson(const Results &results, llvm::raw_ostream &stream) {
  OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("reportFormat", "CTRF");
    json.attribute("specVersion", "0.0.0");
    json.attribute("generatedBy", "lockstep");
    json.attributeObject("results", [&] {
      json.attributeObject("tool", [&] { json.attribute("name", "lockstep"); });
      json.attributeObject("summary", [&] { writeSummary(results, json); });
      json.attributeArray("tests", [&] {
        for (const CellResult &cell : results.cells)
          json.object([&] { writeTest(cell, json); });
      });
      json.attributeObject("environment", [&] { writeEnvironment(results.run, json); });
    });
  });
  stream << '\n';
}
