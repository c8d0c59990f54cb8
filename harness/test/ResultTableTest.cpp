// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ResultTable.h"
#include "harness/Progress.h"
#include "harness/TextWidth.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::reports;
using testing::HasSubstr;
using testing::Not;

static CellMatrix sampleMatrix() {
  return makeCellMatrix({{"long/name.mlir", "n", 1}, {"s.mlir", "s", 1}}, {{"cuda", "sim", "lib", true}}, 1,
                        {"serial", "streams"}, llvm::cantFail(parseSchedules("eager,random:2")), {});
}

static Results sampleResults(const CellMatrix &matrix) {
  Results results;
  for (const Cell &cell : matrix.cells) {
    CellResult result;
    result.scenario = matrix.scenarios[cell.scenario].name;
    result.lowering = cell.lowering;
    result.backend = "cuda";
    result.schedule = cell.schedule.name();
    result.seed = cell.schedule.optionalSeed();
    result.verdict = Verdict::Pass;
    result.repro = "lockstep run " + result.scenario + " " + cell.schedule.optionText();
    results.cells.push_back(result);
  }
  return results;
}

template <typename Function> static std::string textOf(Function print) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  return text;
}

TEST(ResultTable, ShowsTheWorstVerdictAndCountsPasses) {
  CellMatrix matrix = sampleMatrix();
  Results results = sampleResults(matrix);
  results.cells[4].verdict = Verdict::Fail;
  results.cells[5].verdict = Verdict::Crash;
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printResultTable(matrix, results, stream); }),
            "scenario        cuda serial  cuda streams\n"
            "long/name.mlir  . 3/3        C 1/3\n"
            "s.mlir          . 3/3        . 3/3\n"
            "(. pass, F fail, C crash; the worst of the cells, then how many passed of how many schedules)\n");
}

TEST(ResultTable, ANarrowTerminalGetsOneLetterAPlace) {
  CellMatrix matrix = sampleMatrix();
  Results results = sampleResults(matrix);
  results.cells[4].verdict = Verdict::Fail;
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printResultTable(matrix, results, stream, 30); }),
            "scenario        a  b\n"
            "long/name.mlir  .  F\n"
            "s.mlir          .  .\n"
            "a: cuda serial\n"
            "b: cuda streams\n"
            "(. pass, F fail; the worst of the cells)\n");
  EXPECT_THAT(textOf([&](llvm::raw_ostream &stream) { printResultTable(matrix, results, stream, 41); }),
              HasSubstr("cuda serial  cuda streams\n"));
}

TEST(ResultTable, WhatIsExpectedIsNamedOnceForAProgramAndLowering) {
  CellMatrix matrix = sampleMatrix();
  Results results = sampleResults(matrix);
  for (size_t i : {3, 4, 9}) {
    results.cells[i].verdict = Verdict::XFail;
    results.cells[i].reason = "W3: destroyed";
  }
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printExpectedFindings(results, stream); }),
            "\nxfail  long/name.mlir, cuda streams: W3: destroyed\n"
            "xfail  s.mlir, cuda streams: W3: destroyed\n");
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printFindings(results, stream); }), "");
}

TEST(ResultTable, FindingsCarryTheReproAndEqualOnesAreCounted) {
  CellMatrix matrix = sampleMatrix();
  Results results = sampleResults(matrix);
  for (size_t i : {3, 4, 5}) {
    results.cells[i].verdict = Verdict::Fail;
    results.cells[i].reason = i == 3 ? "other" : "same";
    results.cells[i].findings.push_back({"values", "EXPECT-1", results.cells[i].reason, {}, {}});
  }
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printFindings(results, stream); }),
            "\nfail  long/name.mlir, cuda streams, eager\n"
            "  [values EXPECT-1] other\n"
            "  to see it alone: lockstep run long/name.mlir eager\n"
            "\nfail  long/name.mlir, cuda streams, random seed 1\n"
            "  [values EXPECT-1] same\n"
            "  the same in 1 more schedule\n"
            "  to see it alone: lockstep run long/name.mlir random:1:1\n");
}

TEST(ResultTable, SummaryCountsVerdicts) {
  Results results = sampleResults(sampleMatrix());
  results.cells[0].verdict = Verdict::Timeout;
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printSummary(results, 1.25, stream); }),
            "12 cells: 11 pass, 1 timeout in 1.2 s\n");
}

TEST(ResultTable, AnEmptyShardIsOneLine) {
  CellMatrix matrix = sampleMatrix();
  matrix.cells.clear();
  matrix.visibleCount = 0;
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printResultTable(matrix, {}, stream); }), "");
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printSummary({}, 1, stream); }),
            "0 cells: this shard is empty, for there are fewer pairs of program and lowering than shards\n");
}

TEST(ResultTable, ColumnsAreAsWideAsATerminalShowsThem) {
  CellMatrix matrix =
      makeCellMatrix({{"größe.mlir", "a", 1}, {"日本.mlir", "b", 1}, {"a\nb.mlir", "c", 1}},
                     {{"cuda", "sim", "lib", true}}, 1, {"serial"}, llvm::cantFail(parseSchedules("eager")), {});
  EXPECT_EQ(textOf([&](llvm::raw_ostream &stream) { printResultTable(matrix, sampleResults(matrix), stream); }),
            "scenario    cuda serial\n"
            "größe.mlir  . 1/1\n"
            "日本.mlir   . 1/1\n"
            "a?b.mlir    . 1/1\n"
            "(. pass; the worst of the cells, then how many passed of how many schedules)\n");
}

TEST(TextWidth, BytesThatAreNoTextCountOneEach) {
  EXPECT_EQ(displayWidth("\xff\xfe"), 2u);
  EXPECT_EQ(padded("\xff", 3), "\xff  ");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Progress, SaysHowFarAndHowLong) {
  EXPECT_EQ(Progress::text(0, 10, 0, 5), "0/10 cells");
  EXPECT_EQ(Progress::text(5, 10, 2, 5), "5/10 cells, 2 failing, 5 s left");
  EXPECT_THAT(Progress::text(10, 10, 0, 5), Not(HasSubstr("left")));
}
