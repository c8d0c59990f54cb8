// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/HtmlWriter.h"
#include "reports/MarkdownText.h"
#include "reports/MarkdownWriter.h"
#include "reports/PlainText.h"
#include "reports/test/SampleResults.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using testing::HasSubstr;
using testing::Not;

TEST(PlainText, ControlCharactersBecomePictures) {
  EXPECT_EQ(plainText("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(plainText(llvm::StringRef("\0\x1b\r\x7f", 4)), "␀␛␍␡");
  EXPECT_EQ(plainText("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(plainText("x\xEF\xBF\xBEy\xEF\xBF\xBFz"), "x\xEF\xBF\xBDy\xEF\xBF\xBDz");
  EXPECT_EQ(plainText("é€😀"), "é€😀");
}

TEST(PlainText, CutsBetweenCharacters) {
  EXPECT_EQ(cutText("abcdef", 6), "abcdef");
  EXPECT_EQ(cutText("abcdefg", 6), "abc…");
  EXPECT_EQ(cutText("ab€defg", 7), "ab…");
  EXPECT_EQ(cutText("ab€defg", 8), "ab€…");
}

TEST(PlainText, FindingsAreLabelledAndCounted) {
  CellResult cell = makeFailingCell();
  EXPECT_EQ(findingsText(cell, 3), "[order ORDER-1] copy is not ordered behind fill");
  cell.findings.push_back({"leak", "", "2 buffers", {}, ""});
  cell.findings.push_back({"leak", "", "3 buffers", {}, ""});
  EXPECT_EQ(findingsText(cell, 2), "[order ORDER-1] copy is not ordered behind fill\n[leak] 2 buffers\n"
                                   "… and 1 more finding");
  cell.findings.clear();
  EXPECT_EQ(findingsText(cell, 3), "1 finding");
}

TEST(MarkdownText, NothingEndsCode) {
  EXPECT_EQ(codeSpan("a|b"), "`a\\|b`");
  EXPECT_EQ(codeSpan("a``b"), "```a``b```");
  EXPECT_EQ(codeSpan("`a"), "`` `a ``");
  EXPECT_EQ(codeSpan("a\nb"), "`a b`");
  EXPECT_EQ(codeSpan(""), "`  `");
  EXPECT_EQ(codeBlock("a\n```\n</details>", "text"), "````text\na\n```\n</details>\n````\n");
}

TEST(MarkdownText, WordsAreNoMarkup) {
  EXPECT_EQ(words("<b> [x](y) *z* | a&b"), "&lt;b&gt; \\[x\\]\\(y\\) \\*z\\* \\| a&amp;b");
  EXPECT_EQ(words("@team #12"), "@<!-- -->team #<!-- -->12");
}

TEST(Markdown, ShowsTotalsMatrixFindingsAndHowToRepeatThem) {
  std::string report = markdownReport(sampleResults());
  EXPECT_THAT(report, HasSubstr("## Lockstep: 1 of 2 cells is not as expected\n"));
  EXPECT_THAT(report, HasSubstr("| fail | 1 | the program came to its end, and something is wrong |\n"));
  EXPECT_THAT(report, HasSubstr("| program | cuda serial | cuda streams |\n|---|---|---|\n"
                                "| `a.mlir` | pass 1/1 | **fail** 0/1 |\n"));
  EXPECT_THAT(report, HasSubstr("#### fail: `a.mlir`, cuda streams\n\nSchedules: random seed 7\n\n```text\n"
                                "[order ORDER-1] copy is not ordered behind fill\n```\n"
                                "To see it alone:\n```sh\nlockstep run a.mlir\n```\n"));
  EXPECT_THAT(report, HasSubstr("| commit | `0123abc, with changes` |\n"));
  EXPECT_THAT(report, HasSubstr("| CUDA driver | `simulated, libcuda.so.1, version 13.0` |\n"));
}

TEST(Markdown, OfGoodResultsItSaysSoAndShowsNoMatrix) {
  Results results = sampleResults();
  results.cells.pop_back();
  results.cells.push_back(makeCell("b.mlir", "upstream", "eager", Verdict::XFail, "W3: [x](y)"));
  std::string report = markdownReport(results);
  EXPECT_THAT(report, HasSubstr("## Lockstep: 2 cells as expected\n"));
  EXPECT_THAT(report, Not(HasSubstr("### ")));
  EXPECT_THAT(report, HasSubstr("| `b.mlir` | cuda upstream | W3:<!-- --> \\[x\\]\\(y\\) |\n"));
  EXPECT_THAT(markdownReport({}), HasSubstr("## Lockstep: no cells\n"));
}

/// More of everything than a comment takes, in the characters that grow most when they are escaped.
static Results hugeResults(size_t scenarios) {
  std::string nasty(5000, '`');
  nasty += std::string(5000, '#') + std::string(5000, '|') + std::string(5000, '\x1b');
  Results results = sampleResults();
  results.run.command = nasty;
  results.run.host.cpu = nasty;
  for (int i = 0; i < 100; ++i)
    results.run.drivers.push_back({"cuda", "sim", nasty, "13.0", true});
  results.cells.clear();
  for (size_t i = 0; i < scenarios; ++i)
    for (int lowering = 0; lowering < 30; ++lowering) {
      CellResult cell = makeCell(std::to_string(i) + nasty, std::to_string(lowering) + nasty, "eager",
                                 lowering % 2 ? Verdict::Fail : Verdict::XFail, nasty);
      cell.repro = nasty;
      for (int finding = 0; finding < 5; ++finding)
        cell.findings.push_back({nasty, nasty, nasty, {}, nasty});
      results.cells.push_back(std::move(cell));
    }
  return results;
}

TEST(Markdown, SaysWhereThereIsNoPage) {
  EXPECT_EQ(markdownReport({}).find("There is no report.html") == std::string::npos, hasHtmlPage());
}

TEST(Markdown, FitsAComment) {
  for (size_t scenarios : {1, 20}) {
    std::string report = markdownReport(hugeResults(scenarios));
    EXPECT_LE(report.size(), kMarkdownBytesMax);
  }
  // Of many ordinary cells as many as fit are shown, and the rest is counted.
  Results results = sampleResults();
  results.cells.clear();
  for (int i = 0; i < 5000; ++i)
    results.cells.push_back(makeCell(std::to_string(i) + ".mlir", "streams", "eager", Verdict::Fail, "1 finding"));
  std::string report = markdownReport(results);
  EXPECT_LE(report.size(), kMarkdownBytesMax);
  EXPECT_GT(report.size(), 40000u);
  EXPECT_THAT(report, testing::ContainsRegex("… and [0-9]+ more programs\\."));
  EXPECT_THAT(report,
              testing::ContainsRegex("… and [0-9]+ more faults in [0-9]+ cells: see (report.html|results.json)\\."));
}
