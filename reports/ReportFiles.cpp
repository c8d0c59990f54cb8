// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/ReportFiles.h"

#include "reports/CellOrder.h"
#include "reports/CtrfWriter.h"
#include "reports/HtmlWriter.h"
#include "reports/JsonWriter.h"
#include "reports/JunitWriter.h"
#include "reports/MarkdownWriter.h"
#include "reports/TraceWriter.h"

using namespace lockstep::reports;

static llvm::Error writeWith(void (*write)(const Results &, llvm::raw_ostream &), llvm::StringRef name,
                             const Results &results, OutputDirectory &directory) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  write(results, stream);
  return directory.writeFile(name, text);
}

llvm::Error lockstep::reports::writeReport(Results results, OutputDirectory &directory) {
  sortCells(results.cells);
  if (llvm::Error error = writeWith(writeResultsJson, "results.json", results, directory))
    return error;
  if (llvm::Error error = writeWith(writeJunitXml, "junit.xml", results, directory))
    return error;
  if (llvm::Error error = writeWith(writeCtrfJson, "ctrf.json", results, directory))
    return error;
  if (hasHtmlPage())
    if (llvm::Error error = writeWith(writeHtmlPage, "report.html", results, directory))
      return error;
  for (const auto &[name, cell] : traceFiles(results)) {
    std::string trace;
    llvm::raw_string_ostream stream(trace);
    writeTrace(*cell, stream);
    if (llvm::Error error = directory.writeFile("traces/" + name, trace))
      return error;
  }
  return directory.writeFile("report.md", markdownReport(results));
}
