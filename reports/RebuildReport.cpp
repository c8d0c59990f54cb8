// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/RebuildReport.h"

#include "reports/OutputDirectory.h"
#include "reports/ReportFiles.h"
#include "reports/ResultsMerge.h"
#include "reports/ResultsReader.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace lockstep::reports;
namespace fs = llvm::sys::fs;

static bool isInside(llvm::StringRef file, llvm::StringRef directory) {
  llvm::SmallString<128> realFile, realDirectory;
  if (fs::real_path(file, realFile) || fs::real_path(directory, realDirectory))
    return false;
  return realFile.starts_with((realDirectory + "/").str());
}

llvm::Expected<Results> lockstep::reports::rebuildReport(llvm::ArrayRef<std::string> files, llvm::StringRef directory) {
  std::vector<NamedResults> shards;
  for (const std::string &file : files) {
    llvm::Expected<Results> results = readResults(file);
    if (!results)
      return results.takeError();
    shards.push_back({file, std::move(*results)});
    if (isInside(file, directory))
      return llvm::createStringError("'" + directory + "' holds '" + file +
                                     "', and is replaced as a whole: choose another");
  }
  llvm::Expected<Results> results = mergeResults(shards);
  if (!results)
    return results.takeError();
  llvm::Expected<OutputDirectory> output = OutputDirectory::create(directory);
  if (!output)
    return output.takeError();
  if (llvm::Error error = writeReport(*results, *output))
    return error;
  if (llvm::Error error = output->commit())
    return error;
  return results;
}
