// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of the Common Test Report Format (its JSON schema of 2026, specification 0.0.0), as far as the writer uses it:
// - `reportFormat` is "CTRF"; `specVersion` three numbers with points; `results` has `tool`, `summary`, `tests`.
// - `tool.name` is not empty. `summary` has `tests`, `passed`, `failed`, `skipped`, `pending`, `other`, `start`,
// `stop`,
//   all whole numbers, the last two in milliseconds since 1970.
// - A test has `name` (not empty), `status` (one of the five names above), `duration` (whole milliseconds); `suite` is
//   a list of texts that is not empty. No object but `extra` and `parameters` takes other keys than the schema's.

#include "reports/CtrfWriter.h"
#include "reports/test/SampleResults.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using llvm::json::Object;
using llvm::json::Value;

static Object write(const Results &results) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeCtrfJson(results, stream);
  return *llvm::cantFail(llvm::json::parse(text)).getAsObject();
}

static void expectKeys(const Object &object, llvm::StringSet<> allowed) {
  for (const auto &member : object)
    EXPECT_TRUE(allowed.contains(llvm::StringRef(member.first))) << llvm::StringRef(member.first).str();
}

static void expectTest(const Object &test) {
  expectKeys(test, {"name", "status", "rawStatus", "duration", "suite", "message", "trace", "parameters", "extra"});
  EXPECT_FALSE(test.getString("name")->empty());
  EXPECT_THAT(test.getString("status")->str(), testing::AnyOf("passed", "failed", "skipped", "pending", "other"));
  EXPECT_TRUE(test.getInteger("duration"));
  ASSERT_TRUE(test.getArray("suite"));
  EXPECT_FALSE(test.getArray("suite")->empty());
}

/// Demands what the schema demands, and that the summary counts the tests.
static void expectConforms(const Object &report) {
  expectKeys(report, {"reportFormat", "specVersion", "generatedBy", "results"});
  EXPECT_EQ(report.getString("reportFormat"), llvm::StringRef("CTRF"));
  EXPECT_EQ(report.getString("specVersion"), llvm::StringRef("0.0.0"));
  const Object &results = *report.getObject("results");
  expectKeys(results, {"tool", "summary", "tests", "environment"});
  EXPECT_EQ(results.getObject("tool")->getString("name"), llvm::StringRef("lockstep"));
  expectKeys(*results.getObject("environment"),
             {"reportName", "appName", "commit", "osPlatform", "osRelease", "extra"});
  const Object &summary = *results.getObject("summary");
  expectKeys(summary, {"tests", "passed", "failed", "skipped", "pending", "other", "start", "stop", "duration"});
  const llvm::json::Array &tests = *results.getArray("tests");
  EXPECT_EQ(summary.getInteger("tests"), static_cast<int64_t>(tests.size()));
  for (llvm::StringRef status : {"passed", "failed", "skipped", "pending", "other"})
    EXPECT_EQ(
        summary.getInteger(status),
        llvm::count_if(tests, [&](const Value &test) { return test.getAsObject()->getString("status") == status; }))
        << status.str();
  for (const Value &test : tests)
    expectTest(*test.getAsObject());
}

TEST(Ctrf, ConformsForEveryVerdict) {
  Results results = sampleResults();
  for (Verdict verdict : kAllVerdicts)
    results.cells.push_back(makeCell("b.mlir", verdictName(verdict).str(), "eager", verdict, "why \xff \x1b"));
  Object report = write(results);
  expectConforms(report);
  const Object &summary = *report.getObject("results")->getObject("summary");
  EXPECT_EQ(summary.getInteger("passed"), 2);
  EXPECT_EQ(summary.getInteger("failed"), 6);
  EXPECT_EQ(summary.getInteger("skipped"), 1);
  EXPECT_EQ(summary.getInteger("other"), 1);
  expectConforms(write({}));
}

TEST(Ctrf, TimesAreMillisecondsSince1970) {
  const Object report = write(sampleResults());
  const Object &summary = *report.getObject("results")->getObject("summary");
  EXPECT_EQ(summary.getInteger("start"), 1796101618000);
  EXPECT_EQ(summary.getInteger("stop"), 1796101620500);
}

TEST(Ctrf, AFailingTestSaysWhyAndHowToRepeatIt) {
  const Object report = write(sampleResults());
  const Object &test = *(*report.getObject("results")->getArray("tests"))[1].getAsObject();
  EXPECT_EQ(test.getString("name"), llvm::StringRef("a.mlir, cuda streams, random seed 7"));
  EXPECT_EQ(test.getString("message"), llvm::StringRef("1 finding"));
  EXPECT_EQ(test.getString("trace"), llvm::StringRef("[order ORDER-1] copy is not ordered behind fill"));
  EXPECT_EQ(test.getObject("extra")->getString("repro"), llvm::StringRef("lockstep run a.mlir"));
  EXPECT_EQ(test.getObject("parameters")->getInteger("seed"), 7);
}
