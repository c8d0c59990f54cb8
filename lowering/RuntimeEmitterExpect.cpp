// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu.expect: a comparison with constant data, which whoever runs the program carries out.

#include "lowering/RuntimeEmitter.h"

#include "runtime-api/Expect.h"

using namespace mlir;

namespace lockstep::agpu {

static std::optional<LockstepElementKind> getElementKind(Type type) {
  if (type.isIndex())
    return kLockstepElementIndex;
  if (type.isSignlessInteger(1) || type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
      type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return kLockstepElementInteger;
  if (type.isBF16())
    return kLockstepElementBFloat;
  if (type.isF16() || type.isF32() || type.isF64())
    return kLockstepElementFloat;
  return std::nullopt;
}

/// The elements, dense and row major, each in a whole number of bytes. The host of the program is that of the compiler.
static std::optional<std::string> getBytes(ElementsAttr elements) {
  std::string bytes;
  auto append = [&](const APInt &value) {
    for (unsigned bit = 0; bit < value.getBitWidth(); bit += 8)
      bytes.push_back(static_cast<char>(value.extractBitsAsZExtValue(std::min(8u, value.getBitWidth() - bit), bit)));
  };
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    ArrayRef<char> data = resource.getData();
    // Elements of one bit are packed in a resource.
    if (data.empty() || resource.getElementType().isInteger(1))
      return std::nullopt;
    return std::string(data.begin(), data.end());
  }
  if (auto integers = elements.tryGetValues<APInt>()) {
    llvm::for_each(*integers, append);
    return bytes;
  }
  if (auto floats = elements.tryGetValues<APFloat>()) {
    llvm::for_each(*floats, [&](const APFloat &value) { append(value.bitcastToAPInt()); });
    return bytes;
  }
  return std::nullopt;
}

LogicalResult RuntimeEmitter::declareExpect() {
  if (expectFunction)
    return success();
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()),
      {i64, pointerType, pointerType, i32, i32, i64, pointerType, pointerType, builder.getF64Type()});
  if (Operation *op = module.lookupSymbol(LOCKSTEP_EXPECT_SYMBOL)) {
    expectFunction = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!expectFunction || !expectFunction.isExternal() || expectFunction.getFunctionType() != type)
      return op->emitOpError("has the name of the function that agpu.expect calls but is not its declaration: expected "
                             "an external llvm.func of type ")
             << type;
    return success();
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  expectFunction = LLVM::LLVMFuncOp::create(builder, module.getLoc(), LOCKSTEP_EXPECT_SYMBOL, type);
  return success();
}

LogicalResult RuntimeEmitter::emitExpect(ExpectOp op) {
  ElementsAttr expected = op.getExpected();
  ShapedType type = expected.getShapedType();
  std::optional<LockstepElementKind> kind = getElementKind(type.getElementType());
  if (!kind)
    return op.emitOpError("cannot be lowered: comparison knows signless integers of 1, 8, 16, 32 and 64 bits, index, "
                          "f16, bf16, f32 and f64, not ")
           << type.getElementType();
  std::optional<std::string> bytes = getBytes(expected);
  if (!bytes)
    return op.emitOpError("cannot be lowered: its constant is neither dense nor a resource whose data is here");
  if (failed(declareExpect()))
    return failure();
  uint32_t bits = type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  StringRef shape(reinterpret_cast<const char *>(type.getShape().data()), type.getRank() * sizeof(int64_t));
  double tolerance = op.getTolerance() ? op.getTolerance()->convertToDouble() : -1.0;
  auto [rank, memref] = rankAndPointer(op.getMemref(), 0);
  Value toleranceValue = LLVM::ConstantOp::create(builder, loc, builder.getF64FloatAttr(tolerance));
  LLVM::CallOp::create(builder, loc, expectFunction,
                       ValueRange{rank, memref, stringAddress(describeLocation(op.getLoc())),
                                  constant(builder.getI32Type(), *kind), constant(builder.getI32Type(), bits),
                                  constant64(type.getRank()), dataAddress(shape), dataAddress(*bytes), toleranceValue});
  return success();
}

} // namespace lockstep::agpu
