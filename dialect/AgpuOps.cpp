// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuOps.h"

#include "dialect/AgpuAssembly.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace lockstep::agpu;

#define GET_OP_CLASSES
#include "dialect/AgpuOps.cpp.inc"

LogicalResult AllocOp::verify() { return success(); }
LogicalResult MemcpyOp::verify() { return success(); }
LogicalResult MemsetOp::verify() { return success(); }
LogicalResult LaunchOp::verify() { return success(); }
LogicalResult LaunchOp::verifyRegions() { return success(); }
LogicalResult LaunchFuncOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult HostCallOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult ExpectOp::verify() { return success(); }
