// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HIP runtime as this library sees it: found at run time, checked, and called through a table.

#ifndef LOCKSTEP_RUNTIME_HIP_DRIVER_H
#define LOCKSTEP_RUNTIME_HIP_DRIVER_H

#include "runtime-api/DriverControl.h"
#include "runtime-api/support/Status.h"
#include "runtime-hip/DriverFunction.h"

#include <memory>
#include <string>

namespace lockstep::hip {

/// HIP 5.2 is the oldest with stream-ordered allocation (hipMallocAsync), on which mgpuMemAlloc rests.
constexpr int kDriverVersionMin = 50200000;

/// From this version on hipMemsetParams has another layout.
constexpr int kDriverVersion7 = 70000000;

/// The environment variable that names the driver library to load.
constexpr const char *kDriverVariable = "LOCKSTEP_HIP_DRIVER";

/// A loaded, initialised driver with at least one device. Constant between load() or start() and the next reset, so
/// that threads share it freely.
class Driver {
public:
  /// Loads the library that kDriverVariable names, else libamdhip64.so of version 7, 6 or 5; checks its version before
  /// its symbols, because an old driver is better called old than incomplete; initialises it and counts its devices.
  /// Returns null with `failure` filled where one of these fails. A library once loaded stays loaded: its threads may
  /// be inside it.
  static std::unique_ptr<Driver> load(runtime::Failure &failure);

  /// Initialises the driver and counts its devices, again after a reset. Returns false with `failure` filled.
  bool start(runtime::Failure &failure);

  /// A failure of `call` with the driver's name and text for `code`.
  runtime::Failure describe(const char *call, hipError_t code) const;

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

  /// What load() would look for now: the value of kDriverVariable, or "libamdhip64.so".
  static std::string wantedLibrary();

  enum class Need { Required, Optional };
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS)                                                       \
  DriverFunction<hipError_t PARAMETERS> NAME{#NAME, SPELLING, Need::NEED == Need::Required};
#include "runtime-hip/DriverSymbols.def"

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
  /// These return texts and no codes, so they are not in the table.
  const char *(*getErrorName)(hipError_t) = nullptr;
  const char *(*getErrorString)(hipError_t) = nullptr;
};

/// "6.3" for 60342134.
std::string formatVersion(int version);

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_DRIVER_H
