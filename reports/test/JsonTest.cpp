// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/JsonValidator.h"
#include "reports/JsonWriter.h"
#include "reports/ResultsReader.h"
#include "reports/test/SampleResults.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

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
  EXPECT_EQ((*object.getArray("cells"))[1].getAsObject()->getInteger("seed"), 7);
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
  (*(*object.getArray("cells"))[1].getAsObject())["verdict"] = "bad";
  object["schema"] = "lockstep-results/0";
  std::vector<std::string> deviations = validateResultsJson(document);
  EXPECT_THAT(deviations, Contains("cells[1].verdict: expected a verdict"));
  EXPECT_THAT(deviations, Contains("totals.fail: is 1, the cells give 0"));
  EXPECT_THAT(deviations, Contains("schema: expected 'lockstep-results/1'"));
}

static llvm::json::Object &cellOf(llvm::json::Value &document, size_t index) {
  return *(*document.getAsObject()->getArray("cells"))[index].getAsObject();
}

TEST(ResultsJson, ValidatorChecksThePositionsAndTimesOfPictures) {
  llvm::json::Value document = parse(write(sampleResults()));
  llvm::json::Object &cell = cellOf(document, 1);
  llvm::json::Object &edge = *(*cell.getObject("graph")->getArray("edges"))[0].getAsObject();
  edge["to"] = 2;
  edge["state"] = "lost";
  llvm::json::Object &span = *(*cell.getObject("timeline")->getArray("spans"))[0].getAsObject();
  span["track"] = 5;
  span["end_ns"] = -1;
  EXPECT_THAT(validateResultsJson(document),
              testing::UnorderedElementsAre("cells[1].graph.edges[0].state: expected 'enforced', 'missing' or 'extra'",
                                            "cells[1].graph.edges[0].to: is 2, nodes has 2",
                                            "cells[1].timeline.spans[0].track: is 5, tracks has 2",
                                            "cells[1].timeline.spans[0].end_ns: is before start_ns"));
}

TEST(ResultsReader, ReadsWhatTheWriterWrites) {
  std::string written = write(sampleResults());
  Results read = llvm::cantFail(parseResults(written, "r.json"));
  EXPECT_EQ(write(read), written);
  ASSERT_EQ(read.cells.size(), 2u);
  EXPECT_EQ(read.cells[1].graph->edges[0].state, EdgeState::Missing);
  EXPECT_EQ(read.cells[1].timeline->spans[1].endNs, 2250.5);
  EXPECT_EQ(write(llvm::cantFail(parseResults(write({}), "empty.json"))), write({}));
}

static std::string readError(llvm::StringRef text) {
  llvm::Expected<Results> results = parseResults(text, "r.json");
  return results ? "" : llvm::toString(results.takeError());
}

TEST(ResultsReader, SaysInOneLineWhatIsWrong) {
  EXPECT_THAT(readError("{"), testing::MatchesRegex("r.json: no JSON: [^\n]*"));
  EXPECT_EQ(readError("[]"), "r.json: no results of this version: expected an object");
  std::string older = write(sampleResults());
  older.replace(older.find("results/1"), 9, "results/0");
  EXPECT_EQ(readError(older), "r.json: no results of this version: schema: expected 'lockstep-results/1'");
  llvm::json::Value document = parse(write(sampleResults()));
  cellOf(document, 0).erase("reason");
  cellOf(document, 1).erase("repro");
  EXPECT_EQ(readError(llvm::formatv("{0}", document).str()),
            "r.json: no results of this version: cells[0].reason: missing (and 1 more)");
  llvm::Expected<Results> absent = readResults("no-such-file.json");
  ASSERT_FALSE(static_cast<bool>(absent));
  EXPECT_EQ(llvm::toString(absent.takeError()), "no-such-file.json: No such file or directory");
}

TEST(Verdict, NamesRoundTrip) {
  for (Verdict verdict : kAllVerdicts)
    EXPECT_EQ(verdictFromName(verdictName(verdict)), verdict);
  EXPECT_EQ(verdictFromName("passed"), std::nullopt);
}
