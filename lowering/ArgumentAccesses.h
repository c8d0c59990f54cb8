// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What agpu-annotate-accesses writes down, for passes that come when kernels are no longer IR.

#ifndef LOCKSTEP_LOWERING_ARGUMENTACCESSES_H
#define LOCKSTEP_LOWERING_ARGUMENTACCESSES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace lockstep::agpu {

struct ArgumentAccess {
  bool reads = false;
  bool writes = false;
};

/// What an agpu.launch_func or agpu.host_call does through each of its arguments; nothing where it was not annotated.
std::optional<llvm::SmallVector<ArgumentAccess>> getArgumentAccesses(mlir::Operation *op);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_ARGUMENTACCESSES_H
