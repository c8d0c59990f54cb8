// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all exported driver functions.

#ifndef LOCKSTEP_SIMGPU_CUDA_EXPORTS_H
#define LOCKSTEP_SIMGPU_CUDA_EXPORTS_H

#include <vector>

namespace lockstep::simgpu::cuda {

struct ExportedFunction {
  const char *name; ///< The full spelling: "cuMemAlloc_v2", "cuMemcpyAsync_ptsz".
  void *address;
};

const std::vector<ExportedFunction> &listExports();

} // namespace lockstep::simgpu::cuda

#endif // LOCKSTEP_SIMGPU_CUDA_EXPORTS_H
