// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/LateReads.h"

#include "lowering/MemoryAccess.h"
#include "lowering/MemorySpaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace lockstep::agpu {

static constexpr llvm::StringLiteral kLateRead = "agpu.late_read";

namespace {

/// Where the memory of a module comes from, and what of it is written in device order.
class HostMemory {
public:
  explicit HostMemory(ModuleOp module) : finder(symbols) {
    module.walk([&](Operation *op) {
      if (auto registration = dyn_cast<HostRegisterOp>(op))
        registrations[resolveMemory(registration.getMemref()).key].push_back(op);
      else if (auto end = dyn_cast<HostUnregisterOp>(op))
        unregistrations[resolveMemory(end.getMemref()).key].push_back(op);
      else if (isa<ChainOpInterface>(op) || isDeviceCall(op))
        noteWrites(op);
    });
  }

  bool mayBeReadTooEarly(MemcpyOp copy) {
    // What comes after nothing may read at once.
    if (copy.getChains().empty() || isGlobalMemory(cast<BaseMemRefType>(copy.getSrc().getType())))
      return false;
    MemoryRange source = resolveMemory(copy.getSrc());
    if (isDeviceMemory(source) || isPageLocked(source, copy))
      return false;
    // What comes from elsewhere may be whatever is written.
    bool isOwn = source.root && !isa<BlockArgument>(source.root) && !isa<func::CallOp>(source.root.getDefiningOp());
    return isOwn ? unknownIsWritten || written.contains(source.key) : unknownIsWritten || !written.empty();
  }

private:
  static bool isDeviceMemory(const MemoryRange &range) {
    return range.root && isa_and_nonnull<AllocOp>(range.root.getDefiningOp());
  }

  /// Whether the operation calls a function that does device operations.
  bool isDeviceCall(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()) : func::FuncOp();
    return callee && doesDeviceWork(callee);
  }

  bool doesDeviceWork(func::FuncOp function) {
    // A recursive call adds nothing to what the function itself does.
    auto [entry, isNew] = deviceFunctions.try_emplace(function, false);
    if (!isNew)
      return entry->second;
    bool found =
        function
            .walk([&](Operation *op) {
              return isa<ChainOpInterface>(op) || isDeviceCall(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    return deviceFunctions[function] = found;
  }

  void noteWrites(Operation *op) {
    for (const Access &access : finder.find(op)) {
      if (!access.writes || access.kind != AccessKind::Use || isDeviceMemory(access.range))
        continue;
      if (!access.range.root)
        unknownIsWritten = true;
      else
        written.insert(access.range.key);
    }
  }

  /// Whether the copy stands between a registration of its source and the end of it, all in one block or below.
  bool isPageLocked(const MemoryRange &source, Operation *copy) {
    if (!source.root)
      return false;
    auto isInOrder = [&](Operation *registration) {
      Operation *place = registration->getBlock()->findAncestorOpInBlock(*copy);
      return place && registration->isBeforeInBlock(place) &&
             llvm::all_of(unregistrations[source.key], [&](Operation *end) {
               return end->getBlock() == registration->getBlock() && place->isBeforeInBlock(end);
             });
    };
    return llvm::any_of(registrations[source.key], isInOrder);
  }

  SymbolTableCollection symbols;
  AccessFinder finder;
  llvm::DenseMap<Operation *, bool> deviceFunctions;
  llvm::DenseMap<const void *, SmallVector<Operation *>> registrations, unregistrations;
  llvm::DenseSet<const void *> written;
  bool unknownIsWritten = false;
};

} // namespace

unsigned markLateReads(ModuleOp module) {
  HostMemory memory(module);
  unsigned numMarks = 0;
  module.walk([&](MemcpyOp copy) {
    if (!memory.mayBeReadTooEarly(copy))
      return;
    copy->setAttr(kLateRead, UnitAttr::get(module.getContext()));
    ++numMarks;
  });
  return numMarks;
}

bool isLateRead(MemcpyOp copy) { return copy->hasAttr(kLateRead); }

} // namespace lockstep::agpu
