// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the CUDA Driver API's binary interface that this library supports, in its own declarations. Names,
// numbers and layouts are those of the vendor's interface; a test compares them with the vendor's header where it is
// installed. The functions are listed in CudaCalls.def.

#ifndef LOCKSTEP_SIMGPU_CUDA_CUDAAPI_H
#define LOCKSTEP_SIMGPU_CUDA_CUDAAPI_H

#include "simgpu/cuda/CudaGraphTypes.h"
#include "simgpu/cuda/CudaTypes.h"

namespace lockstep::simgpu::cuda {

/// The implementations. Exports.cpp exports each under its own name and, where there is one, its per-thread name.
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) CUresult name parameters;
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments) CUresult name parameters;
#include "simgpu/cuda/CudaCalls.def"

} // namespace lockstep::simgpu::cuda

#endif // LOCKSTEP_SIMGPU_CUDA_CUDAAPI_H
