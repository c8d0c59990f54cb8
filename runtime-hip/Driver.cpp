// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <vector>

using namespace lockstep::hip;
using lockstep::runtime::Failure;

/// Debian and AMD's packages for users have the versioned names only; they are tried from the newest.
static constexpr const char *kUnversionedLibrary = "libamdhip64.so";
static constexpr const char *kVersions[] = {".7", ".6", ".5"};

std::string lockstep::hip::formatVersion(int version) {
  return std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100);
}

/// What kDriverVariable names, or null. Empty, it names nothing.
static const char *namedLibrary() {
  const char *named = std::getenv(kDriverVariable);
  return named && *named ? named : nullptr;
}

std::string Driver::wantedLibrary() {
  const char *named = namedLibrary();
  return named ? named : kUnversionedLibrary;
}

std::unique_ptr<Driver> Driver::load(Failure &failure) {
  std::unique_ptr<Driver> driver(new Driver);
  if (!driver->open(failure) || !driver->checkVersion(failure) || !driver->resolve(failure) || !driver->start(failure))
    return nullptr;
  return driver;
}

/// Opens `name`, or the newest version of the unversioned library; null with the loader's first complaint in `problem`.
static void *openLibrary(const std::string &name, std::string &problem) {
  std::vector<std::string> candidates;
  if (name == kUnversionedLibrary)
    for (const char *version : kVersions)
      candidates.push_back(name + version);
  else
    candidates.push_back(name);
  for (const std::string &candidate : candidates) {
    if (void *library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    problem += (problem.empty() ? "" : "; ") + std::string(dlerror());
  }
  return nullptr;
}

bool Driver::open(Failure &failure) {
  requested = wantedLibrary();
  std::string problem;
  library = openLibrary(requested, problem);
  if (!library) {
    failure.kind = kMgpuStatusNoLibrary;
    failure.detail = "cannot load the HIP runtime library '" + requested + "' (" + problem + "); " +
                     (namedLibrary() ? std::string(kDriverVariable) + " names it: correct or unset that variable"
                                     : "install AMD's ROCm, or set " + std::string(kDriverVariable) +
                                           " to a HIP runtime such as the simulated libamdhip64.so.6");
    return false;
  }
  path = requested;
  struct link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name)
    path = map->l_name;
  return true;
}

bool Driver::checkVersion(Failure &failure) {
  auto getVersion =
      reinterpret_cast<decltype(hipRuntimeGetVersion.entry)>(dlsym(library, hipRuntimeGetVersion.spelling));
  if (!getVersion) {
    failure.kind = kMgpuStatusNoSymbol;
    failure.detail = "'" + path + "' does not export hipRuntimeGetVersion, so it is no HIP runtime; " +
                     kDriverVariable + " must name a libamdhip64.so";
    return false;
  }
  hipError_t result = getVersion(&versionNumber);
  if (result != hipSuccess) {
    failure = describe("hipRuntimeGetVersion", result);
    return false;
  }
  if (versionNumber >= kDriverVersionMin)
    return true;
  failure.kind = kMgpuStatusDriverTooOld;
  failure.detail = "the library '" + path + "' is HIP " + formatVersion(versionNumber) + ", but HIP " +
                   formatVersion(kDriverVersionMin) +
                   " is the oldest with stream-ordered allocation (hipMallocAsync); update ROCm";
  return false;
}

/// Fills `function` from `library`; a missing required one is added to `missing`.
template <typename Function> static void resolveOne(void *library, Function &function, std::string &missing) {
  function.entry = reinterpret_cast<typename Function::Entry>(dlsym(library, function.spelling));
  if (!function.entry && function.isRequired)
    missing += std::string(missing.empty() ? "" : ", ") + function.spelling;
}

bool Driver::resolve(Failure &failure) {
  std::string missing;
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS) resolveOne(library, NAME, missing);
#include "runtime-hip/DriverSymbols.def"
  getErrorName = reinterpret_cast<decltype(getErrorName)>(dlsym(library, "hipGetErrorName"));
  getErrorString = reinterpret_cast<decltype(getErrorString)>(dlsym(library, "hipGetErrorString"));
  setOp = reinterpret_cast<LockstepSimSetOpFn>(dlsym(library, LOCKSTEP_SIM_SET_OP_SYMBOL));
  if (missing.empty())
    return true;
  failure.kind = kMgpuStatusNoSymbol;
  failure.detail = "the library '" + path + "' (HIP " + formatVersion(versionNumber) + ") does not export " + missing +
                   ", which this library needs; use a complete libamdhip64.so";
  return false;
}

bool Driver::start(Failure &failure) {
  const char *call = hipInit.name;
  hipError_t result = hipInit(0);
  if (result == hipSuccess) {
    call = hipGetDeviceCount.name;
    result = hipGetDeviceCount(&devices);
  }
  if (result == hipSuccess && devices > 0)
    return true;
  // hipInit of a machine without a device says "invalid device".
  if (result == hipSuccess || result == hipErrorNoDevice || result == hipErrorInvalidDevice) {
    failure.kind = kMgpuStatusNoDevice;
    failure.code = result;
    failure.detail = "the library '" + path + "' reports no device; check rocminfo and HIP_VISIBLE_DEVICES, or set " +
                     kDriverVariable + " to the simulated libamdhip64.so.6";
    return false;
  }
  failure = describe(call, result);
  return false;
}

Failure Driver::describe(const char *call, hipError_t code) const {
  Failure failure;
  failure.kind = kMgpuStatusDriverError;
  failure.code = code;
  failure.call = call;
  // Straight to the driver: looking up a text is no call of the program, so the recorder must not see or fail it.
  const char *text = getErrorName ? getErrorName(code) : nullptr;
  if (text)
    failure.codeName = text;
  text = getErrorString ? getErrorString(code) : nullptr;
  if (text)
    failure.codeText = text;
  return failure;
}
