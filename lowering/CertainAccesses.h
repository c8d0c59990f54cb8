// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a kernel or a host function certainly accesses, whatever the sizes of its launch: what its first thread
// loads or stores on every path, at indices that can be computed here. Two of them that meet are a conflict, not a
// suspicion. Atomic updates do not count: they may meet.

#ifndef LOCKSTEP_LOWERING_CERTAINACCESSES_H
#define LOCKSTEP_LOWERING_CERTAINACCESSES_H

#include "mlir/IR/SymbolTable.h"

#include <optional>

namespace lockstep::agpu {

struct CertainAccess {
  bool isWrite = false;
  llvm::SmallVector<int64_t, 2> indices;

  bool operator==(const CertainAccess &) const = default;
};

/// One list for each argument.
using ArgumentAccesses = llvm::SmallVector<llvm::SmallVector<CertainAccess, 1>>;

/// What an agpu.launch_func or agpu.host_call certainly does through its arguments. Empty lists where the callee cannot
/// be looked into. The callee of a launch must still be in the gpu and memref dialects.
ArgumentAccesses findCertainAccesses(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

/// What agpu-annotate-accesses wrote down for the operation; nothing where it did not run.
std::optional<ArgumentAccesses> getAnnotatedAccesses(mlir::Operation *op);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CERTAINACCESSES_H
