// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/OutputDirectory.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>

using namespace lockstep::reports;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The file whose presence says that a folder holds results and may be replaced.
static constexpr llvm::StringLiteral kMarkerFile = "results.json";

static llvm::Error failure(const Twine &message, std::error_code code = {}) {
  if (!code)
    return llvm::createStringError(message);
  return llvm::createStringError(message + ": " + code.message());
}

static llvm::Error checkReplaceable(StringRef directory) {
  fs::file_status status;
  if (fs::status(directory, status))
    return llvm::Error::success();
  if (!fs::is_directory(status))
    return failure("'" + directory + "' exists and is not a directory");
  std::error_code code;
  bool isEmpty = fs::directory_iterator(directory, code) == fs::directory_iterator();
  llvm::SmallString<128> marker(directory);
  path::append(marker, kMarkerFile);
  if (code || isEmpty || fs::exists(marker))
    return code ? failure("cannot read '" + directory + "'", code) : llvm::Error::success();
  return failure("'" + directory + "' holds files but no " + kMarkerFile + ": it is not replaced; choose another");
}

llvm::Expected<OutputDirectory> OutputDirectory::create(StringRef directory) {
  llvm::SmallString<128> target(directory);
  if (std::error_code code = fs::make_absolute(target))
    return failure("cannot resolve '" + directory + "'", code);
  path::remove_dots(target, /*remove_dot_dot=*/true);
  while (target.size() > 1 && path::is_separator(target.back()))
    target.pop_back();
  if (llvm::Error error = checkReplaceable(target))
    return error;
  if (std::error_code code = fs::create_directories(path::parent_path(target)))
    return failure("cannot create '" + path::parent_path(target) + "'", code);
  llvm::SmallString<128> temporary;
  if (std::error_code code = fs::createUniqueDirectory(target + ".partial", temporary))
    return failure("cannot create a folder beside '" + target + "'", code);
  // createUniqueDirectory makes a private folder; results are for everybody whom the umask lets.
  mode_t mask = umask(0);
  umask(mask);
  chmod(temporary.c_str(), 0777 & ~mask);
  return OutputDirectory(target.str().str(), temporary.str().str());
}

OutputDirectory::OutputDirectory(OutputDirectory &&other)
    : path(std::move(other.path)), temporary(std::exchange(other.temporary, {})) {}

OutputDirectory::~OutputDirectory() {
  if (!temporary.empty())
    fs::remove_directories(temporary);
}

llvm::Error OutputDirectory::writeFile(StringRef name, StringRef contents) {
  llvm::SmallString<128> file(temporary);
  path::append(file, name);
  if (std::error_code code = fs::create_directories(path::parent_path(file)))
    return failure("cannot create '" + path::parent_path(file) + "'", code);
  std::error_code code;
  llvm::raw_fd_ostream stream(file, code);
  if (code)
    return failure("cannot write '" + file + "'", code);
  stream << contents;
  stream.close();
  if (stream.has_error()) {
    code = stream.error();
    stream.clear_error();
    return failure("cannot write '" + file + "'", code);
  }
  return llvm::Error::success();
}

llvm::Error OutputDirectory::commit() {
  if (fs::exists(path)) {
    // Swapping the two names leaves no moment in which neither is there.
    if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) != 0)
      return failure("cannot replace '" + path + "'", std::error_code(errno, std::generic_category()));
    fs::remove_directories(temporary);
  } else if (std::error_code code = fs::rename(temporary, path)) {
    return failure("cannot rename to '" + path + "'", code);
  }
  temporary.clear();
  return llvm::Error::success();
}
