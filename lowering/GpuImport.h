// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The import of upstream's host-side `gpu` operations, which convert-gpu-to-agpu is and convert-async-to-agpu uses.

#ifndef LOCKSTEP_LOWERING_GPUIMPORT_H
#define LOCKSTEP_LOWERING_GPUIMPORT_H

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace lockstep::agpu {

/// What an import did.
struct GpuImportCounts {
  /// Operations that became agpu operations.
  int64_t imported = 0;
  /// Synchronous operations that were given pending chains to wait for (IMPORT-1).
  int64_t ordered = 0;
};

/// Whether |op| is an operation that importGpuOps would rewrite.
bool isImportableGpuOp(mlir::Operation *op);

/// Rewrites all host-side `gpu` operations and device allocations below |root| to agpu, and each `!gpu.async.token` to
/// `!agpu.chain`. Reports an operation that has no counterpart in agpu and fails before anything is changed. Kernels
/// (`gpu.module`, the regions of launches) stay as they are.
mlir::FailureOr<GpuImportCounts> importGpuOps(mlir::Operation *root);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_GPUIMPORT_H
