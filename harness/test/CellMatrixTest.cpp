// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/CellMatrix.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace lockstep::harness;

static const Target kSimulated{"cuda", "sim", "/lib/libcuda.so.1", true};
static const Target kReal{"cuda", "real", "libcuda.so.1", false};

static CellMatrix make(std::vector<Scenario> scenarios, const Target &target, std::vector<std::string> lowerings,
                       llvm::StringRef schedules, Shard shard = {}) {
  return makeCellMatrix(std::move(scenarios), {target}, 1, std::move(lowerings),
                        llvm::cantFail(parseSchedules(schedules)), shard);
}

static size_t cellCount(const std::vector<JobRequest> &jobs) {
  size_t count = 0;
  for (const JobRequest &job : jobs)
    count += job.cells.size();
  return count;
}

TEST(CellMatrix, CombinesEverythingInAStableOrder) {
  CellMatrix matrix = make({{"a", "a", 1}, {"b", "b", 1}}, kSimulated, {"serial", "streams"}, "eager,random:2");
  ASSERT_EQ(matrix.visibleCount, 12u);
  EXPECT_EQ(matrix.cells.size(), 12u);
  EXPECT_EQ(matrix.cells[3].lowering, "streams");
  EXPECT_EQ(matrix.cells[4].schedule.driverText(), "random:1");
  EXPECT_EQ(matrix.cells[6].scenario, 1u);
}

TEST(CellMatrix, ARealDriverHasOneCellWithoutSchedule) {
  CellMatrix matrix = make({{"a", "a", 1}}, kReal, {"serial", "streams"}, "eager,lazy");
  ASSERT_EQ(matrix.visibleCount, 2u);
  EXPECT_EQ(matrix.cells[0].schedule.name(), "-");
}

TEST(CellMatrix, ShardsPartitionTheCells) {
  std::multiset<std::tuple<size_t, std::string, std::string>> all;
  for (size_t index = 1; index <= 3; ++index) {
    CellMatrix part = make({{"a", "a", 1}, {"b", "b", 1}}, kSimulated, {"serial", "streams"}, "eager,lazy", {index, 3});
    for (const Cell &cell : part.cells)
      all.insert({cell.scenario, cell.lowering, cell.schedule.name()});
  }
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 8u);
}

TEST(CellMatrix, ShardTextIsChecked) {
  EXPECT_EQ(llvm::cantFail(parseShard("2/3")).index, 2u);
  for (llvm::StringRef text : {"0/3", "4/3", "1", "a/b", "1/0", ""})
    EXPECT_TRUE(llvm::errorToBool(parseShard(text).takeError())) << text.str();
}

TEST(CellMatrix, AProgramWithoutExpectationsGetsOneHiddenBaseline) {
  CellMatrix matrix = make({{"a", "a", 0}}, kSimulated, {"streams"}, "lazy,random:2");
  EXPECT_EQ(matrix.visibleCount, 3u);
  ASSERT_EQ(matrix.cells.size(), 4u);
  EXPECT_TRUE(matrix.cells[3].isHiddenBaseline);
  EXPECT_EQ(matrix.cells[3].lowering, "serial");
  EXPECT_EQ(matrix.baselineOf(matrix.cells[0]), 3u);
}

TEST(CellMatrix, TheBaselineOfARealDriverRunsOnTheSimulatedOne) {
  CellMatrix matrix = makeCellMatrix({{"a", "a", 0}}, {kReal, kSimulated}, 1, {"serial", "streams"},
                                     {Schedule{Schedule::Kind::Lazy}}, {});
  EXPECT_EQ(matrix.visibleCount, 2u);
  ASSERT_EQ(matrix.cells.size(), 3u);
  EXPECT_EQ(matrix.cells[2].target, 1u);
  EXPECT_EQ(matrix.cells[2].schedule.name(), "eager");
  EXPECT_EQ(matrix.baselineOf(matrix.cells[0]), 2u);
  EXPECT_EQ(matrix.makeJobs(1).back().driver, kSimulated.driverLibrary);
}

TEST(CellMatrix, WithoutASimulatedDriverTheRealOneIsItsOwnBaseline) {
  CellMatrix matrix = make({{"a", "a", 0}}, kReal, {"serial", "streams"}, "lazy");
  EXPECT_EQ(matrix.cells.size(), 2u);
  EXPECT_EQ(matrix.baselineOf(matrix.cells[1]), 0u);
}

TEST(CellMatrix, ABaselineAmongTheCellsIsUsed) {
  CellMatrix matrix = make({{"a", "a", 0}}, kSimulated, {"serial", "streams"}, "eager,lazy");
  EXPECT_EQ(matrix.cells.size(), matrix.visibleCount);
  EXPECT_EQ(matrix.baselineOf(matrix.cells[3]), 0u);
}

TEST(CellMatrix, JobsShareProgramAndLowering) {
  CellMatrix matrix = make({{"a", "pa", 1}}, kSimulated, {"serial", "streams"}, "eager,lazy,random:2");
  std::vector<JobRequest> jobs = matrix.makeJobs(1);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[1].lowering, "streams");
  EXPECT_EQ(jobs[1].program, "pa");
  EXPECT_EQ(jobs[1].cells[3].id, 7u);
  EXPECT_EQ(jobs[1].cells[3].schedule, "random:2");
}

TEST(CellMatrix, JobsAreCutUntilEachWorkerHasOne) {
  CellMatrix matrix = make({{"a", "a", 1}}, kSimulated, {"serial"}, "random:5");
  std::vector<JobRequest> jobs = matrix.makeJobs(4);
  EXPECT_EQ(jobs.size(), 4u);
  EXPECT_EQ(cellCount(jobs), 5u);
  EXPECT_EQ(matrix.makeJobs(100).size(), 5u);
}
