// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuTypes.h"

#include "dialect/AgpuDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lockstep::agpu;

#define GET_TYPEDEF_CLASSES
#include "dialect/AgpuTypes.cpp.inc"

void AgpuDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/AgpuTypes.cpp.inc"
      >();
}
