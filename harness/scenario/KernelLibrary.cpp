// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/KernelLibrary.h"

#include "harness/scenario/Mixing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace lockstep::scenario;

namespace lockstep::scenario {

/// Builds the arithmetic of kernels. All words are i32.
class KernelBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value word(uint32_t value) {
    return arith::ConstantOp::create(*this, getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(*this, value); }
  Value toWord(Value value) { return arith::IndexCastOp::create(*this, getI32Type(), value); }
  Value load(Value memref, Value at) { return memref::LoadOp::create(*this, memref, at); }
  void store(Value value, Value memref, Value at) { memref::StoreOp::create(*this, value, memref, at); }

  Value xorShift(Value value, uint32_t distance) {
    return arith::XOrIOp::create(*this, value, arith::ShRUIOp::create(*this, value, word(distance)));
  }

  Value mix(Value state, Value with) {
    Value mixed = arith::XOrIOp::create(*this, arith::MulIOp::create(*this, state, word(0x9E3779B1u)), with);
    mixed = arith::MulIOp::create(*this, xorShift(mixed, 16), word(0x85EBCA6Bu));
    mixed = arith::MulIOp::create(*this, xorShift(mixed, 13), word(0xC2B2AE35u));
    return xorShift(mixed, 16);
  }

  Value unitFloat(Value value) {
    Value low = arith::AndIOp::create(*this, value, word(0xFFFFu));
    Value number = arith::UIToFPOp::create(*this, getF32Type(), low);
    return arith::MulFOp::create(*this, number, number32(1.0f / 65536.0f));
  }

  Value number32(float value) { return arith::ConstantOp::create(*this, getF32FloatAttr(value)); }
};

} // namespace lockstep::scenario

MemRefType lockstep::scenario::sliceType(MLIRContext *context) {
  auto layout = StridedLayoutAttr::get(context, ShapedType::kDynamic, {ShapedType::kDynamic});
  return MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, 32), layout);
}

static Value foldSource(KernelBuilder &b, Value state, Value source, Value target, Value i) {
  Value zero = b.index(0);
  Value step = memref::DimOp::create(b, target, zero);
  Value words = memref::DimOp::create(b, source, zero);
  auto loop = scf::ForOp::create(b, i, words, step, ValueRange{state},
                                 [&](OpBuilder &, Location, Value at, ValueRange carried) {
                                   Value mixed = b.mix(carried[0], b.load(source, at));
                                   scf::YieldOp::create(b, mixed);
                                 });
  return loop.getResult(0);
}

static Value addFloats(KernelBuilder &b, Value state, ValueRange sources, Value i) {
  Value sum = b.unitFloat(state);
  for (Value source : sources) {
    Value scaled = arith::MulFOp::create(b, sum, b.number32(0.75f));
    sum = arith::AddFOp::create(b, scaled, b.unitFloat(b.load(source, i)));
  }
  return arith::BitcastOp::create(b, b.getI32Type(), sum);
}

static void emitAtomic(KernelBuilder &b, Value state, Value target, Value source, Value i) {
  Value words = memref::DimOp::create(b, target, b.index(0));
  Value at = arith::RemUIOp::create(b, i, words);
  memref::AtomicRMWOp::create(b, arith::AtomicRMWKind::addi, b.mix(state, b.load(source, i)), target, at);
}

/// What thread i does, for kernels whose threads do not meet.
static void emitThread(KernelBuilder &b, KernelKind kind, Value target, ValueRange sources, Value salt, Value i) {
  Value state = b.mix(salt, b.toWord(i));
  if (kind == KernelKind::Atomic)
    return emitAtomic(b, state, target, sources[0], i);
  if (kind == KernelKind::Update)
    state = b.mix(state, b.load(target, i));
  if (kind == KernelKind::Fold)
    state = foldSource(b, state, sources[0], target, i);
  else if (kind == KernelKind::Float)
    state = addFloats(b, state, sources, i);
  else
    for (Value source : sources)
      state = b.mix(state, b.load(source, i));
  b.store(state, target, i);
}

static Value emitIf(KernelBuilder &b, Value condition, llvm::function_ref<void()> body) {
  scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(b);
  });
  return condition;
}

/// Each thread puts its word where its neighbour in the block finds it; all threads of the block reach the barrier.
static void emitShared(KernelBuilder &b, gpu::GPUFuncOp function, ValueRange arguments, Value i, Value isActive) {
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto type = MemRefType::get({kBlockThreads}, b.getI32Type(), AffineMap(), space);
  Value shared = function.addWorkgroupAttribution(type, b.getLoc());
  Value target = arguments[0], source = arguments[1], words = arguments[2], salt = arguments[3];
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  emitIf(b, isActive, [&] { b.store(b.load(source, i), shared, thread); });
  gpu::BarrierOp::create(b);
  emitIf(b, isActive, [&] {
    Value blockBegin = arith::SubIOp::create(b, i, thread);
    Value left = arith::SubIOp::create(b, words, blockBegin);
    Value blockWords = arith::MinUIOp::create(b, left, b.index(kBlockThreads));
    Value next = arith::AddIOp::create(b, thread, b.index(1));
    Value neighbour = arith::RemUIOp::create(b, next, blockWords);
    Value state = b.mix(salt, b.toWord(i));
    state = b.mix(b.mix(state, b.load(shared, thread)), b.load(shared, neighbour));
    b.store(state, target, i);
  });
}

KernelLibrary::KernelLibrary(ModuleOp module) : module(module) {
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), UnitAttr::get(module.getContext()));
}

uint64_t KernelLibrary::threadCount(const DeviceOp &op) {
  return op.kernel == KernelKind::Atomic ? op.sources[0].words : op.target.words;
}

SymbolRefAttr KernelLibrary::kernel(KernelKind kind, size_t sourceCount) {
  MLIRContext *context = module.getContext();
  std::string name = kernelName(kind) + std::string("_") + std::to_string(sourceCount);
  auto symbol = SymbolRefAttr::get(context, name, {FlatSymbolRefAttr::get(context, name)});
  if (module.lookupSymbol(name))
    return symbol;
  KernelBuilder b(NameLoc::get(StringAttr::get(context, name)), context);
  b.setInsertionPointToEnd(module.getBody());
  auto kernels = gpu::GPUModuleOp::create(b, name);
  b.setInsertionPointToStart(kernels.getBody());
  SmallVector<Type> types(1 + sourceCount, sliceType(context));
  types.append({b.getIndexType(), b.getI32Type()});
  auto function = gpu::GPUFuncOp::create(b, name, b.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  b.setInsertionPointToStart(&function.getBody().front());
  // A copy: shared memory becomes one more argument, which moves them all.
  SmallVector<Value> arguments(function.getArguments().take_front(types.size()));
  Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value i = arith::AddIOp::create(b, arith::MulIOp::create(b, block, b.index(kBlockThreads)), thread);
  Value isActive = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, i, arguments[sourceCount + 1]);
  if (kind == KernelKind::Shared)
    emitShared(b, function, arguments, i, isActive);
  else
    emitIf(b, isActive, [&] {
      emitThread(b, kind, arguments[0], ValueRange(arguments).slice(1, sourceCount), arguments[sourceCount + 2], i);
    });
  gpu::ReturnOp::create(b);
  return symbol;
}

/// A function that stores, to each word of its first argument, what `body` gives for its index.
func::FuncOp KernelLibrary::function(StringRef name, TypeRange arguments,
                                     llvm::function_ref<Value(KernelBuilder &, ValueRange, Value)> body) {
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  MLIRContext *context = module.getContext();
  KernelBuilder b(NameLoc::get(StringAttr::get(context, name)), context);
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(b, name, b.getFunctionType(arguments, {}));
  function.setPrivate();
  mlir::Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  Value zero = b.index(0);
  Value words = memref::DimOp::create(b, entry->getArgument(0), zero);
  scf::ForOp::create(b, zero, words, b.index(1), ValueRange(), [&](OpBuilder &, Location, Value i, ValueRange) {
    b.store(body(b, entry->getArguments(), i), entry->getArgument(0), i);
    scf::YieldOp::create(b);
  });
  func::ReturnOp::create(b);
  return function;
}

func::FuncOp KernelLibrary::fillInput() {
  Builder types(module.getContext());
  auto buffer = MemRefType::get({ShapedType::kDynamic}, types.getI32Type());
  return function("fill_input", {buffer, types.getI32Type()}, [](KernelBuilder &b, ValueRange arguments, Value i) {
    return b.mix(b.mix(b.word(0x10C57EB5u), arguments[1]), b.toWord(i));
  });
}

func::FuncOp KernelLibrary::poison() {
  Builder types(module.getContext());
  auto buffer = MemRefType::get({ShapedType::kDynamic}, types.getI32Type());
  return function("poison", {buffer}, [](KernelBuilder &b, ValueRange, Value) { return b.word(kPoisonWord); });
}

func::FuncOp KernelLibrary::rewrite() {
  Builder types(module.getContext());
  return function("rewrite", {sliceType(module.getContext()), types.getI32Type()},
                  [](KernelBuilder &b, ValueRange arguments, Value i) {
                    return b.mix(b.mix(arguments[1], b.toWord(i)), b.load(arguments[0], i));
                  });
}
