// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/CommandLine.h"
#include "reports/OutputDirectory.h"
#include "reports/RebuildReport.h"
#include "reports/ReportFiles.h"

using namespace lockstep;

namespace {

/// Results as a folder with a report: where the harness and the reports meet.
class ResultsFolder : public harness::ResultsOutput {
public:
  explicit ResultsFolder(reports::OutputDirectory directory) : directory(std::move(directory)) {}

  llvm::Error writeResults(const reports::Results &results) override {
    return reports::writeReport(results, directory);
  }
  llvm::Error writeFile(llvm::StringRef name, llvm::StringRef contents) override {
    return directory.writeFile(name, contents);
  }
  llvm::Error commit() override { return directory.commit(); }

private:
  reports::OutputDirectory directory;
};

} // namespace

static llvm::Expected<std::unique_ptr<harness::ResultsOutput>> openResultsFolder(llvm::StringRef path) {
  llvm::Expected<reports::OutputDirectory> directory = reports::OutputDirectory::create(path);
  if (!directory)
    return directory.takeError();
  return std::make_unique<ResultsFolder>(std::move(*directory));
}

int main(int argc, char **argv) {
  return harness::runCommandLine(argc, argv, openResultsFolder, reports::rebuildReport);
}
