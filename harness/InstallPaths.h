// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_INSTALLPATHS_H
#define LOCKSTEP_HARNESS_INSTALLPATHS_H

#include <string>

namespace lockstep::harness {

/// Where this build of the tool keeps its parts. Absolute paths; a part need not exist.
struct InstallPaths {
  std::string executable;
  std::string libraryDirectory;     ///< Backend libraries, and simulated drivers under sim/.
  std::string sourceRoot;           ///< The checkout that the tool was built from.
  std::string mlirLibraryDirectory; ///< MLIR's own runtime libraries (printMemrefI32 and friends).
};

const InstallPaths &installPaths();

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_INSTALLPATHS_H
