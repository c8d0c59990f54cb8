// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_TEST_IMPLIEDCHAINS_H
#define LOCKSTEP_HARNESS_TEST_IMPLIEDCHAINS_H

#include "mlir/IR/Dominance.h"

namespace lockstep::harness {

/// Whether an agpu operation without its chain number `operand` must still come after all that this chain stands for,
/// so that no run can tell. It must where the rest of the program says so:
///  - another of its chains leads there, from operation to operation;
///  - the host waited for something that leads there, on every way to the operation;
///  - the chain is of a join or a deallocation, and all of its own chains are implied (perhaps there are none): a join
///    is no work, and that memory is gone is nothing that a right program can see.
/// Looks at chains that operations give, not through block arguments, calls and loops: what it says is implied is.
bool isImpliedChain(mlir::Operation *op, unsigned operand, const mlir::DominanceInfo &dominance);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_TEST_IMPLIEDCHAINS_H
