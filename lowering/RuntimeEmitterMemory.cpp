// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, copies, fills and page-locking.

#include "lowering/RuntimeEmitter.h"
#include "lowering/RuntimeEmitterPrologue.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;

namespace lockstep::agpu {

uint64_t RuntimeEmitter::elementBytes(Type type) {
  Type element = types.convertType(cast<BaseMemRefType>(type).getElementType());
  // As upstream addresses elements: by their size in an array.
  return llvm::alignTo(layout.getTypeSize(element), layout.getTypeABIAlignment(element));
}

/// Whether the elements lie in memory without gaps, in row-major order, as far as the type says.
bool RuntimeEmitter::isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t expected = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (stride != expected || ShapedType::isDynamic(expected))
      return false;
    expected = ShapedType::isDynamic(size) ? ShapedType::kDynamic : expected * size;
  }
  return true;
}

Value RuntimeEmitter::elementCount(MemRefType type, Value descriptor) {
  if (type.hasStaticShape())
    return constant64(type.getNumElements());
  Value count;
  int64_t known = 1;
  for (auto [position, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      known *= size;
      continue;
    }
    Value dynamic = MemRefDescriptor(descriptor).size(builder, loc, position);
    count = count ? LLVM::MulOp::create(builder, loc, count, dynamic) : dynamic;
  }
  return known == 1 ? count : LLVM::MulOp::create(builder, loc, count, constant64(known));
}

/// The address of element zero.
Value RuntimeEmitter::elementPointer(MemRefType type, Value descriptor) {
  MemRefDescriptor memref(descriptor);
  Value aligned = memref.alignedPtr(builder, loc);
  if (type.getLayout().isIdentity())
    return aligned;
  Type element = types.convertType(type.getElementType());
  return LLVM::GEPOp::create(builder, loc, pointerType, element, aligned, memref.offset(builder, loc));
}

Value RuntimeEmitter::sizesArray(MemRefType type, Value descriptor) {
  Value array;
  {
    InPrologue prologue(*this);
    array = scratch.array(builder, loc, ScratchMemory::Sizes);
  }
  for (int32_t position = 0, rank = type.getRank(); position < rank; ++position) {
    Value size = type.isDynamicDim(position) ? MemRefDescriptor(descriptor).size(builder, loc, position)
                                             : constant64(type.getDimSize(position));
    Value element = LLVM::GEPOp::create(builder, loc, pointerType, builder.getI64Type(), array, LLVM::GEPArg(position));
    LLVM::StoreOp::create(builder, loc, size, element);
  }
  return array;
}

Value RuntimeEmitter::stridesArray(MemRefType type, Value descriptor, ScratchMemory::Array which) {
  Value array;
  {
    InPrologue prologue(*this);
    array = scratch.array(builder, loc, which);
  }
  for (int32_t position = 0, rank = type.getRank(); position < rank; ++position) {
    Value stride = MemRefDescriptor(descriptor).stride(builder, loc, position);
    Value element = LLVM::GEPOp::create(builder, loc, pointerType, builder.getI64Type(), array, LLVM::GEPArg(position));
    LLVM::StoreOp::create(builder, loc, stride, element);
  }
  return array;
}

std::pair<Value, Value> RuntimeEmitter::rankAndPointer(Value memref, unsigned slot) {
  Value value = toLLVM(memref);
  if (isa<UnrankedMemRefType>(memref.getType())) {
    UnrankedMemRefDescriptor descriptor(value);
    return {descriptor.rank(builder, loc), descriptor.memRefDescPtr(builder, loc)};
  }
  Value pointer;
  {
    InPrologue prologue(*this);
    pointer = scratch.descriptor(builder, loc, slot);
  }
  LLVM::StoreOp::create(builder, loc, value, pointer);
  return {constant64(cast<MemRefType>(memref.getType()).getRank()), pointer};
}

/// Layouts that are no strides cannot be told to the runtime.
static LogicalResult requireStrides(Operation *op, Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || type.isStrided())
    return success();
  return op->emitOpError("has a memref whose layout is not strided, which the runtime cannot copy or fill: ") << type;
}

Value RuntimeEmitter::allocateAsNode(const WorkTarget &target, Value bytes) {
  Value address;
  {
    InPrologue prologue(*this);
    address = scratch.descriptor(builder, loc, 0);
  }
  call(RuntimeFunction::mgpuGraphAddMemAllocNode,
       {target.graph, target.dependencies, target.dependencyCount, bytes, address});
  return LLVM::LoadOp::create(builder, loc, pointerType, address);
}

LogicalResult RuntimeEmitter::emitAlloc(AllocOp op, const WorkTarget &target) {
  auto type = cast<MemRefType>(op.getMemref().getType());
  if (!type.getLayout().isIdentity())
    return op.emitOpError("allocates memory of a layout other than the identity: ") << type;
  MemRefDescriptor memref = MemRefDescriptor::poison(builder, loc, types.convertType(type));
  SmallVector<Value> sizes;
  auto dynamicSizes = op.getSizes().begin();
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? toLLVM(*dynamicSizes++) : constant64(size));
  SmallVector<Value> strides(sizes.size());
  // The running product is constant from the right for as long as the sizes are.
  int64_t known = 1;
  Value product = constant64(1);
  for (int64_t position = type.getRank() - 1; position >= 0; --position) {
    strides[position] = product;
    bool isKnown = !ShapedType::isDynamic(known) && !type.isDynamicDim(position);
    bool isOne = known == 1;
    known = isKnown ? known * type.getDimSize(position) : ShapedType::kDynamic;
    product = isKnown ? constant64(known)
              : isOne ? sizes[position]
                      : LLVM::MulOp::create(builder, loc, product, sizes[position]).getResult();
  }
  int64_t bytesEach = elementBytes(type);
  Value bytes = !ShapedType::isDynamic(known) ? constant64(known * bytesEach)
                : bytesEach == 1 ? product
                                 : LLVM::MulOp::create(builder, loc, product, constant64(bytesEach)).getResult();
  Value memory = target.stream ? call(RuntimeFunction::mgpuMemAlloc,
                                      {bytes, target.stream, constant(builder.getI8Type(), op.getHostShared())})
                               : allocateAsNode(target, bytes);
  memref.setAllocatedPtr(builder, loc, memory);
  memref.setAlignedPtr(builder, loc, memory);
  memref.setOffset(builder, loc, constant64(0));
  for (auto [position, size, stride] : llvm::enumerate(sizes, strides)) {
    memref.setSize(builder, loc, position, size);
    memref.setStride(builder, loc, position, stride);
  }
  Value result = UnrealizedConversionCastOp::create(builder, loc, type, Value(memref)).getResult(0);
  op.getMemref().replaceAllUsesWith(result);
  return success();
}

LogicalResult RuntimeEmitter::emitDealloc(DeallocOp op, const WorkTarget &target) {
  Value memref = toLLVM(op.getMemref());
  Value memory;
  if (isa<UnrankedMemRefType>(op.getMemref().getType())) {
    Value descriptor = UnrankedMemRefDescriptor(memref).memRefDescPtr(builder, loc);
    memory = LLVM::LoadOp::create(builder, loc, pointerType, descriptor);
  } else {
    memory = MemRefDescriptor(memref).allocatedPtr(builder, loc);
  }
  callWork(target, RuntimeFunction::mgpuMemFree, RuntimeFunction::mgpuGraphAddMemFreeNode, memory);
  return success();
}

LogicalResult RuntimeEmitter::emitMemcpy(MemcpyOp op, const WorkTarget &target) {
  if (failed(requireStrides(op, op.getDst())) || failed(requireStrides(op, op.getSrc())))
    return failure();
  auto dstType = dyn_cast<MemRefType>(op.getDst().getType());
  auto srcType = dyn_cast<MemRefType>(op.getSrc().getType());
  Value bytesEach = constant64(elementBytes(op.getDst().getType()));
  if (!dstType || !srcType) {
    auto [dstRank, dst] = rankAndPointer(op.getDst(), 0);
    auto [srcRank, src] = rankAndPointer(op.getSrc(), 1);
    callWork(target, RuntimeFunction::mgpuMemcpyMemRef, RuntimeFunction::mgpuGraphAddMemcpyMemRefNode,
             {dstRank, dst, srcRank, src, bytesEach});
    return success();
  }
  Value dst = toLLVM(op.getDst()), src = toLLVM(op.getSrc());
  Value dstPointer = elementPointer(dstType, dst), srcPointer = elementPointer(srcType, src);
  // The types may know different parts of the one shape.
  bool useSource = srcType.getNumDynamicDims() < dstType.getNumDynamicDims();
  MemRefType shapeType = useSource ? srcType : dstType;
  Value shapeOwner = useSource ? src : dst;
  if (isContiguous(dstType) && isContiguous(srcType)) {
    Value bytes;
    if (shapeType.hasStaticShape())
      bytes = constant64(shapeType.getNumElements() * elementBytes(shapeType));
    else
      bytes = LLVM::MulOp::create(builder, loc, elementCount(shapeType, shapeOwner), bytesEach);
    callWork(target, RuntimeFunction::mgpuMemcpy, RuntimeFunction::mgpuGraphAddMemcpyNode,
             {dstPointer, srcPointer, bytes});
    return success();
  }
  Value sizes = sizesArray(shapeType, shapeOwner);
  Value dstStrides = stridesArray(dstType, dst, ScratchMemory::DestinationStrides);
  Value srcStrides = stridesArray(srcType, src, ScratchMemory::SourceStrides);
  callWork(target, RuntimeFunction::mgpuMemcpyStrided, RuntimeFunction::mgpuGraphAddMemcpyStridedNode,
           {dstPointer, srcPointer, constant64(dstType.getRank()), sizes, dstStrides, srcStrides, bytesEach});
  return success();
}

LogicalResult RuntimeEmitter::emitMemset(MemsetOp op, const WorkTarget &target) {
  if (failed(requireStrides(op, op.getDst())))
    return failure();
  uint64_t bytesEach = elementBytes(op.getDst().getType());
  Type bits = builder.getIntegerType(bytesEach * 8);
  Value value = toLLVM(op.getValue());
  if (value.getType() != bits)
    value = LLVM::BitcastOp::create(builder, loc, bits, value);
  auto type = dyn_cast<MemRefType>(op.getDst().getType());
  bool isLinear = type && isContiguous(type);
  if (isLinear && target.stream) {
    Value dst = toLLVM(op.getDst());
    RuntimeFunction function = bytesEach == 1   ? RuntimeFunction::mgpuMemset8
                               : bytesEach == 2 ? RuntimeFunction::mgpuMemset16
                               : bytesEach == 4 ? RuntimeFunction::mgpuMemset32
                                                : RuntimeFunction::mgpuMemset64;
    call(function, {elementPointer(type, dst), value, elementCount(type, dst), target.stream});
    return success();
  }
  if (bytesEach < 8)
    value = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
  if (!type) {
    auto [rank, pointer] = rankAndPointer(op.getDst(), 0);
    callWork(target, RuntimeFunction::mgpuMemsetMemRef, RuntimeFunction::mgpuGraphAddMemsetMemRefNode,
             {rank, pointer, constant64(bytesEach), value});
    return success();
  }
  Value dst = toLLVM(op.getDst());
  Value pointer = elementPointer(type, dst);
  if (isLinear) {
    call(RuntimeFunction::mgpuGraphAddMemsetNode, {target.graph, target.dependencies, target.dependencyCount, pointer,
                                                   constant64(bytesEach), value, elementCount(type, dst)});
    return success();
  }
  Value sizes = sizesArray(type, dst);
  Value strides = stridesArray(type, dst, ScratchMemory::DestinationStrides);
  callWork(target, RuntimeFunction::mgpuMemsetStrided, RuntimeFunction::mgpuGraphAddMemsetStridedNode,
           {pointer, constant64(type.getRank()), sizes, strides, constant64(bytesEach), value});
  return success();
}

void RuntimeEmitter::emitHostRegister(Value memref, RuntimeFunction function) {
  auto [rank, pointer] = rankAndPointer(memref, 0);
  call(function, {rank, pointer, constant64(elementBytes(memref.getType()))});
}

} // namespace lockstep::agpu
