// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `agpu`: asynchronous GPU operations ordered by chain values. AgpuBase.td describes it.

#ifndef LOCKSTEP_DIALECT_AGPUDIALECT_H
#define LOCKSTEP_DIALECT_AGPUDIALECT_H

#include "mlir/IR/Dialect.h"

#include "dialect/AgpuDialect.h.inc"

#endif // LOCKSTEP_DIALECT_AGPUDIALECT_H
