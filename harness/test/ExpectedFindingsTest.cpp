// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ExpectedFindings.h"

#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::reports;

static const std::vector<ExpectedFinding> kExpected = {
    {"W3", "upstream", "lifetime", "*destroyed*"},
    {"W3", "upstream", "errors", "*handle*"},
    {"W13", "upstream", "values", "*", "lazy"},
};

static CellResult cell(std::string lowering, std::string schedule, std::vector<Finding> findings) {
  CellResult result;
  result.lowering = std::move(lowering);
  result.schedule = std::move(schedule);
  result.verdict = findings.empty() ? Verdict::Pass : Verdict::Fail;
  result.reason = findings.empty() ? "" : findings.front().message;
  result.findings = std::move(findings);
  return result;
}

static const Finding kDestroyed{"lifetime", "", "stream 3 was destroyed", {}, {}};
static const Finding kHandle{"errors", "ABI-3", "no such handle", {}, {}};
static const Finding kValues{"values", "EXPECT-1", "1 element differs", {}, {}};

static Verdict verdictOf(CellResult result, std::string *reason = nullptr) {
  applyExpectedFindings(kExpected, result);
  if (reason)
    *reason = result.reason;
  return result.verdict;
}

TEST(ExpectedFindings, WhatIsExpectedIsXFailAndNamed) {
  std::string reason;
  EXPECT_EQ(verdictOf(cell("upstream", "eager", {kDestroyed}), &reason), Verdict::XFail);
  EXPECT_EQ(reason, "W3: stream 3 was destroyed");
  EXPECT_EQ(verdictOf(cell("upstream", "eager", {kHandle, kDestroyed})), Verdict::XFail);
}

TEST(ExpectedFindings, WhatIsNotFoundIsXPass) {
  std::string reason;
  EXPECT_EQ(verdictOf(cell("upstream", "eager", {}), &reason), Verdict::XPass);
  EXPECT_EQ(reason, "expected and not found: W3");
  EXPECT_EQ(verdictOf(cell("upstream", "lazy", {kDestroyed}), &reason), Verdict::XPass);
  EXPECT_EQ(reason, "expected and not found: W13");
}

TEST(ExpectedFindings, AScheduleSaysWhereAFaultMustShow) {
  EXPECT_EQ(verdictOf(cell("upstream", "lazy", {kDestroyed, kValues})), Verdict::XFail);
  EXPECT_EQ(verdictOf(cell("upstream", "random", {kDestroyed, kValues})), Verdict::XFail);
  EXPECT_EQ(verdictOf(cell("upstream", "random", {kDestroyed})), Verdict::XFail);
}

TEST(ExpectedFindings, AnotherFindingFailsAsEver) {
  std::string reason;
  Finding leak{"leak", "", "stream 1 was not destroyed at exit", {}, {}};
  EXPECT_EQ(verdictOf(cell("upstream", "eager", {kDestroyed, leak}), &reason), Verdict::Fail);
  EXPECT_EQ(reason, "stream 3 was destroyed");
}

TEST(ExpectedFindings, OtherLoweringsAndCellsThatDidNotRunAreLeftAlone) {
  EXPECT_EQ(verdictOf(cell("streams", "eager", {})), Verdict::Pass);
  EXPECT_EQ(verdictOf(cell("streams", "eager", {kDestroyed})), Verdict::Fail);
  CellResult skipped = cell("upstream", "eager", {});
  skipped.verdict = Verdict::Skip;
  EXPECT_EQ(verdictOf(skipped), Verdict::Skip);
}

TEST(MetricLimits, WhatIsOverItsLimitIsAFinding) {
  CellResult result = cell("streams", "eager", {});
  result.metrics = {{"functions_looked_up", {8, "functions", {}}}, {"streams_created", {2, "streams", {}}}};
  applyMetricLimits({{"functions_looked_up", 1}, {"streams_created", 2}, {"events_created", 0}}, result);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  EXPECT_EQ(result.reason, "functions_looked_up is 8, and the program expects at most 1");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].oracle, "calls");
}

TEST(MetricLimits, Concurrency1LostPairsAreOfTheirOwnOracle) {
  CellResult result = cell("streams", "eager", {});
  result.metrics = {{"lost_pairs", {3, "pairs", {}}}};
  applyMetricLimits({{"lost_pairs", 3}}, result);
  EXPECT_EQ(result.verdict, Verdict::Pass);
  applyMetricLimits({{"lost_pairs", 2}}, result);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].oracle, "concurrency");
  EXPECT_EQ(result.findings[0].rule, "CONCURRENCY-1");
}

TEST(MetricLimits, AGraverVerdictStays) {
  CellResult result = cell("streams", "eager", {kValues});
  result.metrics = {{"events_created", {3, "events", {}}}};
  applyMetricLimits({{"events_created", 0}}, result);
  EXPECT_EQ(result.reason, "1 element differs");
  EXPECT_EQ(result.findings.size(), 2u);
}
