// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver as this library sees it: found at run time, checked, and called through a table.

#ifndef LOCKSTEP_RUNTIME_CUDA_DRIVER_H
#define LOCKSTEP_RUNTIME_CUDA_DRIVER_H

#include "runtime-api/DriverControl.h"
#include "runtime-api/support/Status.h"
#include "runtime-cuda/DriverFunction.h"

#include <memory>
#include <string>

namespace lockstep::cuda {

/// CUDA 11.2 is the oldest driver with stream-ordered allocation (cuMemAllocAsync), on which mgpuMemAlloc rests.
constexpr int kDriverVersionMin = 11020;

/// The environment variable that names the driver library to load.
constexpr const char *kDriverVariable = "LOCKSTEP_CUDA_DRIVER";

/// A loaded, initialised driver with at least one device. Constant between load() or start() and the next reset, so
/// that threads share it freely.
class Driver {
public:
  /// Loads the library that kDriverVariable names, else libcuda.so.1; checks its version before its symbols, because an
  /// old driver is better called old than incomplete; initialises it and counts its devices. Returns null with
  /// `failure` filled where one of these fails. A library once loaded stays loaded: its threads may be inside it.
  static std::unique_ptr<Driver> load(runtime::Failure &failure);

  /// Initialises the driver and counts its devices, again after a reset. Returns false with `failure` filled.
  bool start(runtime::Failure &failure);

  /// A failure of `call` with the driver's name and text for `code`.
  runtime::Failure describe(const char *call, CUresult code) const;

  const std::string &libraryPath() const { return path; }
  const std::string &requestedLibrary() const { return requested; }
  int version() const { return versionNumber; }
  int deviceCount() const { return devices; }
  bool isSimulated() const { return setOp != nullptr; }

  /// Tells a simulated driver which op the calling thread works for; nothing on a real one.
  void forwardOp(const char *op) const {
    if (setOp)
      setOp(op);
  }

  /// What load() would look for now: the value of kDriverVariable, or "libcuda.so.1".
  static std::string wantedLibrary();

  enum class Need { Required, Optional };
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS)                                                       \
  DriverFunction<CUresult PARAMETERS> NAME{#NAME, SPELLING, Need::NEED == Need::Required};
#include "runtime-cuda/DriverSymbols.def"

private:
  Driver() = default;
  bool open(runtime::Failure &failure);
  bool checkVersion(runtime::Failure &failure);
  bool resolve(runtime::Failure &failure);

  void *library = nullptr;
  std::string requested;
  std::string path;
  int versionNumber = 0;
  int devices = 0;
  LockstepSimSetOpFn setOp = nullptr;
};

/// "13.0" for 13000.
std::string formatVersion(int version);

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_DRIVER_H
