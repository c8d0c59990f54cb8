// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Verdict.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::reports;
using testing::HasSubstr;

static const Scenario kExpecting{"a", "a", 2};
static const Scenario kSilent{"a", "a", 0};

static CellOutcome finished(std::string output = "", int64_t expectations = 2) {
  CellOutcome outcome;
  outcome.done.emplace();
  outcome.done->output = std::move(output);
  outcome.done->expectations = expectations;
  return outcome;
}

TEST(Verdict, NothingWrongPasses) {
  CellResult result = judgeCell(kExpecting, finished(), nullptr);
  EXPECT_EQ(result.verdict, Verdict::Pass);
  EXPECT_EQ(result.reason, "");
}

TEST(Verdict, APassWithoutItsOrderSaysSo) {
  CellOutcome outcome = finished();
  outcome.done->orderProblem = "the program cannot be traced: why";
  CellResult result = judgeCell(kExpecting, outcome, nullptr);
  EXPECT_EQ(result.verdict, Verdict::Pass);
  EXPECT_EQ(result.reason, "its order is not judged: the program cannot be traced: why");
}

TEST(Verdict, AFindingFails) {
  CellOutcome outcome = finished();
  outcome.done->findings.push_back({"values", "EXPECT-1", "one", {}, {}});
  outcome.done->findings.push_back({"leak", "", "two", {}, {}});
  outcome.done->graph = CellGraph{{{"a memcpy", "memcpy", ""}}, {}};
  CellResult result = judgeCell(kExpecting, outcome, nullptr);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  EXPECT_EQ(result.reason, "one (and 1 more)");
  ASSERT_TRUE(result.graph);
  EXPECT_EQ(result.graph->nodes[0].op, "a memcpy");
}

TEST(Verdict, MainMustReturnZero) {
  CellOutcome outcome = finished();
  outcome.done->exitStatus = 3;
  CellResult result = judgeCell(kExpecting, outcome, nullptr);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  EXPECT_EQ(result.reason, "main returned 3");
}

TEST(Verdict, ExpectationsThatAreNeverReachedFail) {
  CellResult result = judgeCell(kExpecting, finished("", 0), nullptr);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  EXPECT_THAT(result.reason, HasSubstr("none of the program's 2 expectations"));
}

TEST(Verdict, AProgramThatCannotBeLinkedIsAFinding) {
  CellOutcome outcome = finished();
  outcome.done->error = "cannot link";
  CellResult result = judgeCell(kExpecting, outcome, nullptr);
  EXPECT_EQ(result.verdict, Verdict::Error);
  EXPECT_EQ(result.reason, "cannot link");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].oracle, "errors");
}

TEST(Verdict, ACrashCarriesTheLastWords) {
  CellOutcome outcome;
  outcome.lost = LostCell{0, false, "SIGABRT (Aborted)", false, "", "first\nlast words\n", 1};
  CellResult result = judgeCell(kExpecting, outcome, nullptr);
  EXPECT_EQ(result.verdict, Verdict::Crash);
  EXPECT_EQ(result.reason, "SIGABRT (Aborted)");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_THAT(result.findings[0].message, HasSubstr("last words"));
}

TEST(Verdict, AnExitIsACrash) {
  CellOutcome outcome;
  outcome.lost = LostCell{0, false, "exit status 0", true, "", "", 1};
  CellResult result = judgeCell(kExpecting, outcome, nullptr);
  EXPECT_EQ(result.verdict, Verdict::Crash);
  EXPECT_EQ(result.reason, "the program ended its process: exit status 0, while the program was being compiled");
}

TEST(Verdict, AHangIsATimeout) {
  CellOutcome outcome;
  outcome.lost = LostCell{0, true, "no end after 1 s", false, "", "", 1000};
  EXPECT_EQ(judgeCell(kExpecting, outcome, nullptr).verdict, Verdict::Timeout);
}

TEST(Verdict, ACellThatDidNotRunIsSkippedWithAReason) {
  CellResult result = judgeCell(kExpecting, CellOutcome(), nullptr, "--fail-fast");
  EXPECT_EQ(result.verdict, Verdict::Skip);
  EXPECT_THAT(result.reason, HasSubstr("--fail-fast"));
}

TEST(Verdict, WithoutItsBaselineACellOfAnInterruptedRunIsNotJudged) {
  CellOutcome baseline;
  CellResult result = judgeCell(kSilent, finished("1\n", 0), &baseline, "interrupted");
  EXPECT_EQ(result.verdict, Verdict::Skip);
  EXPECT_EQ(result.reason, "not compared with its baseline: interrupted");
}

TEST(Verdict, OutputIsComparedWithTheBaseline) {
  CellOutcome baseline = finished("1\n2\n");
  EXPECT_EQ(judgeCell(kSilent, finished("1\n2\n"), &baseline).verdict, Verdict::Pass);
  CellResult result = judgeCell(kSilent, finished("1\n3\n"), &baseline);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  EXPECT_EQ(result.reason, "output differs from that of serial in line 2: expected '2', found '3'");
}

TEST(Verdict, ABaselineThatDidNotFinishProvesNothing) {
  CellOutcome baseline;
  baseline.error = "cannot compile";
  EXPECT_EQ(judgeCell(kSilent, finished("1\n"), &baseline).verdict, Verdict::Fail);
}

TEST(CompareOutput, NamesAMissingEnd) {
  EXPECT_THAT(compareOutput("a\nb\n", "a\n")->message, HasSubstr("line 2: expected 'b', found the end"));
  EXPECT_THAT(compareOutput("", "x")->message, HasSubstr("line 1: expected the end, found 'x'"));
  EXPECT_TRUE(compareOutput("a\n", "a").has_value());
  EXPECT_FALSE(compareOutput("", "").has_value());
}

TEST(CompareOutput, IgnoresAddresses) {
  EXPECT_FALSE(compareOutput("base@ = 0x55aa rank = 1\n[1]", "base@ = 0x7f10 rank = 1\n[1]").has_value());
  EXPECT_TRUE(compareOutput("base@ = 0x55aa rank = 1\n[1]", "base@ = 0x55aa rank = 1\n[2]").has_value());
}
