// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/RocdlExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

/// Arithmetic on i32 with fewer words.
struct Words {
  Words(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value bitAnd(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value bitXor(Value a, Value b) { return arith::XOrIOp::create(builder, loc, a, b); }
  Value shiftLeft(Value a, Value b) { return arith::ShLIOp::create(builder, loc, a, b); }
  Value less(Value a, Value b) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b); }
  Value select(Value condition, Value a, Value b) { return arith::SelectOp::create(builder, loc, condition, a, b); }

  OpBuilder &builder;
  Location loc;
};

/// The number of a lane in its wave.
Value createLane(OpBuilder &builder, Location loc) {
  Value lane = gpu::LaneIdOp::create(builder, loc, /*upper_bound=*/nullptr);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), lane);
}

/// The smallest power of two that is not under `width`.
Value createSegmentSize(Words &words, Value width) {
  APInt known;
  if (matchPattern(width, m_ConstantInt(&known)))
    return words.constant(llvm::PowerOf2Ceil(known.getZExtValue()));
  Value below = words.sub(width, words.constant(1));
  Value zeros = math::CountLeadingZerosOp::create(words.builder, words.loc, below);
  return words.shiftLeft(words.constant(1), words.sub(words.constant(32), zeros));
}

struct ExpandShuffle : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() != 32)
      return failure();
    Location loc = op.getLoc();
    Words words(rewriter, loc);
    Value lane = createLane(rewriter, loc);
    Value segment = createSegmentSize(words, op.getWidth());
    Value own = words.bitAnd(lane, words.sub(segment, words.constant(1)));
    Value partner;
    switch (op.getMode()) {
    case gpu::ShuffleMode::XOR:
      partner = words.bitXor(own, op.getOffset());
      break;
    case gpu::ShuffleMode::UP:
      partner = words.sub(own, op.getOffset());
      break;
    case gpu::ShuffleMode::DOWN:
      partner = words.add(own, op.getOffset());
      break;
    case gpu::ShuffleMode::IDX:
      partner = op.getOffset();
      break;
    }
    // A negative number is a large one here, so one comparison finds both ends.
    Value valid = words.less(partner, op.getWidth());
    Value from = words.select(valid, words.add(words.sub(lane, own), partner), lane);
    Value address = words.shiftLeft(from, words.constant(2));
    Value bits = op.getValue();
    Type word = rewriter.getI32Type();
    if (type != word)
      bits = arith::BitcastOp::create(rewriter, loc, word, bits);
    Value result = ROCDL::DsBpermuteOp::create(rewriter, loc, word, address, bits);
    if (type != word)
      result = arith::BitcastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

/// A butterfly in which a lane keeps its value where its partner does not exist. The first lane of a cluster meets the
/// first lanes of all others, so it ends with the result of all that exist; the others read it there.
struct ExpandSubgroupReduce : OpRewritePattern<gpu::SubgroupReduceOp> {
  ExpandSubgroupReduce(MLIRContext *context, unsigned subgroupSize)
      : OpRewritePattern(context, /*benefit=*/10), subgroupSize(subgroupSize) {}

  LogicalResult matchAndRewrite(gpu::SubgroupReduceOp op, PatternRewriter &rewriter) const override {
    unsigned size = op.getClusterSize().value_or(subgroupSize), stride = op.getClusterStride();
    if (!op.getType().isIntOrFloat() || op.getType().getIntOrFloatBitWidth() > 64 || size * stride > subgroupSize)
      return failure();
    Location loc = op.getLoc();
    Words words(rewriter, loc);
    Value lane = createLane(rewriter, loc);
    Value lanes = createLaneCount(words);
    Value width = words.constant(subgroupSize);
    Value result = op.getValue();
    for (unsigned step = 1; step < size; step *= 2) {
      Value distance = words.constant(step * stride);
      auto shuffle = gpu::ShuffleOp::create(rewriter, loc, result, distance, width, gpu::ShuffleMode::XOR);
      Value exists = words.less(words.bitXor(lane, distance), lanes);
      Value both = vector::makeArithReduction(rewriter, loc, gpu::convertReductionKind(op.getOp()), result,
                                              shuffle.getShuffleResult());
      result = words.select(exists, both, result);
    }
    Value first = words.bitAnd(lane, words.constant(~int64_t((size - 1) * stride)));
    rewriter.replaceOp(
        op, gpu::ShuffleOp::create(rewriter, loc, result, first, width, gpu::ShuffleMode::IDX).getShuffleResult());
    return success();
  }

private:
  /// Lanes of this wave that the block has: the last wave of a block may be cut short.
  Value createLaneCount(Words &words) const {
    OpBuilder &builder = words.builder;
    Location loc = words.loc;
    Type index = builder.getIndexType();
    Value size[3], thread[3];
    for (unsigned i = 0; i != 3; ++i) {
      auto dimension = static_cast<gpu::Dimension>(i);
      size[i] = gpu::BlockDimOp::create(builder, loc, index, dimension, /*upper_bound=*/nullptr);
      thread[i] = gpu::ThreadIdOp::create(builder, loc, index, dimension, /*upper_bound=*/nullptr);
    }
    Value row = words.add(thread[1], arith::MulIOp::create(builder, loc, size[1], thread[2]));
    Value linear = words.add(thread[0], arith::MulIOp::create(builder, loc, size[0], row));
    Value threads = arith::MulIOp::create(builder, loc, size[0], arith::MulIOp::create(builder, loc, size[1], size[2]));
    Value inWave = arith::ConstantIndexOp::create(builder, loc, subgroupSize - 1);
    Value start = words.sub(linear, words.bitAnd(linear, inWave));
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), words.sub(threads, start));
  }

  unsigned subgroupSize;
};

/// Which HIP's own assert does, too. The place is the program's.
struct ExpandAssert : OpRewritePattern<cf::AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(cf::AssertOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    std::string place = "(unknown)";
    if (auto file = loc->findInstanceOf<FileLineColLoc>())
      place = (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
    std::string text = place + ": device assertion '" + op.getMsg().str() + "' failed\n";
    // The text is a format.
    std::string format;
    for (char letter : text)
      format += letter == '%' ? std::string("%%") : std::string(1, letter);
    Value yes = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    Value fails = arith::XOrIOp::create(rewriter, loc, op.getArg(), yes);
    scf::IfOp::create(rewriter, loc, fails, [&](OpBuilder &builder, Location loc) {
      gpu::PrintfOp::create(builder, loc, builder.getStringAttr(format), ValueRange());
      LLVM::Trap::create(builder, loc);
      scf::YieldOp::create(builder, loc);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateRocdlExpansionPatterns(RewritePatternSet &patterns, unsigned subgroupSize) {
  patterns.add<ExpandShuffle, ExpandAssert>(patterns.getContext());
  patterns.add<ExpandSubgroupReduce>(patterns.getContext(), subgroupSize);
}

} // namespace lockstep::agpu
