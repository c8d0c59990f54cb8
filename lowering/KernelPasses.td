// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that move kernels out of host code and turn them into device code.

#ifndef LOCKSTEP_LOWERING_KERNELPASSES_TD
#define LOCKSTEP_LOWERING_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

#endif // LOCKSTEP_LOWERING_KERNELPASSES_TD
