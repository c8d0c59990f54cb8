// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies whose source the driver must not read early. An asynchronous copy from pageable host memory may read its
// source during the call (docs/spec/device-rules.md, COPY-1), whatever is pending on its stream. That is too early
// where the device, or a host function in device order, is still to write it.

#ifndef LOCKSTEP_LOWERING_LATEREADS_H
#define LOCKSTEP_LOWERING_LATEREADS_H

#include "dialect/AgpuOps.h"

namespace lockstep::agpu {

/// Marks each copy of the module whose source may be pageable host memory that an operation in device order writes.
/// Errs on the side of marking. Structured control flow must still be there. Returns the number of marks.
unsigned markLateReads(mlir::ModuleOp module);

/// Whether the copy is marked.
bool isLateRead(MemcpyOp copy);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_LATEREADS_H
