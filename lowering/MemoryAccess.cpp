// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/MemoryAccess.h"

#include "dialect/AgpuOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

bool isMemRef(Value value) { return isa<BaseMemRefType>(value.getType()); }

MemoryRange makeRoot(Value root) {
  MemoryRange range;
  range.root = root;
  range.key = root.getAsOpaquePointer();
  return range;
}

/// A loop argument or result that is its initial value in every iteration, or null.
Value getUnchangedInit(LoopLikeOpInterface loop, BlockArgument argument) {
  OpOperand *init = argument ? loop.getTiedLoopInit(argument) : nullptr;
  OpOperand *yielded = argument ? loop.getTiedLoopYieldedValue(argument) : nullptr;
  return init && yielded && yielded->get() == argument ? init->get() : Value();
}

MemoryRange resolveArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa_and_nonnull<FunctionOpInterface>(parent) && argument.getOwner()->isEntryBlock())
    return makeRoot(argument);
  if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent)) {
    if (Value init = getUnchangedInit(loop, argument))
      return resolveMemory(init);
  }
  return {};
}

Interval composeInterval(const Interval &outer, OpFoldResult offset, OpFoldResult size, OpFoldResult stride) {
  std::optional<int64_t> first = getConstantIntValue(offset), count = getConstantIntValue(size),
                         step = getConstantIntValue(stride);
  if (!outer.isKnown || !first || !count || !step)
    return {};
  return {outer.first + *first * outer.stride, *count, *step * outer.stride, true};
}

MemoryRange resolveSubview(memref::SubViewOp op) {
  MemoryRange range = resolveMemory(op.getSource());
  int64_t rank = op.getSourceType().getRank();
  bool isAll = range.isWhole();
  // A box speaks of the root's dimensions: it can be narrowed only while the view still has them.
  if (!range.isExact || (!isAll && static_cast<int64_t>(range.box.size()) != rank)) {
    range.isExact = false;
    return range;
  }
  for (int64_t i = 0; i != rank; ++i) {
    Interval whole{0, 0, 1, true};
    Interval part = composeInterval(isAll ? whole : range.box[i], op.getMixedOffsets()[i], op.getMixedSizes()[i],
                                    op.getMixedStrides()[i]);
    if (isAll)
      range.box.push_back(part);
    else
      range.box[i] = part;
  }
  // With dimensions dropped, later views speak of others.
  if (op.getType().getRank() != rank && !range.box.empty())
    range.isExact = llvm::all_of(range.box, [](const Interval &part) { return part.isKnown; });
  return range;
}

/// A root of bytes seen as something else, from a constant byte on.
MemoryRange resolveView(memref::ViewOp op) {
  MemoryRange range = resolveMemory(op.getSource());
  std::optional<int64_t> shift = getConstantIntValue(op.getByteShift());
  if (!range.isWhole() || !shift || !op.getType().hasStaticShape() || !op.getType().getElementType().isIntOrFloat()) {
    range.isExact = false;
    return range;
  }
  int64_t bytes = op.getType().getNumElements() * ((op.getType().getElementTypeBitWidth() + 7) / 8);
  range.box.push_back({*shift, bytes, 1, true});
  return range;
}

bool makesFreshMemory(Operation *op, Value result) {
  if (isa<CallOpInterface>(op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result);
}

MemoryRange resolveRoot(Value memref) {
  if (auto argument = dyn_cast<BlockArgument>(memref))
    return resolveArgument(argument);
  Operation *op = memref.getDefiningOp();
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    return resolveSubview(subview);
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return resolveView(view);
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op))
    return resolveMemory(op->getOperand(0));
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    MemoryRange range = resolveMemory(view.getViewSource());
    range.isExact = false;
    // reinterpret_cast starts again from the allocation.
    if (isa<memref::ReinterpretCastOp>(op))
      range.box.clear();
    return range;
  }
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    MemoryRange range = makeRoot(memref);
    range.key = global.getNameAttr().getAttr().getAsOpaquePointer();
    return range;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    unsigned index = cast<OpResult>(memref).getResultNumber();
    auto arguments = loop.getRegionIterArgs();
    Value init = index < arguments.size() ? getUnchangedInit(loop, arguments[index]) : Value();
    return init ? resolveMemory(init) : MemoryRange();
  }
  return makesFreshMemory(op, memref) ? makeRoot(memref) : MemoryRange();
}

Overlap compareIntervals(const Interval &a, const Interval &b) {
  if (!a.isKnown || !b.isKnown)
    return Overlap::Maybe;
  if (a.count <= 0 || b.count <= 0 || a.stride <= 0 || b.stride <= 0)
    return a.count == 0 || b.count == 0 ? Overlap::No : Overlap::Maybe;
  int64_t aLast = a.first + (a.count - 1) * a.stride, bLast = b.first + (b.count - 1) * b.stride;
  if (aLast < b.first || bLast < a.first)
    return Overlap::No;
  if (a.stride != b.stride)
    return Overlap::Maybe;
  return (a.first - b.first) % a.stride == 0 ? Overlap::Yes : Overlap::No;
}

} // namespace

MemoryRange resolveMemory(Value memref) {
  MemoryRange range = resolveRoot(memref);
  range.view = memref;
  return range;
}

Overlap compareRanges(const MemoryRange &a, const MemoryRange &b, bool sameView) {
  bool isYes = a.isExact && b.isExact;
  if (a.box.size() == b.box.size()) {
    for (auto [left, right] : llvm::zip(a.box, b.box)) {
      Overlap overlap = compareIntervals(left, right);
      if (overlap == Overlap::No)
        return Overlap::No;
      isYes &= overlap == Overlap::Yes;
    }
  }
  if (isYes || a.isWhole() || b.isWhole() || (sameView && a.view == b.view))
    return Overlap::Yes;
  return Overlap::Maybe;
}

SmallVector<Access> AccessFinder::find(Operation *op) {
  SmallVector<Access> accesses;
  if (auto launch = dyn_cast<LaunchOp>(op))
    addLaunch(op, launch.getBody(), accesses);
  else if (auto launchFunc = dyn_cast<LaunchFuncOp>(op))
    addArguments(op, launchFunc.getKernel(), launchFunc.getKernelOperands(), accesses);
  else if (auto hostCall = dyn_cast<HostCallOp>(op))
    addArguments(op, hostCall.getCalleeAttr(), hostCall.getArguments(), accesses);
  else if (auto call = dyn_cast<CallOpInterface>(op))
    addArguments(op, dyn_cast<SymbolRefAttr>(call.getCallableForCallee()), call.getArgOperands(), accesses);
  else if (isa<ExpectOp>(op))
    accesses.push_back({resolveMemory(op->getOperand(0)), AccessKind::Use, /*reads=*/true, /*writes=*/false});
  else if (!isa<HostRegisterOp>(op))
    addDeclared(op, accesses);
  return accesses;
}

void AccessFinder::addLaunch(Operation *launch, Region &region, SmallVectorImpl<Access> &accesses) {
  SetVector<Value> values;
  getUsedValuesDefinedAbove(region, values);
  for (Value value : values) {
    if (!isMemRef(value))
      continue;
    Effects effects = getUses(value, &region);
    if (effects.reads || effects.writes)
      accesses.push_back({resolveMemory(value), AccessKind::Use, effects.reads, effects.writes});
  }
}

void AccessFinder::addArguments(Operation *op, SymbolRefAttr callee, ValueRange operands,
                                SmallVectorImpl<Access> &accesses) {
  for (auto [index, value] : llvm::enumerate(operands)) {
    if (!isMemRef(value))
      continue;
    Effects effects = getArgument(op, callee, index);
    if (effects.reads || effects.writes)
      accesses.push_back({resolveMemory(value), AccessKind::Use, effects.reads, effects.writes});
  }
}

void AccessFinder::addDeclared(Operation *op, SmallVectorImpl<Access> &accesses) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  llvm::MapVector<Value, Access> byValue;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value value = effect.getValue();
    if (!value || !isMemRef(value))
      continue;
    Access &access = byValue[value];
    access.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    access.writes |= !isa<MemoryEffects::Read>(effect.getEffect());
    if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      access.kind = AccessKind::Alloc;
    else if (isa<MemoryEffects::Free>(effect.getEffect()))
      access.kind = AccessKind::Free;
  }
  for (auto &[value, access] : byValue) {
    access.range = resolveMemory(value);
    accesses.push_back(std::move(access));
  }
}

AccessFinder::Effects AccessFinder::getUses(Value memref, Region *inside) {
  Effects effects;
  for (OpOperand &use : memref.getUses()) {
    if (!inside || inside->isAncestor(use.getOwner()->getParentRegion()))
      effects.add(getUse(use, inside));
  }
  return effects;
}

AccessFinder::Effects AccessFinder::getUse(OpOperand &use, Region *inside) {
  Operation *op = use.getOwner();
  if (isa<ViewLikeOpInterface>(op) || isa<memref::CastOp>(op)) {
    Effects effects;
    for (Value result : op->getResults()) {
      if (isMemRef(result))
        effects.add(getUses(result, inside));
    }
    return effects;
  }
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    unsigned first = call.getArgOperands().empty() ? 0 : call.getArgOperands().getBeginOperandIndex();
    return getArgument(op, callee, use.getOperandNumber() - first);
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return getUnknown();
  SmallVector<MemoryEffects::EffectInstance> declared;
  interface.getEffects(declared);
  Effects effects;
  for (const MemoryEffects::EffectInstance &effect : declared) {
    if (effect.getValue() && effect.getValue() != use.get())
      continue;
    effects.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    effects.writes |= !isa<MemoryEffects::Read>(effect.getEffect());
  }
  return effects;
}

AccessFinder::Effects AccessFinder::getArgument(Operation *from, SymbolRefAttr callee, unsigned index) {
  Operation *symbol = callee ? symbols.lookupNearestSymbolFrom(from, callee) : nullptr;
  auto function = dyn_cast_or_null<FunctionOpInterface>(symbol);
  if (!function || function.isExternal() || index >= function.getNumArguments() ||
      !isMemRef(function.getArgument(index)))
    return getUnknown();
  // While a function is being looked at, a recursive call adds nothing new.
  auto [entry, isNew] = arguments.try_emplace({symbol, index}, Effects());
  if (!isNew)
    return entry->second;
  Effects effects = getUses(function.getArgument(index), nullptr);
  arguments[{symbol, index}] = effects;
  return effects;
}

} // namespace lockstep::agpu
