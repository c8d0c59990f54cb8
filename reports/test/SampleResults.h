// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that the tests of the reports share: one cell of each kind that a report has to show.

#ifndef LOCKSTEP_REPORTS_TEST_SAMPLERESULTS_H
#define LOCKSTEP_REPORTS_TEST_SAMPLERESULTS_H

#include "reports/Results.h"

namespace lockstep::reports::test {

inline CellResult makeCell(std::string scenario, std::string lowering, std::string schedule, Verdict verdict,
                           std::string reason = "") {
  CellResult cell;
  cell.scenario = std::move(scenario);
  cell.lowering = std::move(lowering);
  cell.backend = "cuda";
  cell.driver = "sim";
  cell.schedule = std::move(schedule);
  cell.verdict = verdict;
  cell.reason = std::move(reason);
  cell.durationMs = 1.5;
  cell.repro = "lockstep run " + cell.scenario;
  return cell;
}

/// A cell of the verdict fail with one finding, a graph with a missing edge, and a timeline.
inline CellResult makeFailingCell() {
  CellResult cell = makeCell("a.mlir", "streams", "random", Verdict::Fail, "1 finding");
  cell.seed = 7;
  cell.findings.push_back({"order", "ORDER-1", "copy is not ordered behind fill", {"fill", "copy"}, cell.repro});
  cell.metrics["launch"] = {2.5, "us", {2, 3}};
  cell.graph =
      CellGraph{{{"fill", "fill", "a.mlir:3:1"}, {"copy", "copy", "a.mlir:4:1"}}, {{0, 1, EdgeState::Missing}}};
  cell.timeline = Timeline{"virtual",
                           {"stream 1", "stream 2"},
                           {{0, "fill", "cuMemsetD32Async", 0, 1500}, {1, "copy", "cuMemcpyAsync", 1000, 2250.5}},
                           {{0, 1, EdgeState::Missing}}};
  return cell;
}

inline Results sampleResults() {
  Results results;
  results.run.id = "r1";
  results.run.started = "2026-12-01T05:06:58Z";
  results.run.durationMs = 2500;
  results.run.command = "lockstep run a.mlir";
  results.run.git = GitDescription{"0123abc", true};
  results.run.host = {"machine", "Linux 6.1", "x86_64", "cpu", 2};
  results.run.drivers.push_back({"cuda", "sim", "libcuda.so.1", "13.0", true});
  results.run.devices.push_back({"cuda", "sim", 0, "Simulated"});
  results.cells.push_back(makeCell("a.mlir", "serial", "eager", Verdict::Pass));
  results.cells.push_back(makeFailingCell());
  return results;
}

} // namespace lockstep::reports::test

#endif // LOCKSTEP_REPORTS_TEST_SAMPLERESULTS_H
