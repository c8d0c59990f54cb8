// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that turn chains into calls of the mgpu runtime ABI.

#ifndef LOCKSTEP_LOWERING_STREAMPASSES_TD
#define LOCKSTEP_LOWERING_STREAMPASSES_TD

include "mlir/Pass/PassBase.td"

#endif // LOCKSTEP_LOWERING_STREAMPASSES_TD
