// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots of graphs: begin, launch, release. The nodes are in GraphNodes.cpp.

#ifndef LOCKSTEP_RUNTIME_CUDA_GRAPHS_H
#define LOCKSTEP_RUNTIME_CUDA_GRAPHS_H

#include "runtime-api/support/GraphSlots.h"
#include "runtime-cuda/GraphCalls.h"

namespace lockstep::cuda {

inline MgpuGraph toMgpu(runtime::GraphSlot *slot) { return reinterpret_cast<MgpuGraph>(slot); }

/// The slot behind `home`, opened for this thread, with its objects on the default device; null with the failure
/// recorded. Waits for a thread that has it open.
runtime::GraphSlots::Slot openSlot(ApiCall &call, void **home);

/// Gives back all driver objects of a slot that nobody can open any more.
void releaseSlot(ApiCall &call, runtime::GraphSlot &slot);

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_GRAPHS_H
