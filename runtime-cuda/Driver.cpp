// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

using namespace lockstep::cuda;
using lockstep::runtime::Failure;

std::string lockstep::cuda::formatVersion(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// What kDriverVariable names, or null. Empty, it names nothing.
static const char *namedLibrary() {
  const char *named = std::getenv(kDriverVariable);
  return named && *named ? named : nullptr;
}

std::string Driver::wantedLibrary() {
  const char *named = namedLibrary();
  return named ? named : "libcuda.so.1";
}

std::unique_ptr<Driver> Driver::load(Failure &failure) {
  std::unique_ptr<Driver> driver(new Driver);
  if (!driver->open(failure) || !driver->checkVersion(failure) || !driver->resolve(failure) || !driver->start(failure))
    return nullptr;
  return driver;
}

bool Driver::open(Failure &failure) {
  requested = wantedLibrary();
  library = dlopen(requested.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failure.kind = kMgpuStatusNoLibrary;
    failure.detail = "cannot load the CUDA driver library '" + requested + "' (" + dlerror() + "); " +
                     (namedLibrary() ? std::string(kDriverVariable) + " names it: correct or unset that variable"
                                     : "install the NVIDIA driver, or set " + std::string(kDriverVariable) +
                                           " to a driver library such as the simulated libcuda.so.1");
    return false;
  }
  path = requested;
  struct link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name)
    path = map->l_name;
  return true;
}

bool Driver::checkVersion(Failure &failure) {
  auto getVersion = reinterpret_cast<decltype(cuDriverGetVersion.entry)>(dlsym(library, cuDriverGetVersion.spelling));
  if (!getVersion) {
    failure.kind = kMgpuStatusNoSymbol;
    failure.detail = "'" + path + "' does not export cuDriverGetVersion, so it is no CUDA driver; " + kDriverVariable +
                     " must name a libcuda.so.1";
    return false;
  }
  CUresult result = getVersion(&versionNumber);
  if (result != CUDA_SUCCESS) {
    failure = describe("cuDriverGetVersion", result);
    return false;
  }
  if (versionNumber >= kDriverVersionMin)
    return true;
  failure.kind = kMgpuStatusDriverTooOld;
  failure.detail = "the driver '" + path + "' supports CUDA " + formatVersion(versionNumber) + ", but CUDA " +
                   formatVersion(kDriverVersionMin) +
                   " is the oldest with stream-ordered allocation (cuMemAllocAsync); update the NVIDIA driver";
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
#include "runtime-cuda/DriverSymbols.def"
  setOp = reinterpret_cast<LockstepSimSetOpFn>(dlsym(library, LOCKSTEP_SIM_SET_OP_SYMBOL));
  if (missing.empty())
    return true;
  failure.kind = kMgpuStatusNoSymbol;
  failure.detail = "the driver '" + path + "' (CUDA " + formatVersion(versionNumber) + ") does not export " + missing +
                   ", which this library needs; use a complete libcuda.so.1";
  return false;
}

bool Driver::start(Failure &failure) {
  const char *call = cuInit.name;
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) {
    call = cuDeviceGetCount.name;
    result = cuDeviceGetCount(&devices);
  }
  if (result == CUDA_SUCCESS && devices > 0)
    return true;
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_NO_DEVICE) {
    failure.kind = kMgpuStatusNoDevice;
    failure.code = result;
    failure.detail = "the driver '" + path + "' reports no device; check nvidia-smi and CUDA_VISIBLE_DEVICES, or set " +
                     kDriverVariable + " to the simulated libcuda.so.1";
    return false;
  }
  failure = describe(call, result);
  if (result == CUDA_ERROR_STUB_LIBRARY) {
    failure.kind = kMgpuStatusNoLibrary;
    failure.detail =
        "'" + path + "' is the CUDA toolkit's stub for linking, not a driver; remove it from the library path";
  } else if (result == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) {
    failure.detail = "the kernel module and '" + path + "' are of different versions; reboot or reinstall the driver";
  }
  return false;
}

Failure Driver::describe(const char *call, CUresult code) const {
  Failure failure;
  failure.kind = kMgpuStatusDriverError;
  failure.code = code;
  failure.call = call;
  // Straight to the driver: looking up a text is no call of the program, so the recorder must not see or fail it.
  const char *text = nullptr;
  if (cuGetErrorName.entry && cuGetErrorName.entry(code, &text) == CUDA_SUCCESS && text)
    failure.codeName = text;
  text = nullptr;
  if (cuGetErrorString.entry && cuGetErrorString.entry(code, &text) == CUDA_SUCCESS && text)
    failure.codeText = text;
  return failure;
}
