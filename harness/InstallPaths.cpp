// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/InstallPaths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace lockstep::harness;

static InstallPaths findInstallPaths() {
  InstallPaths paths;
  // Anything of this program serves as the address that getMainExecutable wants on systems without /proc.
  static int anchor;
  paths.executable = llvm::sys::fs::getMainExecutable("lockstep", &anchor);
  llvm::SmallString<128> library(llvm::sys::path::parent_path(llvm::sys::path::parent_path(paths.executable)));
  llvm::sys::path::append(library, "lib");
  paths.libraryDirectory = library.str();
  paths.sourceRoot = LOCKSTEP_SOURCE_ROOT;
  paths.mlirLibraryDirectory = LOCKSTEP_MLIR_LIBRARY_DIRECTORY;
  return paths;
}

const InstallPaths &lockstep::harness::installPaths() {
  static const InstallPaths paths = findInstallPaths();
  return paths;
}
