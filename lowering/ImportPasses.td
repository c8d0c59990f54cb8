// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that bring programs of upstream's dialects into agpu, and back.

#ifndef LOCKSTEP_LOWERING_IMPORTPASSES_TD
#define LOCKSTEP_LOWERING_IMPORTPASSES_TD

include "mlir/Pass/PassBase.td"

#endif // LOCKSTEP_LOWERING_IMPORTPASSES_TD
