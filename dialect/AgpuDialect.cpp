// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuDialect.h"

#include "dialect/AgpuOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace lockstep::agpu;

#include "dialect/AgpuDialect.cpp.inc"

namespace {
/// Chains pass through calls like any value, so a call whose callee holds device operations may be inlined.
struct AgpuInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void AgpuDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialect/AgpuOps.cpp.inc"
      >();
  addInterfaces<AgpuInlinerInterface>();
}
