// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-legalize-kernels: expands what upstream's conversion does not know, mostly by upstream's own patterns.

#include "lowering/AtomicExpansion.h"
#include "lowering/KernelTarget.h"
#include "lowering/Passes.h"
#include "lowering/RocdlExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "agpu-legalize-kernels"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPULEGALIZEKERNELSPASS
#include "lowering/Passes.h.inc"

namespace {

constexpr unsigned kShuffleBits = 32;

/// A shuffle of fewer than 32 bits goes through an i32.
struct WidenShuffle : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= kShuffleBits)
      return failure();
    Location loc = op.getLoc();
    Type bits = rewriter.getIntegerType(type.getIntOrFloatBitWidth());
    Value value = op.getValue();
    if (type != bits)
      value = arith::BitcastOp::create(rewriter, loc, bits, value);
    value = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), value);
    auto shuffle = gpu::ShuffleOp::create(rewriter, loc, value, op.getOffset(), op.getWidth(), op.getMode());
    value = arith::TruncIOp::create(rewriter, loc, bits, shuffle.getShuffleResult());
    if (type != bits)
      value = arith::BitcastOp::create(rewriter, loc, type, value);
    rewriter.replaceOp(op, {value, shuffle.getValid()});
    return success();
  }
};

/// base ** exponent for integers by repeated squaring. A negative exponent gives the quotient 1 / base ** -exponent,
/// which is what math.ipowi says: 1, -1 or 0, and undefined for base 0.
struct ExpandIntegerPower : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isInteger())
      return failure();
    Location loc = op.getLoc();
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, 0));
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, 1));
    Value exponent = op.getRhs();
    Value negative = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, exponent, zero);
    Value opposite = arith::SubIOp::create(rewriter, loc, zero, exponent);
    Value magnitude = arith::SelectOp::create(rewriter, loc, negative, opposite, exponent);

    auto loop = scf::WhileOp::create(
        rewriter, loc, TypeRange{type, type, type}, ValueRange{one, op.getLhs(), magnitude},
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, state[2], zero);
          scf::ConditionOp::create(builder, loc, more, state);
        },
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          Value bit = arith::AndIOp::create(builder, loc, state[2], one);
          Value odd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bit, zero);
          Value product = arith::MulIOp::create(builder, loc, state[0], state[1]);
          Value result = arith::SelectOp::create(builder, loc, odd, product, state[0]);
          Value square = arith::MulIOp::create(builder, loc, state[1], state[1]);
          Value rest = arith::ShRUIOp::create(builder, loc, state[2], one);
          scf::YieldOp::create(builder, loc, ValueRange{result, square, rest});
        });
    // Only the powers 1 and -1 have a quotient other than 0; for them it is the power itself.
    Value power = loop.getResult(0);
    Value minusOne = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, -1));
    Value isOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getLhs(), one);
    Value isMinusOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getLhs(), minusOne);
    Value isUnit = arith::OrIOp::create(rewriter, loc, isOne, isMinusOne);
    Value quotient = arith::SelectOp::create(rewriter, loc, isUnit, power, zero);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, negative, quotient, power);
    return success();
  }
};

struct ExpandSubgroupSize : OpRewritePattern<gpu::SubgroupSizeOp> {
  ExpandSubgroupSize(MLIRContext *context, unsigned subgroupSize)
      : OpRewritePattern(context), subgroupSize(subgroupSize) {}

  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, subgroupSize);
    return success();
  }

  unsigned subgroupSize;
};

struct ExpandSubgroupCount : OpRewritePattern<gpu::NumSubgroupsOp> {
  ExpandSubgroupCount(MLIRContext *context, unsigned subgroupSize)
      : OpRewritePattern(context), subgroupSize(subgroupSize) {}

  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value threads = gpu::BlockDimOp::create(rewriter, loc, gpu::Dimension::x);
    for (gpu::Dimension dimension : {gpu::Dimension::y, gpu::Dimension::z}) {
      Value size = gpu::BlockDimOp::create(rewriter, loc, dimension);
      threads = arith::MulIOp::create(rewriter, loc, threads, size);
    }
    Value subgroup = arith::ConstantIndexOp::create(rewriter, loc, subgroupSize);
    rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, threads, subgroup);
    return success();
  }

  unsigned subgroupSize;
};

void populateVectorPatterns(RewritePatternSet &patterns) {
  vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorMultiReductionLoweringPatterns(patterns, vector::VectorMultiReductionLowering::InnerReduction);
  vector::populateVectorTransposeLoweringPatterns(patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
}

void populateShuffledReductionPatterns(RewritePatternSet &patterns, unsigned subgroupSize) {
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, subgroupSize, kShuffleBits, /*benefit=*/2);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, subgroupSize, kShuffleBits, /*benefit=*/2);
  // Wider values take shuffles of 64 bits, which become two of 32.
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, subgroupSize, 2 * kShuffleBits);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, subgroupSize, 2 * kShuffleBits);
}

class AgpuLegalizeKernelsPass : public impl::AgpuLegalizeKernelsPassBase<AgpuLegalizeKernelsPass> {
public:
  using AgpuLegalizeKernelsPassBase::AgpuLegalizeKernelsPassBase;

private:
  /// Upstream's conversion takes every func.func for one that is defined here, and makes a wrapper of a declaration
  /// that calls what nobody has.
  LogicalResult checkFunctions() {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isExternal())
        continue;
      std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, getOperation());
      if (uses && !uses->empty())
        return uses->begin()->getUser()->emitOpError("in a kernel uses the function @")
               << function.getName()
               << ", which has no body: give it one, or declare a function of the device's library "
                  "as llvm.func";
    }
    return success();
  }

  LogicalResult checkReductions() {
    WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
      if (auto reduce = dyn_cast<gpu::AllReduceOp>(op); reduce && !reduce.getUniform())
        return reduce.emitOpError(
            "must be 'uniform': a block in which some threads do not reach it has no defined result");
      auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op);
      std::optional<uint32_t> size = reduce ? reduce.getClusterSize() : std::nullopt;
      if (size && *size * reduce.getClusterStride() > subgroupSize)
        return reduce.emitOpError("has a cluster of ")
               << *size << " lanes at a distance of " << reduce.getClusterStride() << ", but a subgroup has "
               << subgroupSize.getValue();
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  void runOnOperation() override {
    std::optional<KernelTargetKind> kind = parseKernelTarget(target);
    if (!kind) {
      getOperation().emitError("unknown target '") << target << "': expected nvvm or rocdl";
      return signalPassFailure();
    }
    if (failed(checkFunctions()) || failed(checkReductions()))
      return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    populateGpuRewritePatterns(patterns);
    populateGpuSubgroupIdPatterns(patterns);
    populateGpuBreakDownSubgroupReducePatterns(patterns, kShuffleBits, /*benefit=*/3);
    if (*kind == KernelTargetKind::Rocdl)
      populateRocdlExpansionPatterns(patterns, subgroupSize);
    else
      populateShuffledReductionPatterns(patterns, subgroupSize);
    memref::populateExpandOpsPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    populateVectorPatterns(patterns);
    populateAtomicExpansionPatterns(patterns);
    patterns.add<WidenShuffle, ExpandIntegerPower>(&getContext());
    patterns.add<ExpandSubgroupSize, ExpandSubgroupCount>(&getContext(), subgroupSize);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation().emitError("the expansion of kernel operations does not end");
      signalPassFailure();
    }
  }
};

} // namespace
} // namespace lockstep::agpu
