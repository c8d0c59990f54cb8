// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first half of convert-async-to-agpu: the bodies of `async.execute` become chained device operations in place.

#ifndef LOCKSTEP_LOWERING_ASYNCIMPORT_H
#define LOCKSTEP_LOWERING_ASYNCIMPORT_H

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace lockstep::agpu {

/// What an import did.
struct AsyncImportCounts {
  /// Bodies of async.execute that were inlined.
  int64_t bodies = 0;
  /// Waits of the host that host operations inside bodies needed.
  int64_t hostWaits = 0;
};

/// Removes every `async.execute` and `async.await` below |root|. Values of async types stay where they cross a region
/// or function boundary: there an `unrealized_conversion_cast` stands between `!async.token` and a chain, and between
/// `!async.value<T>` and a chain with a T. Needs agpu operations, not gpu operations, in the bodies. Cannot fail.
AsyncImportCounts inlineAsyncBodies(mlir::Operation *root);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_ASYNCIMPORT_H
