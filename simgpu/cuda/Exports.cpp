// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported names. Each supported one calls its implementation in namespace lockstep::simgpu::cuda; under a
// per-thread name, stream handle 0 means the per-thread default stream for that call.

#include "simgpu/cuda/Exports.h"

#include "simgpu/cuda/Facade.h"

#include <cstdio>
#include <mutex>

namespace lockstep::simgpu::cuda {

CUresult refuseUnsupported(const char *name, bool &wasSaid) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> guard(mutex);
  if (!wasSaid)
    fprintf(stderr, "lockstep simulated GPU: %s is not supported\n", name);
  wasSaid = true;
  return CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace lockstep::simgpu::cuda

using namespace lockstep::simgpu::cuda;
namespace implementation = lockstep::simgpu::cuda;

#define EXPORT extern "C" __attribute__((visibility("default")))

#define LOCKSTEP_CUDA_CALL(name, parameters, arguments)                                                                \
  EXPORT CUresult name parameters { return implementation::name arguments; }
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments)                                        \
  EXPORT CUresult name parameters { return implementation::name arguments; }                                           \
  EXPORT CUresult per_thread_name parameters {                                                                         \
    lockstep::simgpu::ZeroMeansPerThread scope;                                                                        \
    return implementation::name arguments;                                                                             \
  }
#include "simgpu/cuda/CudaCalls.def"

#define LOCKSTEP_CUDA_UNSUPPORTED(name)                                                                                \
  EXPORT CUresult name() {                                                                                             \
    static bool wasSaid = false;                                                                                       \
    return refuseUnsupported(#name, wasSaid);                                                                          \
  }
#include "simgpu/cuda/CudaUnsupported.def"

namespace lockstep::simgpu::cuda {

const std::vector<ExportedFunction> &listExports() {
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) {#name, reinterpret_cast<void *>(::name)},
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments)                                        \
  {#name, reinterpret_cast<void *>(::name)}, {#per_thread_name, reinterpret_cast<void *>(::per_thread_name)},
#define LOCKSTEP_CUDA_UNSUPPORTED(name) {#name, reinterpret_cast<void *>(::name)},
  static const std::vector<ExportedFunction> functions = {
#include "simgpu/cuda/CudaCalls.def"
#include "simgpu/cuda/CudaUnsupported.def"
  };
  return functions;
}

} // namespace lockstep::simgpu::cuda
