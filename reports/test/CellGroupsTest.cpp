// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/CellGroups.h"
#include "reports/CellOrder.h"
#include "reports/test/SampleResults.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using testing::ElementsAre;

static std::vector<std::string> sortedNames(std::vector<CellResult> cells) {
  sortCells(cells);
  std::vector<std::string> names;
  for (const CellResult &cell : cells)
    names.push_back(cell.scenario + " " + cell.lowering + " " + scheduleTitle(cell));
  return names;
}

TEST(CellOrder, NumbersCountAsNumbersAndTheReferenceComesFirst) {
  EXPECT_THAT(sortedNames({makeCell("f(width=16)", "serial", "eager", Verdict::Pass),
                           makeCell("f(width=8)", "mine", "eager", Verdict::Pass),
                           makeCell("f(width=8)", "capture", "eager", Verdict::Pass),
                           makeCell("f(width=8)", "graph", "eager", Verdict::Pass),
                           makeCell("f(width=8)", "serial", "lazy", Verdict::Pass),
                           makeCell("f(width=8)", "serial", "eager", Verdict::Pass)}),
              ElementsAre("f(width=8) serial eager", "f(width=8) serial lazy", "f(width=8) graph eager",
                          "f(width=8) capture eager", "f(width=8) mine eager", "f(width=16) serial eager"));
}

TEST(CellOrder, EachPartOfTheKeyCounts) {
  const CellResult cell = makeFailingCell();
  EXPECT_EQ(compareCells(cell, cell), 0);
  auto differs = [&](auto change) {
    CellResult other = cell;
    change(other);
    return compareCells(cell, other) != 0 && compareCells(cell, other) == -compareCells(other, cell);
  };
  EXPECT_TRUE(differs([](CellResult &other) { other.scenario = "b.mlir"; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.scenario = "a.mlir0"; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.backend = "hip"; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.driver = "real"; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.lowering = "serial"; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.schedule = "lazy"; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.seed = 8; }));
  EXPECT_TRUE(differs([](CellResult &other) { other.seed.reset(); }));
  EXPECT_FALSE(differs([](CellResult &other) { other.verdict = Verdict::Pass; }));
}

TEST(CellOrder, ARealDriverIsPartOfTheTitle) {
  CellResult cell = makeFailingCell();
  EXPECT_EQ(scheduleTitle(cell), "random seed 7");
  cell.driver = "real";
  cell.schedule = "-";
  cell.seed.reset();
  EXPECT_EQ(scheduleTitle(cell), "device driver real");
}

TEST(CellGroups, OneFaultIsOneGroupWhateverTheSchedule) {
  Results results;
  results.cells = {makeCell("a", "serial", "eager", Verdict::Fail, "one"),
                   makeCell("a", "serial", "lazy", Verdict::Fail, "two"),
                   makeCell("a", "serial", "parallel", Verdict::Fail, "one"),
                   makeCell("a", "serial", "random", Verdict::Pass),
                   makeCell("a", "streams", "eager", Verdict::Fail, "one"),
                   makeCell("b", "serial", "eager", Verdict::Fail, "one")};
  std::vector<CellGroup> groups = groupCells(results, isUnexpected);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].first, &results.cells[0]);
  EXPECT_THAT(groups[0].schedules, ElementsAre("eager", "parallel"));
  EXPECT_THAT(groups[1].schedules, ElementsAre("lazy"));
  EXPECT_EQ(groups[2].first, &results.cells[4]);
  EXPECT_EQ(groups[3].first, &results.cells[5]);
}

TEST(CellGroups, AddressesMakeNoDifference) {
  Results results;
  results.cells = {makeCell("a", "serial", "eager", Verdict::Fail, "0x4c05 was destroyed, not 0x1"),
                   makeCell("a", "serial", "lazy", Verdict::Fail, "0x4c0f00 was destroyed, not 0x2"),
                   makeCell("a", "serial", "parallel", Verdict::Fail, "0x4c05 was leaked, not 0x1")};
  std::vector<CellGroup> groups = groupCells(results, isUnexpected);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].schedules, ElementsAre("eager", "lazy"));
}

TEST(CellGroups, AMatrixShowsTheGravestVerdict) {
  Results results;
  results.cells = {makeCell("a", "streams", "eager", Verdict::Pass), makeCell("a", "streams", "lazy", Verdict::Crash),
                   makeCell("a", "streams", "parallel", Verdict::Fail),
                   makeCell("b", "serial", "eager", Verdict::XFail)};
  Matrix matrix = makeMatrix(results);
  EXPECT_THAT(matrix.columns, ElementsAre("cuda serial", "cuda streams"));
  ASSERT_EQ(matrix.rows.size(), 2u);
  EXPECT_EQ(matrix.rows[0].places[0].total, 0u);
  EXPECT_EQ(matrix.rows[0].places[1].worst, Verdict::Crash);
  EXPECT_EQ(matrix.rows[0].places[1].passed, 1u);
  EXPECT_EQ(matrix.rows[0].places[1].total, 3u);
  EXPECT_EQ(matrix.rows[1].places[0].worst, Verdict::XFail);
}
