// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_HIP_HIPAPI_H
#define LOCKSTEP_SIMGPU_HIP_HIPAPI_H

#include "simgpu/hip/HipTypes.h"

namespace lockstep::simgpu::hip {

/// The implementations. Exports.cpp exports each under its own name.
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) hipError_t name parameters;
#include "simgpu/hip/HipCalls.def"

const char *hipGetErrorName(hipError_t result);
const char *hipGetErrorString(hipError_t result);

} // namespace lockstep::simgpu::hip

#endif // LOCKSTEP_SIMGPU_HIP_HIPAPI_H
