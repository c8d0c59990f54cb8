// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long an operation lasts on the virtual clock. Round figures of no particular device: they make makespan and
// overlap comparable between two runs, and predict nothing.

#ifndef LOCKSTEP_SIMGPU_CORE_COSTMODEL_H
#define LOCKSTEP_SIMGPU_CORE_COSTMODEL_H

#include "simgpu/core/Operation.h"

namespace lockstep::simgpu {

/// What the host pays for a driver call that queues one operation, for the launch of a graph, and for each node of it.
inline constexpr uint64_t hostCallCostNs = 1000;
inline constexpr uint64_t hostGraphLaunchCostNs = 2000;
inline constexpr uint64_t hostGraphNodeCostNs = 20;

/// `size` is bytes for copies and fills, threads for kernels.
inline uint64_t costOf(OperationKind kind, uint64_t size) {
  switch (kind) {
  case OperationKind::Copy:
    return 2000 + size / 20; // 20 bytes a nanosecond.
  case OperationKind::Fill:
    return 1500 + size / 500;
  case OperationKind::Kernel:
    return 3000 + size / 10;
  case OperationKind::HostFunction:
    return 5000;
  case OperationKind::EventRecord:
  case OperationKind::EventWait:
  case OperationKind::Allocate:
  case OperationKind::Free:
  case OperationKind::GraphBegin:
    return 500;
  case OperationKind::GraphUpload:
    return 2000;
  case OperationKind::Empty:
  case OperationKind::GraphEnd:
    return 0;
  }
  return 0;
}

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_COSTMODEL_H
