// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the dialect: `!agpu.chain`, the completion of an operation and of all before it.

#ifndef LOCKSTEP_DIALECT_AGPUTYPES_H
#define LOCKSTEP_DIALECT_AGPUTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"

#define GET_TYPEDEF_CLASSES
#include "dialect/AgpuTypes.h.inc"

#endif // LOCKSTEP_DIALECT_AGPUTYPES_H
