// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The whole dialect, for tools that want one file.
// AgpuBase <- AgpuTypes <- AgpuOps;  AgpuInterfaces <- AgpuOps.

#ifndef LOCKSTEP_DIALECT_AGPU_TD
#define LOCKSTEP_DIALECT_AGPU_TD

include "dialect/AgpuBase.td"
include "dialect/AgpuTypes.td"
include "dialect/AgpuInterfaces.td"
include "dialect/AgpuOps.td"

#endif // LOCKSTEP_DIALECT_AGPU_TD
