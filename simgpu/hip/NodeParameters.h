// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the vendor's structures to tasks.

#ifndef LOCKSTEP_SIMGPU_HIP_NODEPARAMETERS_H
#define LOCKSTEP_SIMGPU_HIP_NODEPARAMETERS_H

#include "simgpu/core/CopyApi.h"
#include "simgpu/core/ModuleApi.h"
#include "simgpu/hip/Facade.h"

namespace lockstep::simgpu::hip {

/// What a copy says, in CopyCalls.cpp. The second form leaves the pitches alone.
Status readCopy(Call &call, const hipMemcpy3DParms *parameters, Region &destination, Region &source, Extent &extent);
Status readCopy(Call &call, void *dst, const void *src, hipMemcpyKind kind, Region &destination, Region &source);
/// Reads the token list of `extra`, in ModuleCalls.cpp.
Status readExtra(Call &call, void **extra, LaunchArguments &arguments);

// Each judges the parameters of a node; a finding where something is wrong with them. A null pointer is refused.
Status readParameters(Call &call, const hipKernelNodeParams *parameters, Task &task);
Status readParameters(Call &call, const hipMemcpy3DParms *parameters, Task &task);
Status readParameters(Call &call, const hipHostNodeParams *parameters, Task &task);
Status readParameters(Call &call, const hipMemsetParamsOfVersion *parameters, Task &task);
/// Of one dimension.
Status readParameters(Call &call, void *dst, const void *src, size_t bytes, hipMemcpyKind kind, Task &task);
Status readEventRecord(Call &call, hipEvent_t event, Task &task);
Status readEventWait(Call &call, hipEvent_t event, Task &task);

// The way back, for questions.
hipKernelNodeParams describe(const KernelTask &task);
hipMemcpy3DParms describe(const CopyTask &task);
hipHostNodeParams describe(const HostTask &task);
hipMemAllocNodeParams describe(const AllocateTask &task);
/// In the layout of the version.
void describe(const FillTask &task, hipMemsetParamsOfVersion *parameters);

} // namespace lockstep::simgpu::hip

#endif // LOCKSTEP_SIMGPU_HIP_NODEPARAMETERS_H
