// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/ScratchMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace lockstep::agpu {

/// Enough for every type that a descriptor, a kernel argument or a host argument holds.
constexpr uint64_t kAlignBytes = 16;

void ScratchMemory::needParameters(unsigned count, uint64_t largestBytes) {
  maxParameters = std::max(maxParameters, count);
  slotBytes = std::max(slotBytes, llvm::alignTo(largestBytes, kAlignBytes));
}

Value ScratchMemory::allocate(OpBuilder &builder, Location loc, uint64_t sizeBytes) {
  Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                         builder.getI64IntegerAttr(std::max<uint64_t>(sizeBytes, 1)));
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), builder.getI8Type(),
                                count, kAlignBytes);
}

Value ScratchMemory::array(OpBuilder &builder, Location loc, Array which) {
  if (!arrays[which])
    arrays[which] = allocate(builder, loc, maxRank * sizeof(int64_t));
  return arrays[which];
}

Value ScratchMemory::descriptor(OpBuilder &builder, Location loc, unsigned slot) {
  // Two pointers, the offset, then sizes and strides: all of 64 bits.
  if (!descriptors[slot])
    descriptors[slot] = allocate(builder, loc, (3 + 2 * maxRank) * sizeof(int64_t));
  return descriptors[slot];
}

Value ScratchMemory::arguments(OpBuilder &builder, Location loc) {
  if (!argumentMemory)
    argumentMemory = allocate(builder, loc, argumentBytes);
  return argumentMemory;
}

void ScratchMemory::createParameters(OpBuilder &builder, Location loc) {
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  parameters = allocate(builder, loc, maxParameters * sizeof(void *));
  Value memory = allocate(builder, loc, maxParameters * slotBytes);
  for (unsigned index = 0; index < maxParameters; ++index) {
    slots.push_back(LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(), memory,
                                        LLVM::GEPArg(static_cast<int32_t>(index * slotBytes))));
    Value element = LLVM::GEPOp::create(builder, loc, pointerType, pointerType, parameters,
                                        LLVM::GEPArg(static_cast<int32_t>(index)));
    LLVM::StoreOp::create(builder, loc, slots.back(), element);
  }
}

} // namespace lockstep::agpu
