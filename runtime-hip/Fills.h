// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills on a stream.

#ifndef LOCKSTEP_RUNTIME_HIP_FILLS_H
#define LOCKSTEP_RUNTIME_HIP_FILLS_H

#include "runtime-api/support/FillPieces.h"
#include "runtime-hip/ApiCall.h"

namespace lockstep::hip {

/// Fills each piece in stream order; false with the failure recorded.
bool fill(ApiCall &call, hipStream_t stream, const std::vector<runtime::FillPiece> &pieces);

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_FILLS_H
