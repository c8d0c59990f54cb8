// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the vendor's structures for nodes of graphs to tasks, and back.

#ifndef LOCKSTEP_SIMGPU_CUDA_NODEPARAMETERS_H
#define LOCKSTEP_SIMGPU_CUDA_NODEPARAMETERS_H

#include "simgpu/core/ModuleApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

/// A task as parameters describe it, and the context that they name (null: the current one).
struct NodeWork {
  Task task;
  std::shared_ptr<Context> context;
};

/// Each judges the parameters; a finding where something is wrong with them. A null pointer is refused.
Status readParameters(Call &call, const CUDA_KERNEL_NODE_PARAMS_v1 *parameters, NodeWork &work);
Status readParameters(Call &call, const CUDA_KERNEL_NODE_PARAMS *parameters, NodeWork &work);
Status readParameters(Call &call, const CUDA_HOST_NODE_PARAMS *parameters, NodeWork &work);
Status readParameters(Call &call, const CUDA_MEMCPY3D *parameters, CUcontext context, NodeWork &work);
Status readParameters(Call &call, const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context, NodeWork &work);
Status readEventRecord(Call &call, CUevent event, NodeWork &work);
Status readEventWait(Call &call, CUevent event, NodeWork &work);
/// All kinds whose parameters are all that they are; child graphs, allocations and frees are not.
Status readParameters(Call &call, const CUgraphNodeParams *parameters, NodeWork &work);

CUDA_KERNEL_NODE_PARAMS describe(const KernelTask &task);
/// The same copy, though not always with the fields that the program gave.
CUDA_MEMCPY3D describe(const CopyTask &task);
CUDA_MEMSET_NODE_PARAMS describe(const FillTask &task);

/// What a copy of the driver API says, in CopyCalls.cpp.
Status readCopy(Call &call, const CUDA_MEMCPY3D *parameters, Region &destination, Region &source, Extent &extent);
/// Reads the token list of `extra`, in ModuleCalls.cpp.
Status readExtra(Call &call, void **extra, LaunchArguments &arguments);

} // namespace lockstep::simgpu::cuda

#endif // LOCKSTEP_SIMGPU_CUDA_NODEPARAMETERS_H
