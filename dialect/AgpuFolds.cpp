// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalisations. None of them changes which operation is ordered after which: they remove only chain operands that
// say nothing, and operations that do no work.

#include "dialect/AgpuDialect.h"
#include "dialect/AgpuOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace lockstep::agpu;

namespace {

/// Gives each operation the shortest list of chains that means the same: each chain once, no join of nothing (it is
/// complete at once), and the operands of a join in place of the join. A join with other users stays an operand: a
/// ladder of joins, each with a user, would otherwise grow with the square of its length.
struct SimplifyChainOperands : public OpInterfaceRewritePattern<ChainOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ChainOpInterface op, PatternRewriter &rewriter) const final {
    llvm::SmallSetVector<Value, 4> chains;
    for (Value chain : op.getChains()) {
      auto join = chain.getDefiningOp<JoinOp>();
      if (join && (join.getChains().empty() || chain.hasOneUse()))
        chains.insert_range(join.getChains());
      else
        chains.insert(chain);
    }
    if (llvm::equal(chains, op.getChains()))
      return rewriter.notifyMatchFailure(op, "chain operands are as short as they can be");
    rewriter.modifyOpInPlace(op, [&] { op.getChainsMutable().assign(chains.getArrayRef()); });
    return success();
  }
};

} // namespace

void AgpuDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<SimplifyChainOperands>(getContext());
}

OpFoldResult JoinOp::fold(FoldAdaptor) {
  // A join of one chain is that chain.
  return getChains().size() == 1 ? OpFoldResult(getChains().front()) : OpFoldResult();
}

LogicalResult WaitOp::canonicalize(WaitOp op, PatternRewriter &rewriter) {
  if (!op.getChains().empty())
    return rewriter.notifyMatchFailure(op, "waits for something");
  rewriter.eraseOp(op);
  return success();
}
