// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/JsonValidator.h"
#include "reports/JsonWriter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

static Results sampleResults() {
  Results results;
  results.run.id = "r1";
  results.run.command = "lockstep run a.mlir";
  results.run.drivers.push_back({"cuda", "sim", "libcuda.so.1", "13.0", true});
  results.run.devices.push_back({"cuda", "sim", 0, "Simulated"});
  CellResult cell{"a.mlir", "streams", "cuda", "sim", "random", 7, Verdict::Fail, "1 finding", {}, {}, 1.5};
  cell.findings.push_back({"values", "EXPECT-1", "element [0] is 42", {"a.mlir:3:1"}, "lockstep run a.mlir"});
  cell.metrics["launch"] = {2.5, "us", {2, 3}};
  results.cells.push_back(cell);
  results.cells.push_back({"a.mlir", "serial", "cuda", "sim", "eager", std::nullopt, Verdict::Pass, "", {}, {}, 1});
  return results;
}

static std::string write(const Results &results) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeResultsJson(results, stream);
  return text;
}

static llvm::json::Value parse(llvm::StringRef text) { return llvm::cantFail(llvm::json::parse(text)); }

TEST(ResultsJson, WhatTheWriterWritesConforms) {
  EXPECT_THAT(validateResultsJson(parse(write(sampleResults()))), ElementsAre());
}

TEST(ResultsJson, EmptyResultsHaveEveryKey) {
  llvm::json::Value document = parse(write({}));
  EXPECT_THAT(validateResultsJson(document), ElementsAre());
  const llvm::json::Object *run = document.getAsObject()->getObject("run");
  EXPECT_EQ(*run->get("seed"), llvm::json::Value(nullptr));
  EXPECT_EQ(*run->getObject("git")->get("sha"), llvm::json::Value(nullptr));
}

TEST(ResultsJson, SeedAndTotalsAreKept) {
  llvm::json::Value document = parse(write(sampleResults()));
  const llvm::json::Object &object = *document.getAsObject();
  EXPECT_EQ((*object.getArray("cells"))[0].getAsObject()->getInteger("seed"), 7);
  EXPECT_EQ(object.getObject("totals")->getInteger("cells"), 2);
  EXPECT_EQ(object.getObject("totals")->getInteger("fail"), 1);
}

TEST(ResultsJson, SameResultsGiveTheSameText) { EXPECT_EQ(write(sampleResults()), write(sampleResults())); }

TEST(ResultsJson, InvalidUtf8IsReplaced) {
  Results results = sampleResults();
  results.cells[0].reason = "bad \xff byte";
  EXPECT_THAT(validateResultsJson(parse(write(results))), ElementsAre());
}

TEST(ResultsJson, ValidatorNamesAMissingKey) {
  llvm::json::Value document = parse(write(sampleResults()));
  (*document.getAsObject()->getArray("cells"))[1].getAsObject()->erase("reason");
  EXPECT_THAT(validateResultsJson(document), ElementsAre("cells[1].reason: missing"));
}

TEST(ResultsJson, ValidatorNamesAnUnknownKeyAndAWrongType) {
  llvm::json::Value document = parse(write(sampleResults()));
  (*document.getAsObject())["extra"] = 1;
  (*document.getAsObject()->getObject("run"))["id"] = 5;
  EXPECT_THAT(validateResultsJson(document), Contains(HasSubstr("extra: not a key")));
  EXPECT_THAT(validateResultsJson(document), Contains("run.id: expected a string"));
}

TEST(ResultsJson, ValidatorChecksVerdictsTotalsAndSchema) {
  llvm::json::Value document = parse(write(sampleResults()));
  llvm::json::Object &object = *document.getAsObject();
  (*(*object.getArray("cells"))[0].getAsObject())["verdict"] = "bad";
  object["schema"] = "lockstep-results/0";
  std::vector<std::string> deviations = validateResultsJson(document);
  EXPECT_THAT(deviations, Contains("cells[0].verdict: expected a verdict"));
  EXPECT_THAT(deviations, Contains("totals.fail: is 1, the cells give 0"));
  EXPECT_THAT(deviations, Contains("schema: expected 'lockstep-results/1'"));
}

TEST(Verdict, NamesRoundTrip) {
  for (Verdict verdict : kAllVerdicts)
    EXPECT_EQ(verdictFromName(verdictName(verdict)), verdict);
  EXPECT_EQ(verdictFromName("passed"), std::nullopt);
}
