// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the dialect. Their meaning is in AgpuOps.td; the labelled rules are checked in AgpuOps.cpp.

#ifndef LOCKSTEP_DIALECT_AGPUOPS_H
#define LOCKSTEP_DIALECT_AGPUOPS_H

#include "dialect/AgpuDialect.h"
#include "dialect/AgpuInterfaces.h"
#include "dialect/AgpuTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/AgpuOps.h.inc"

#endif // LOCKSTEP_DIALECT_AGPUOPS_H
