// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device copies of tensor maps. The ABI has no call that frees one, so they live until mgpuReset (rule ABI-11).

#ifndef LOCKSTEP_RUNTIME_CUDA_TENSORMAPS_H
#define LOCKSTEP_RUNTIME_CUDA_TENSORMAPS_H

#include "runtime-cuda/Driver.h"

#include <mutex>
#include <vector>

namespace lockstep::cuda {

/// Thread safe.
class TensorMaps {
public:
  void add(CUdeviceptr memory);

  /// Frees all. Errors are dropped: only for mgpuReset.
  void release(const Driver &driver);

private:
  std::mutex mutex;
  std::vector<CUdeviceptr> memories;
};

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_TENSORMAPS_H
