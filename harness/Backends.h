// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends that this version can run, as a table of file names: the harness is linked to none of them.

#ifndef LOCKSTEP_HARNESS_BACKENDS_H
#define LOCKSTEP_HARNESS_BACKENDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::harness {

struct Backend {
  llvm::StringLiteral name;
  llvm::StringLiteral wrapperLibrary;  ///< In the tool's library folder.
  llvm::StringLiteral driverVariable;  ///< Environment variable with the driver library that the wrapper loads.
  llvm::StringLiteral simulatedDriver; ///< Below the tool's library folder.
  llvm::StringLiteral realDriver;      ///< What the dynamic loader is asked for.
  llvm::StringLiteral driverPackage;   ///< Where the vendor's driver comes from, for messages.
};

llvm::ArrayRef<Backend> backends();

/// Fails with a usage error that says which backends there are.
llvm::Expected<const Backend *> findBackend(llvm::StringRef name);

/// Whether the backend's wrapper library is there.
bool isBuilt(const Backend &backend);

/// The backends that a run takes where it is given none. "sim": those whose wrapper and simulated driver are built;
/// "real": those whose wrapper is; a path: the one that its file name belongs to. At least one.
std::vector<const Backend *> defaultBackends(llvm::StringRef driver);

/// What --driver named, resolved for one backend.
struct Driver {
  std::string name;    ///< As given: "sim", "real" or a path.
  std::string library; ///< What dlopen gets.
};

/// Resolves "sim", "real" or a path. Fails with an environment error that says what was looked for and what to do where
/// a file is missing; whether the library loads and has a device is for a worker to find out.
llvm::Expected<Driver> resolveDriver(const Backend &backend, llvm::StringRef name);

/// The path of the backend's wrapper library.
std::string wrapperLibraryPath(const Backend &backend);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_BACKENDS_H
