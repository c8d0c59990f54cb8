// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-lower-expect: comparisons become calls; the rest of the program is somebody else's to lower.

#include "lowering/ChainTypes.h"
#include "lowering/Passes.h"
#include "lowering/RuntimeEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "agpu-lower-expect"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPULOWEREXPECTPASS
#include "lowering/Passes.h.inc"

namespace {

class AgpuLowerExpectPass : public impl::AgpuLowerExpectPassBase<AgpuLowerExpectPass> {
  void runOnOperation() override {
    RuntimeEmitter emitter(getOperation(), /*opNames=*/false);
    for (func::FuncOp function : getFunctionsWithBodies(getOperation()))
      if (failed(lowerFunction(function, emitter)))
        return signalPassFailure();
  }

  LogicalResult lowerFunction(func::FuncOp function, RuntimeEmitter &emitter) {
    SmallVector<ExpectOp> expectations;
    function.walk([&](ExpectOp op) { expectations.push_back(op); });
    if (expectations.empty())
      return success();
    if (failed(emitter.enterFunction(function)))
      return failure();
    for (ExpectOp op : expectations) {
      if (failed(emitter.emitHostOp(op)))
        return failure();
      op.erase();
    }
    return success();
  }
};

} // namespace
} // namespace lockstep::agpu
