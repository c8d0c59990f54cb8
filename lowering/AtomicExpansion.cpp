// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/AtomicExpansion.h"

#include "lowering/MemorySpaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

struct ExpandProduct : OpRewritePattern<memref::AtomicRMWOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::AtomicRMWOp op, PatternRewriter &rewriter) const override {
    if (op.getKind() != arith::AtomicRMWKind::mulf && op.getKind() != arith::AtomicRMWKind::muli)
      return failure();
    Location loc = op.getLoc();
    auto generic = memref::GenericAtomicRMWOp::create(rewriter, loc, op.getMemref(), op.getIndices());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(generic.getBody());
    Value current = generic.getCurrentValue(), product;
    if (op.getKind() == arith::AtomicRMWKind::mulf)
      product = arith::MulFOp::create(rewriter, loc, current, op.getValue());
    else
      product = arith::MulIOp::create(rewriter, loc, current, op.getValue());
    memref::AtomicYieldOp::create(rewriter, loc, product);
    rewriter.replaceOp(op, generic);
    return success();
  }
};

/// The number of the address space that convert-gpu-to-nvvm gives a memory space.
unsigned getAddressSpace(MemRefType type) {
  if (isWorkgroupMemory(type))
    return kWorkgroupSpace;
  if (isGlobalMemory(type))
    return kGlobalSpace;
  auto integer = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return integer ? integer.getInt() : 0;
}

/// The address of one element, as an LLVM pointer.
Value createElementAddress(PatternRewriter &rewriter, Location loc, Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(rewriter, loc, memref);
  Value position = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(indices, metadata.getStrides())) {
    Value distance = arith::MulIOp::create(rewriter, loc, index, stride);
    position = arith::AddIOp::create(rewriter, loc, position, distance);
  }
  Value bytes = arith::ConstantIndexOp::create(rewriter, loc, type.getElementTypeBitWidth() / 8);
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(rewriter, loc, memref);
  Value distance = arith::MulIOp::create(rewriter, loc, position, bytes);
  Value address = arith::AddIOp::create(rewriter, loc, base, distance);
  Value integer = arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), address);
  auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext(), getAddressSpace(type));
  return LLVM::IntToPtrOp::create(rewriter, loc, pointer, integer);
}

struct ExpandFloatUpdate : OpRewritePattern<memref::GenericAtomicRMWOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::GenericAtomicRMWOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || type.getWidth() < 16 || type.getWidth() > 64)
      return failure();
    Location loc = op.getLoc();
    Type bits = rewriter.getIntegerType(type.getWidth());
    Value address = createElementAddress(rewriter, loc, op.getMemref(), op.getIndices());
    Value first = LLVM::LoadOp::create(rewriter, loc, bits, address);

    auto attempt = [&](OpBuilder &builder, Location loc, ValueRange state) {
      IRMapping mapping;
      mapping.map(op.getCurrentValue(), arith::BitcastOp::create(builder, loc, type, state[0]).getResult());
      for (Operation &inner : op.getBody()->without_terminator())
        builder.clone(inner, mapping);
      auto yield = cast<memref::AtomicYieldOp>(op.getBody()->getTerminator());
      Value next = arith::BitcastOp::create(builder, loc, bits, mapping.lookupOrDefault(yield.getResult()));
      auto exchange = LLVM::AtomicCmpXchgOp::create(builder, loc, address, state[0], next,
                                                    LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::monotonic);
      Value seen = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
      Value stored = LLVM::ExtractValueOp::create(builder, loc, exchange, 1);
      Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
      Value again = arith::XOrIOp::create(builder, loc, stored, yes);
      scf::ConditionOp::create(builder, loc, again, seen);
    };
    auto retry = [](OpBuilder &builder, Location loc, ValueRange state) { scf::YieldOp::create(builder, loc, state); };
    auto loop = scf::WhileOp::create(rewriter, loc, TypeRange{bits}, ValueRange{first}, attempt, retry);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, loop.getResult(0));
    return success();
  }
};

} // namespace

void populateAtomicExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandProduct, ExpandFloatUpdate>(patterns.getContext());
}

} // namespace lockstep::agpu
