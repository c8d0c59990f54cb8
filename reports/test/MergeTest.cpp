// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/OutputDirectory.h"
#include "reports/RebuildReport.h"
#include "reports/ReportFiles.h"
#include "reports/ResultsMerge.h"
#include "reports/test/SampleResults.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = llvm::sys::fs;

/// Many cells in an order that is not the report's.
static Results wholeRun() {
  Results whole = sampleResults();
  for (int width : {16, 8, 4})
    for (const char *lowering : {"upstream", "streams", "serial"})
      whole.cells.push_back(makeCell("chain(width=" + std::to_string(width) + ")", lowering, "eager",
                                     width == 8 ? Verdict::Fail : Verdict::Pass, width == 8 ? "wrong" : ""));
  return whole;
}

/// Every `count`th cell of `whole`, as a run of its own with `--shard`.
static NamedResults shardOf(const Results &whole, size_t index, size_t count) {
  NamedResults shard{"shard" + std::to_string(index), {whole.run, {}}};
  if (index != 1) {
    shard.results.run.id = "r" + std::to_string(index);
    shard.results.run.started = "2026-12-01T05:06:59Z";
    shard.results.run.durationMs = 1500;
  }
  shard.results.run.command += " --shard " + std::to_string(index) + "/" + std::to_string(count);
  for (size_t i = index - 1; i < whole.cells.size(); i += count)
    shard.results.cells.push_back(whole.cells[i]);
  return shard;
}

static std::string mergeError(const NamedResults &left, const NamedResults &right) {
  llvm::Expected<Results> merged = mergeResults({left, right});
  return merged ? "" : llvm::toString(merged.takeError());
}

TEST(ResultsMerge, DescribesTheRunAsAWhole) {
  NamedResults first = shardOf(wholeRun(), 1, 2), second = shardOf(wholeRun(), 2, 2);
  second.results.run.durationMs = 5000;
  second.results.run.host.name = "other";
  second.results.run.drivers[0].backend = "hip";
  Results merged = llvm::cantFail(mergeResults({second, first}));
  EXPECT_EQ(merged.run.id, "r1");
  EXPECT_EQ(merged.run.command, "lockstep run a.mlir");
  EXPECT_EQ(merged.run.durationMs, 6000);
  EXPECT_EQ(merged.run.host.name, "machine, other");
  EXPECT_EQ(merged.run.host.cpu, "cpu");
  EXPECT_EQ(merged.run.host.cores, 4);
  ASSERT_EQ(merged.run.drivers.size(), 2u);
  EXPECT_EQ(merged.run.drivers[1].backend, "hip");
  EXPECT_EQ(merged.run.devices.size(), 1u);
}

TEST(ResultsMerge, OneRunAloneKeepsItsDescription) {
  NamedResults shard = shardOf(wholeRun(), 2, 2);
  EXPECT_EQ(llvm::cantFail(mergeResults(shard)).run.command, "lockstep run a.mlir --shard 2/2");
}

TEST(ResultsMerge, ACellTwiceIsAnError) {
  NamedResults first = shardOf(wholeRun(), 1, 2), second = shardOf(wholeRun(), 2, 2);
  second.results.cells.push_back(first.results.cells[0]);
  EXPECT_EQ(mergeError(first, second), "shard2: the cell 'a.mlir, cuda serial, eager' stands in shard1 too");
}

TEST(ResultsMerge, ShardsOfDifferentRunsAreAnError) {
  NamedResults first = shardOf(wholeRun(), 1, 2);
  auto errorAfter = [&](auto change) {
    NamedResults second = shardOf(wholeRun(), 2, 2);
    change(second.results.run);
    return mergeError(first, second);
  };
  EXPECT_EQ(errorAfter([](RunDescription &) {}), "");
  EXPECT_EQ(errorAfter([](RunDescription &run) { run.seed = 4; }),
            "shard2: the seed is 4, but none in shard1: these are no shards of one run");
  EXPECT_THAT(errorAfter([](RunDescription &run) { run.git->dirty = false; }),
              HasSubstr("the commit is 0123abc, but 0123abc with changes in shard1"));
  EXPECT_THAT(errorAfter([](RunDescription &run) { run.git.reset(); }), HasSubstr("the commit is unknown"));
  EXPECT_THAT(errorAfter([](RunDescription &run) { run.drivers[0].version = "12.9"; }),
              HasSubstr("the cuda driver's version is 12.9, but 13.0 in"));
  EXPECT_THAT(errorAfter([](RunDescription &run) { run.devices[0].name = "Other"; }),
              HasSubstr("cuda device 0 is 'Other', but 'Simulated' in"));
}

namespace {

class RebuildReportTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("lockstep-report", root)); }
  void TearDown() override { fs::remove_directories(root); }

  std::string at(llvm::StringRef name) { return (root + "/" + name).str(); }
  std::string read(const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : "<absent>";
  }
  /// Writes a report of `results` and gives its results.json.
  std::string put(llvm::StringRef directory, const Results &results) {
    OutputDirectory output = llvm::cantFail(OutputDirectory::create(at(directory)));
    llvm::cantFail(writeReport(results, output));
    llvm::cantFail(output.commit());
    return at(directory) + "/results.json";
  }
  std::vector<std::string> filesOf(llvm::StringRef directory) {
    std::vector<std::string> names;
    std::error_code code;
    for (fs::recursive_directory_iterator entry(at(directory), code), end; entry != end; entry.increment(code))
      names.push_back(entry->path().substr(at(directory).size() + 1));
    llvm::sort(names);
    return names;
  }
  void expectSameReports(llvm::StringRef left, llvm::StringRef right) {
    EXPECT_EQ(filesOf(left), filesOf(right));
    EXPECT_THAT(filesOf(left), testing::IsSupersetOf({"ctrf.json", "junit.xml", "report.md", "results.json",
                                                      "traces/a.mlir/cuda-streams-random-7.json"}));
    for (const std::string &name : filesOf(left))
      EXPECT_EQ(read(at(left) + "/" + name), read(at(right) + "/" + name)) << name;
  }
  std::string rebuildError(std::vector<std::string> files, llvm::StringRef directory) {
    llvm::Expected<Results> results = rebuildReport(files, at(directory));
    return results ? "" : llvm::toString(results.takeError());
  }

  llvm::SmallString<128> root;
};

} // namespace

TEST_F(RebuildReportTest, ShardsGiveByteForByteWhatOneRunGives) {
  put("whole", wholeRun());
  std::vector<std::string> files;
  for (size_t i : {3, 1, 2})
    files.push_back(put("shard" + std::to_string(i), shardOf(wholeRun(), i, 3).results));
  llvm::cantFail(rebuildReport(files, at("merged")));
  expectSameReports("whole", "merged");
}

TEST_F(RebuildReportTest, ResultsGiveTheirOwnReport) {
  std::string file = put("whole", wholeRun());
  llvm::cantFail(rebuildReport({file}, at("again")));
  expectSameReports("whole", "again");
}

TEST_F(RebuildReportTest, FailuresLeaveNothingBehind) {
  std::string file = put("whole", wholeRun());
  EXPECT_THAT(rebuildError({file, file}, "out"), HasSubstr("stands in " + file + " too"));
  EXPECT_THAT(rebuildError({at("absent.json")}, "out"), HasSubstr("absent.json: No such file"));
  EXPECT_THAT(rebuildError({at("whole/junit.xml")}, "out"), HasSubstr("junit.xml: no JSON"));
  EXPECT_FALSE(fs::exists(at("out")));
  EXPECT_THAT(rebuildError({file}, "whole"), HasSubstr("whole' holds '" + file + "', and is replaced as a whole"));
  EXPECT_NE(read(file), "<absent>");
}
