// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page does in a browser is tested by page_test.mjs; here only what is written into it.

#include "reports/HtmlWriter.h"
#include "reports/ResultsReader.h"
#include "reports/test/SampleResults.h"

#include "llvm/Support/JSON.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using llvm::StringRef;

namespace {

class HtmlTest : public testing::Test {
protected:
  void SetUp() override {
    if (!hasHtmlPage())
      GTEST_SKIP() << "this build has no page: npm was missing or could not fetch its libraries";
  }

  std::string write(const Results &results) {
    std::string page;
    llvm::raw_string_ostream stream(page);
    writeHtmlPage(results, stream);
    return page;
  }
  /// What stands between the element with the data and the end of its script.
  StringRef dataOf(StringRef page) {
    return page.split("<script type=\"application/json\" id=\"data\">").second.split("</script>").first;
  }
};

} // namespace

TEST_F(HtmlTest, HoldsTheResultsAsTheyAre) {
  std::string page = write(sampleResults());
  llvm::json::Value data = llvm::cantFail(llvm::json::parse(dataOf(page)));
  std::string results = llvm::formatv("{0}", *data.getAsObject()->get("results"));
  EXPECT_EQ(llvm::cantFail(parseResults(results, "page")).cells[1].findings[0].rule, "ORDER-1");
  EXPECT_EQ(data.getAsObject()->getObject("verdicts")->size(), kAllVerdicts.size());
  EXPECT_EQ(data.getAsObject()->getArray("gravity")->size(), kAllVerdicts.size());
}

TEST_F(HtmlTest, NoTextOfResultsEndsTheData) {
  Results results = sampleResults();
  results.cells[1].findings[0].message = "</script><script>alert(1)</script><!-- ";
  std::string page = write(results);
  EXPECT_EQ(dataOf(page).count('<'), 0u);
  llvm::json::Value data = llvm::cantFail(llvm::json::parse(dataOf(page)));
  std::string text = llvm::formatv("{0}", *data.getAsObject()->get("results"));
  EXPECT_EQ(llvm::cantFail(parseResults(text, "page")).cells[1].findings[0].message,
            results.cells[1].findings[0].message);
}

TEST_F(HtmlTest, LoadsNothing) {
  std::string page = write(sampleResults());
  for (StringRef loader : {" src=", "<link", "@import", "url(http"})
    EXPECT_FALSE(StringRef(page).contains(loader)) << loader.str();
  EXPECT_TRUE(StringRef(page).contains("default-src 'none'"));
  EXPECT_TRUE(StringRef(page).ends_with("</html>\n"));
}
