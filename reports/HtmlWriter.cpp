// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/HtmlWriter.h"

#include "reports/CellGroups.h"
#include "reports/JsonWriter.h"

#include "llvm/Support/JSON.h"

#include <cassert>

// Made by reports/html/bundle.mjs: kPageBefore and kPageAfter, the page before and behind its data.
#if LOCKSTEP_HTML_REPORT
#include "reports/html/HtmlPage.inc"
#else
static constexpr char kPageBefore[] = "";
static constexpr char kPageAfter[] = "";
#endif

using namespace lockstep::reports;

bool lockstep::reports::hasHtmlPage() { return LOCKSTEP_HTML_REPORT; }

/// The results and what the page must know of verdicts to show them.
static std::string pageData(const Results &results) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attributeObject("verdicts", [&] {
      for (Verdict verdict : kAllVerdicts)
        json.attributeObject(verdictName(verdict), [&] {
          json.attribute("meaning", verdictMeaning(verdict));
          json.attribute("unexpected", isUnexpected(verdict));
        });
    });
    json.attributeArray("gravity", [&] {
      for (Verdict verdict : kVerdictsByGravity)
        json.value(verdictName(verdict));
    });
    json.attributeBegin("results");
    writeResultsJson(results, json);
    json.attributeEnd();
  });
  return text;
}

void lockstep::reports::writeHtmlPage(const Results &results, llvm::raw_ostream &stream) {
  assert(hasHtmlPage());
  stream << kPageBefore;
  // In JSON '<' stands in strings only. As an escape it can neither end the script element nor begin a comment.
  for (char c : pageData(results)) {
    if (c == '<')
      stream << "\\u003c";
    else
      stream << c;
  }
  stream << kPageAfter;
}
