// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Backends.h"

#include "harness/ExitStatus.h"
#include "harness/InstallPaths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace lockstep::harness;
using llvm::StringRef;

static constexpr Backend kBackends[] = {
    {"cuda", "liblockstep_runtime_cuda.so", "LOCKSTEP_CUDA_DRIVER", "sim/libcuda.so.1", "libcuda.so.1",
     "NVIDIA's display driver (package libcuda1)"},
    {"hip", "liblockstep_runtime_hip.so", "LOCKSTEP_HIP_DRIVER", "sim/libamdhip64.so.6", "libamdhip64.so",
     "AMD's HIP runtime (ROCm 5 or later)"},
};

llvm::ArrayRef<Backend> lockstep::harness::backends() { return kBackends; }

llvm::Expected<const Backend *> lockstep::harness::findBackend(StringRef name) {
  for (const Backend &backend : kBackends)
    if (backend.name == name)
      return &backend;
  return unknownNameError("backend", name, {kBackends[0].name, kBackends[1].name});
}

static std::string inLibraryDirectory(StringRef name) {
  llvm::SmallString<128> file(installPaths().libraryDirectory);
  llvm::sys::path::append(file, name);
  return file.str().str();
}

std::string lockstep::harness::wrapperLibraryPath(const Backend &backend) {
  return inLibraryDirectory(backend.wrapperLibrary);
}

bool lockstep::harness::isBuilt(const Backend &backend) { return llvm::sys::fs::exists(wrapperLibraryPath(backend)); }

std::vector<const Backend *> lockstep::harness::defaultBackends(StringRef driver) {
  bool isPath = driver.contains('/');
  std::vector<const Backend *> chosen;
  for (const Backend &backend : kBackends) {
    bool isWanted = isPath ? llvm::sys::path::filename(driver).starts_with(backend.realDriver.split('.').first)
                           : isBuilt(backend) && (driver != "sim" ||
                                                  llvm::sys::fs::exists(inLibraryDirectory(backend.simulatedDriver)));
    if (isWanted)
      chosen.push_back(&backend);
  }
  // Without any, the first says what is missing.
  if (chosen.empty())
    chosen.push_back(&kBackends[0]);
  return chosen;
}

llvm::Expected<Driver> lockstep::harness::resolveDriver(const Backend &backend, StringRef name) {
  if (!isBuilt(backend))
    return environmentError("the " + backend.name + " backend is not built: looked for '" +
                            wrapperLibraryPath(backend) + "'; build the whole project (./lockstep does)");
  if (name == "real")
    return Driver{name.str(), backend.realDriver.str()};
  if (name == "sim") {
    std::string library = inLibraryDirectory(backend.simulatedDriver);
    if (!llvm::sys::fs::exists(library))
      return environmentError("the simulated driver is not built: looked for '" + library +
                              "'; build the whole project (./lockstep does)");
    return Driver{name.str(), library};
  }
  if (!name.contains('/'))
    return usageError("unknown driver '" + name + "'; known: sim, real, or the path of a library (with a '/')");
  if (!llvm::sys::fs::is_regular_file(name))
    return environmentError("driver library not found: looked for '" + name +
                            "'; --driver takes sim, real, or the path of a library");
  llvm::SmallString<128> library(name);
  llvm::sys::fs::make_absolute(library);
  return Driver{name.str(), library.str().str()};
}
