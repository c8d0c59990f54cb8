// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills of 1, 2, 4 and 8 byte elements. CUDA has none for 8 bytes: it is done as two fills of 4-byte columns, one
// column of each element's low half and one of its high half, both with the element's size as pitch (rule ABI-8).

#ifndef LOCKSTEP_RUNTIME_CUDA_FILLS_H
#define LOCKSTEP_RUNTIME_CUDA_FILLS_H

#include "runtime-cuda/ApiCall.h"

namespace lockstep::cuda {

/// Fills `count` > 0 contiguous elements in stream order; false with the failure recorded.
bool fillRow(ApiCall &call, CUstream stream, CUdeviceptr destination, int64_t elementBytes, uint64_t value,
             size_t count);

/// Fills `height` rows of `count` elements, row starts `pitchBytes` apart; false with the failure recorded.
bool fillRows(ApiCall &call, CUstream stream, CUdeviceptr destination, int64_t elementBytes, uint64_t value,
              size_t count, size_t pitchBytes, size_t height);

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_FILLS_H
