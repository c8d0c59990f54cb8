// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Verdict.h"

#include "llvm/ADT/StringExtras.h"

using namespace lockstep::harness;
using llvm::StringRef;
using lockstep::reports::CellResult;
using lockstep::reports::Finding;
using lockstep::reports::Verdict;

/// Of a crashed program's standard error, what is worth showing.
static constexpr size_t kLastLinesMax = 8;

static std::string withoutAddresses(StringRef text) {
  static constexpr StringRef marker = "base@ = 0x";
  std::string result;
  while (true) {
    size_t position = text.find(marker);
    if (position == StringRef::npos)
      return result + text.str();
    result += text.substr(0, position + marker.size());
    text = text.substr(position + marker.size()).drop_while([](char c) { return llvm::isHexDigit(c); });
  }
}

std::optional<Finding> lockstep::harness::compareOutput(StringRef expectedText, StringRef outputText) {
  std::string expectedLines = withoutAddresses(expectedText);
  std::string outputLines = withoutAddresses(outputText);
  StringRef expected = expectedLines;
  StringRef output = outputLines;
  if (expected == output)
    return std::nullopt;
  size_t line = 1;
  while (true) {
    auto [wanted, expectedRest] = expected.split('\n');
    auto [found, outputRest] = output.split('\n');
    if (wanted != found || expected.empty() || output.empty()) {
      std::string message = "output differs from that of " + kBaselineLowering.str() + " in line " +
                            std::to_string(line) + ": expected " +
                            (expected.empty() ? "the end" : "'" + wanted.str() + "'") + ", found " +
                            (output.empty() ? "the end" : "'" + found.str() + "'");
      return Finding{"values", "", std::move(message), {}, {}};
    }
    expected = expectedRest;
    output = outputRest;
    ++line;
  }
}

static void judgeLost(const LostCell &lost, CellResult &result) {
  result.verdict = lost.isTimeout ? Verdict::Timeout : Verdict::Crash;
  result.reason = lost.reason;
  if (!lost.isTimeout && StringRef(lost.reason).starts_with("exit status"))
    result.reason = "the program ended its process: " + lost.reason;
  if (lost.whileCompiling)
    result.reason += ", while the program was being compiled";
  result.durationMs = lost.durationMs;
  std::string words = lastLines(lost.errorOutput, kLastLinesMax);
  std::string message = result.reason;
  if (!words.empty())
    message += "; last on standard error:\n" + words;
  result.findings.push_back({"errors", "", std::move(message), {}, {}});
}

static void addOutputFinding(const CellDoneReply &done, const CellOutcome &baseline, CellResult &result) {
  if (baseline.done && baseline.done->error.empty()) {
    if (std::optional<Finding> difference = compareOutput(baseline.done->output, done.output))
      result.findings.push_back(std::move(*difference));
    return;
  }
  result.findings.push_back(
      {"values",
       "",
       "nothing to compare the output with: " + kBaselineLowering.str() + " did not run to its end",
       {},
       {}});
}

static std::string summarize(const std::vector<Finding> &findings) {
  StringRef first = StringRef(findings.front().message).split('\n').first;
  if (findings.size() == 1)
    return first.str();
  return (first + " (and " + llvm::Twine(findings.size() - 1) + " more)").str();
}

/// That a program cannot be lowered or linked is found out by whoever tries: a finding about its lowering.
static void judgeError(StringRef message, CellResult &result) {
  result.verdict = Verdict::Error;
  result.findings.push_back({"errors", "", message.str(), {}, {}});
  result.reason = summarize(result.findings);
}

static void judgeDone(const Scenario &scenario, const CellDoneReply &done, const CellOutcome *baseline,
                      CellResult &result) {
  result.durationMs = done.durationMs;
  if (!done.error.empty())
    return judgeError(done.error, result);
  result.findings = done.findings;
  result.graph = done.graph;
  if (done.exitStatus != 0)
    result.findings.push_back({"values", "", "main returned " + std::to_string(done.exitStatus), {}, {}});
  if (scenario.expectationCount != 0 && done.expectations == 0)
    result.findings.push_back(
        {"values",
         "EXPECT-1",
         "none of the program's " + std::to_string(scenario.expectationCount) + " expectations was reached",
         {},
         {}});
  if (baseline)
    addOutputFinding(done, *baseline, result);
  result.verdict = result.findings.empty() ? Verdict::Pass : Verdict::Fail;
  if (!result.findings.empty())
    result.reason = summarize(result.findings);
  else if (!done.orderProblem.empty())
    result.reason = "its order is not judged: " + done.orderProblem;
}

CellResult lockstep::harness::judgeCell(const Scenario &scenario, const CellOutcome &outcome,
                                        const CellOutcome *baseline, StringRef stopReason) {
  CellResult result;
  if (!outcome.hasRun()) {
    result.verdict = Verdict::Skip;
    result.reason = ("not run: " + stopReason).str();
  } else if (outcome.done && baseline && !baseline->hasRun()) {
    result.verdict = Verdict::Skip;
    result.reason = ("not compared with its baseline: " + stopReason).str();
    result.durationMs = outcome.done->durationMs;
  } else if (outcome.done) {
    judgeDone(scenario, *outcome.done, baseline, result);
  } else if (outcome.lost) {
    judgeLost(*outcome.lost, result);
  } else {
    judgeError(outcome.error, result);
  }
  return result;
}
