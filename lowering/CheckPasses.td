// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that judge or simplify the order that chains ask for.

#ifndef LOCKSTEP_LOWERING_CHECKPASSES_TD
#define LOCKSTEP_LOWERING_CHECKPASSES_TD

include "mlir/Pass/PassBase.td"

#endif // LOCKSTEP_LOWERING_CHECKPASSES_TD
