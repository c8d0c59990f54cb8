// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills on a stream.

#ifndef LOCKSTEP_RUNTIME_CUDA_FILLS_H
#define LOCKSTEP_RUNTIME_CUDA_FILLS_H

#include "runtime-api/support/FillPieces.h"
#include "runtime-cuda/ApiCall.h"

namespace lockstep::cuda {

/// Fills each piece in stream order; false with the failure recorded.
bool fill(ApiCall &call, CUstream stream, const std::vector<runtime::FillPiece> &pieces);

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_FILLS_H
