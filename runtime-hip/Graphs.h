// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots of graphs: begin, launch, release. The nodes are in GraphNodes.cpp.

#ifndef LOCKSTEP_RUNTIME_HIP_GRAPHS_H
#define LOCKSTEP_RUNTIME_HIP_GRAPHS_H

#include "runtime-api/support/GraphSlots.h"
#include "runtime-hip/GraphCalls.h"

namespace lockstep::hip {

inline MgpuGraph toMgpu(runtime::GraphSlot *slot) { return reinterpret_cast<MgpuGraph>(slot); }

/// The slot behind `home`, opened for this thread, with its objects on the default device; null with the failure
/// recorded. Waits for a thread that has it open.
runtime::GraphSlots::Slot openSlot(ApiCall &call, void **home);

/// Orders a launch on `stream` behind the slot's launch before, where that was on another stream: HIP does not promise
/// that for launches of one executable graph, as CUDA does, and the slot's allocations need it too. False with the
/// failure recorded.
bool waitForLastLaunch(ApiCall &call, runtime::GraphSlot &slot, hipStream_t stream);

/// Gives back all driver objects of a slot that nobody can open any more.
void releaseSlot(ApiCall &call, runtime::GraphSlot &slot);

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_GRAPHS_H
