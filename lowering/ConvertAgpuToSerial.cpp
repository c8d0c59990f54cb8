// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-agpu-to-serial: each device operation completes before the next begins.

#include "lowering/ChainTypes.h"
#include "lowering/Passes.h"
#include "lowering/RuntimeEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "convert-agpu-to-serial"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_CONVERTAGPUTOSERIALPASS
#include "lowering/Passes.h.inc"

namespace {

class ConvertAgpuToSerialPass : public impl::ConvertAgpuToSerialPassBase<ConvertAgpuToSerialPass> {
public:
  using ConvertAgpuToSerialPassBase::ConvertAgpuToSerialPassBase;

private:
  void runOnOperation() override {
    if (failed(lowerModule(getOperation())))
      signalPassFailure();
  }

  LogicalResult lowerModule(ModuleOp module) {
    RuntimeEmitter emitter(module, opNames);
    if (failed(emitter.verify()) || failed(verifyChainUses(module)))
      return failure();
    SmallVector<func::FuncOp> functions = getFunctionsWithBodies(module);
    convertChainTypes(module);
    for (func::FuncOp function : functions)
      if (failed(lowerFunction(function, emitter)))
        return failure();
    return success();
  }

  LogicalResult lowerFunction(func::FuncOp function, RuntimeEmitter &emitter) {
    if (failed(emitter.enterFunction(function)))
      return failure();
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<ChainOpInterface>(op) || RuntimeEmitter::isHostOp(op))
        ops.push_back(op);
      return isa<LaunchOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    Value stream;
    for (Operation *op : ops)
      if (failed(lowerOp(op, stream, emitter)))
        return failure();
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    if (!stream)
      return success();
    for (Block &block : function.getBody()) {
      if (!isa<func::ReturnOp>(block.getTerminator()))
        continue;
      emitter.setInsertionPoint(block.getTerminator());
      emitter.call(RuntimeFunction::mgpuStreamPoolRelease, stream);
    }
    return success();
  }

  LogicalResult lowerOp(Operation *op, Value &stream, RuntimeEmitter &emitter) {
    if (RuntimeEmitter::isHostOp(op))
      return emitter.emitHostOp(op);
    auto chainOp = cast<ChainOpInterface>(op);
    emitter.setInsertionPoint(op);
    Value chain;
    if (traceChains)
      chain = emitter.traceOp(chainOp);
    if (!isa<JoinOp, WaitOp>(op)) {
      if (!stream)
        stream = emitter.acquireStream();
      emitter.emitName(op);
      if (traceChains && !chainOp.isAsync())
        emitter.traceHostWait(chainOp);
      if (traceChains)
        emitter.traceAccesses(op);
      if (failed(emitter.emitWork(chainOp, stream)))
        return failure();
      emitter.call(RuntimeFunction::mgpuStreamSynchronize, stream);
    }
    // Whatever gave an untraced chain is complete.
    if (chainOp.isAsync())
      chainOp.getChain().replaceAllUsesWith(chain ? chain : emitter.nullPointer());
    return success();
  }
};

} // namespace
} // namespace lockstep::agpu
