// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of results that appears as a whole or not at all: files are written into a folder beside it, which takes its
// name when everything is there. A run that is killed leaves the old results as they were.

#ifndef LOCKSTEP_REPORTS_OUTPUTDIRECTORY_H
#define LOCKSTEP_REPORTS_OUTPUTDIRECTORY_H

#include "llvm/Support/Error.h"

#include <string>

namespace lockstep::reports {

class OutputDirectory {
public:
  /// Checks that `path` can take results (it does not exist, is empty, or holds results of before) and creates the
  /// folder beside it. Fails with one line otherwise; anything else in `path` is left alone and is such a failure.
  static llvm::Expected<OutputDirectory> create(llvm::StringRef path);

  OutputDirectory(OutputDirectory &&other);
  OutputDirectory &operator=(OutputDirectory &&) = delete;
  /// Removes what was written unless `commit` succeeded.
  ~OutputDirectory();

  /// Writes one file; `name` may contain folders, which are created.
  llvm::Error writeFile(llvm::StringRef name, llvm::StringRef contents);

  /// Puts the files in place of the old results.
  llvm::Error commit();

private:
  OutputDirectory(std::string path, std::string temporary) : path(std::move(path)), temporary(std::move(temporary)) {}

  std::string path;
  std::string temporary; ///< Empty once committed or moved from.
};

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_OUTPUTDIRECTORY_H
