// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/JunitWriter.h"
#include "reports/test/SampleResults.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using testing::HasSubstr;
using testing::Not;

static std::string write(const Results &results) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeJunitXml(results, stream);
  return text;
}

TEST(Junit, OneSuiteAScenarioAndOneCaseACell) {
  Results results = sampleResults();
  results.cells.push_back(makeCell("b.mlir", "serial", "eager", Verdict::Skip, "stopped"));
  std::string xml = write(results);
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"lockstep\" tests=\"3\" failures=\"1\" errors=\"0\" time=\"2.500\">\n"
                             "<testsuite name=\"a.mlir\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" "
                             "time=\"0.003\" timestamp=\"2026-12-01T05:06:58\" hostname=\"machine\">\n"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"b.mlir\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"cuda.serial\" name=\"a.mlir, eager\" time=\"0.002\"/>\n"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"skip: stopped\"/>\n"));
  EXPECT_THAT(xml, HasSubstr("<property name=\"commit\" value=\"0123abc with changes\"/>\n"));
}

TEST(Junit, AFailureHoldsEverythingThatIsKnown) {
  EXPECT_THAT(write(sampleResults()),
              HasSubstr("<testcase classname=\"cuda.streams\" name=\"a.mlir, random seed 7\" time=\"0.002\">\n"
                        "<failure message=\"fail: 1 finding\" type=\"order\">[order ORDER-1] copy is not ordered "
                        "behind fill\nto see it alone: lockstep run a.mlir</failure>\n"
                        "<system-out>lockstep run a.mlir</system-out>\n</testcase>\n"));
}

TEST(Junit, EveryVerdictHasItsElement) {
  auto elementOf = [](Verdict verdict) {
    Results results;
    results.cells.push_back(makeCell("a", "serial", "eager", verdict, "why"));
    std::string xml = write(results);
    for (llvm::StringRef element : {"failure", "error", "skipped"})
      if (xml.find(("<" + element + " ").str()) != std::string::npos)
        return element.str();
    return std::string("none");
  };
  EXPECT_EQ(elementOf(Verdict::Pass), "none");
  EXPECT_EQ(elementOf(Verdict::Fail), "failure");
  EXPECT_EQ(elementOf(Verdict::XPass), "failure");
  EXPECT_EQ(elementOf(Verdict::Error), "error");
  EXPECT_EQ(elementOf(Verdict::Crash), "error");
  EXPECT_EQ(elementOf(Verdict::Timeout), "error");
  EXPECT_EQ(elementOf(Verdict::Skip), "skipped");
  EXPECT_EQ(elementOf(Verdict::XFail), "skipped");
}

TEST(Junit, EverythingIsEscaped) {
  Results results = sampleResults();
  CellResult &cell = results.cells[1];
  cell.scenario = "<a & \"b\">\n\x1b";
  cell.findings[0].message = "]]> <x> & \x01 \xff";
  std::string xml = write(results);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"&lt;a &amp; &quot;b&quot;&gt;&#10;␛\""));
  EXPECT_THAT(xml, HasSubstr("]]&gt; &lt;x&gt; &amp; ␁ \xEF\xBF\xBD"));
  EXPECT_THAT(xml, Not(HasSubstr("\x1b")));
}
