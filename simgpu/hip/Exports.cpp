// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported names. Each supported one calls its implementation in namespace lockstep::simgpu::hip; under a
// per-thread name, stream handle 0 means the thread's own stream for that call.

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
#define LOCKSTEP_HIP_STREAM_CALL(name, per_thread_name, parameters, arguments)                                         \
  EXPORT hipError_t name parameters { return implementation::name arguments; }                                         \
  EXPORT hipError_t per_thread_name parameters {                                                                       \
    lockstep::simgpu::ZeroMeansPerThread scope;                                                                        \
    return implementation::name arguments;                                                                             \
  }
#include "simgpu/hip/HipCalls.def"

EXPORT const char *hipGetErrorName(hipError_t result) { return implementation::hipGetErrorName(result); }
EXPORT const char *hipGetErrorString(hipError_t result) { return implementation::hipGetErrorString(result); }

#define LOCKSTEP_HIP_UNSUPPORTED(name)                                                                                 \
  EXPORT hipError_t name() {                                                                                           \
    static bool wasSaid = false;                                                                                       \
    return refuseUnsupported(#name, wasSaid);                                                                          \
  }
#include "simgpu/hip/HipUnsupported.def"

const std::vector<ExportedFunction> &lockstep::simgpu::hip::listExports() {
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) {#name, reinterpret_cast<void *>(::name)},
#define LOCKSTEP_HIP_STREAM_CALL(name, per_thread_name, parameters, arguments)                                         \
  {#name, reinterpret_cast<void *>(::name)}, {#per_thread_name, reinterpret_cast<void *>(::per_thread_name)},
#define LOCKSTEP_HIP_UNSUPPORTED(name) {#name, reinterpret_cast<void *>(::name)},
  static const std::vector<ExportedFunction> functions = {
      {"hipGetErrorName", reinterpret_cast<void *>(::hipGetErrorName)},
      {"hipGetErrorString", reinterpret_cast<void *>(::hipGetErrorString)},
#include "simgpu/hip/HipCalls.def"
#include "simgpu/hip/HipUnsupported.def"
  };
  return functions;
}
