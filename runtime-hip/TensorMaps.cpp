// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps are descriptors for NVIDIA's copy engine; AMD's devices have nothing like it.

#include "runtime-hip/ApiCall.h"

using namespace lockstep::hip;

static void refuse(const char *function) {
  ApiCall call(function);
  if (call)
    call.refuse(kMgpuStatusInvalidValue, "the hip backend has no tensor maps; they are a feature of NVIDIA's devices");
}

void mgpuTensorMapEncodeTiled(void *, int32_t, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                              const uint32_t *, int32_t, int32_t, int32_t, int32_t) {
  refuse("mgpuTensorMapEncodeTiled");
}

void *mgpuTensorMapEncodeTiledMemref(int64_t, void *, int32_t, int32_t, int32_t, int32_t, int32_t, int64_t *) {
  refuse("mgpuTensorMapEncodeTiledMemref");
  return nullptr;
}
