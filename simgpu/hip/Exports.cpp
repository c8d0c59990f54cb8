// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported names. Each supported one calls its implementation in namespace lockstep::simgpu::hip.

#include "simgpu/hip/Facade.h"

#include <cstdio>
#include <mutex>

lockstep::simgpu::hip::hipError_t lockstep::simgpu::hip::refuseUnsupported(const char *name, bool &wasSaid) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> guard(mutex);
  if (!wasSaid)
    fprintf(stderr, "lockstep simulated GPU: %s is not supported\n", name);
  wasSaid = true;
  return leave(Status::NotSupported);
}

using namespace lockstep::simgpu::hip;
namespace implementation = lockstep::simgpu::hip;

#define EXPORT extern "C" __attribute__((visibility("default")))

#define LOCKSTEP_HIP_CALL(name, parameters, arguments)                                                                 \
  EXPORT hipError_t name parameters { return implementation::name arguments; }
#include "simgpu/hip/HipCalls.def"

EXPORT const char *hipGetErrorName(hipError_t result) { return implementation::hipGetErrorName(result); }
EXPORT const char *hipGetErrorString(hipError_t result) { return implementation::hipGetErrorString(result); }

#define LOCKSTEP_HIP_UNSUPPORTED(name)                                                                                 \
  EXPORT hipError_t name() {                                                                                           \
    static bool wasSaid = false;                                                                                       \
    return refuseUnsupported(#name, wasSaid);                                                                          \
  }
#include "simgpu/hip/HipUnsupported.def"
