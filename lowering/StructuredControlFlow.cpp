// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/StructuredControlFlow.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace lockstep::agpu {

static bool isStructure(Operation *op) { return isa<scf::SCFDialect>(op->getDialect()); }

static LogicalResult verifyStructure(func::FuncOp function) {
  WalkResult result = function.walk([](scf::ForallOp forall) -> WalkResult {
    if (forall->getNumResults() == 0)
      return WalkResult::advance();
    return forall.emitOpError("has results, which are tensors: bufferize it (one-shot-bufferize) before it is lowered");
  });
  return failure(result.wasInterrupted());
}

LogicalResult flattenControlFlow(func::FuncOp function) {
  if (failed(verifyStructure(function)))
    return failure();
  WalkResult hasStructure =
      function.walk([](Operation *op) { return isStructure(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (hasStructure.wasInterrupted()) {
    RewritePatternSet patterns(function.getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*function.getContext());
    target.addIllegalOp<scf::ForallOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp,
                        scf::ExecuteRegionOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(function, target, std::move(patterns))))
      return failure();
  }
  IRRewriter rewriter(function.getContext());
  (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  return success();
}

} // namespace lockstep::agpu
