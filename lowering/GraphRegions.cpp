// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/GraphRegions.h"

#include "lowering/ChainTypes.h"
#include "lowering/RuntimeEmitter.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace lockstep::agpu {

bool AllocationPlacement::isNode(AllocOp op) const {
  // Memory that the host shares is not allocated in stream order, so it cannot be a node.
  return asNodes && !op.getHostShared() && llvm::any_of(op.getMemref().getUsers(), [&](Operation *user) {
           return isa<DeallocOp>(user) && user->getBlock() == op->getBlock();
         });
}

bool AllocationPlacement::isHoisted(DeallocOp op, llvm::function_ref<bool(Operation *)> inRegionOf) const {
  auto alloc = op.getMemref().getDefiningOp<AllocOp>();
  return !alloc || !isNode(alloc) || !inRegionOf(alloc);
}

void forEachDependency(ChainOpInterface op, llvm::function_ref<bool(JoinOp)> looksThrough,
                       llvm::function_ref<void(Operation *)> visit) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<ChainOpInterface> worklist{op};
  while (!worklist.empty()) {
    for (Value chain : worklist.pop_back_val().getChains()) {
      Operation *definition = chain.getDefiningOp();
      if (!definition || definition->getBlock() != op->getBlock() || !isa<ChainOpInterface>(definition) ||
          !seen.insert(definition).second)
        continue;
      auto join = dyn_cast<JoinOp>(definition);
      if (join && looksThrough(join))
        worklist.push_back(cast<ChainOpInterface>(definition));
      else
        visit(definition);
    }
  }
}

namespace {

class RegionUnitsBuilder {
public:
  RegionUnitsBuilder(Block &block, const AllocationPlacement &placement)
      : block(block), placement(placement), builder(block) {}

  BlockUnits build() {
    for (Operation &operation : block) {
      if (auto op = dyn_cast<ChainOpInterface>(operation))
        addOp(op);
      else if (!mayStandInside(&operation))
        isOpen = false;
    }
    return builder.take();
  }

private:
  /// Whether the operation can do nothing while a graph is built that would wait or begin another one.
  static bool mayStandInside(Operation *op) {
    if (RuntimeEmitter::isHostOp(op) || passesChains(op) || isa<CallOpInterface>(op) || op->getNumRegions() != 0 ||
        op->hasTrait<OpTrait::IsTerminator>())
      return false;
    return isMemoryEffectFree(op) || isa<MemoryEffectOpInterface>(op);
  }

  void addOp(ChainOpInterface op) {
    if (isa<WaitOp>(op)) {
      isOpen = false;
      builder.startUnit(StreamPlanNode::Kind::HostWait);
      builder.add(op);
    } else if (auto join = dyn_cast<JoinOp>(op.getOperation())) {
      addJoin(op);
    } else {
      addWork(op);
    }
  }

  /// What the operation depends on in the open region.
  SmallVector<Operation *> localDependencies(ChainOpInterface op) {
    SmallVector<Operation *> found;
    if (isOpen)
      forEachDependency(
          op, [](JoinOp) { return true; },
          [&](Operation *dependency) {
            if (builder.isInLastUnit(dependency))
              found.push_back(dependency);
          });
    return found;
  }

  void addJoin(ChainOpInterface op) {
    if (!localDependencies(op).empty()) {
      builder.add(op);
    } else if (isCarriedChain(op.getChain())) {
      isOpen = false;
      builder.startUnit(StreamPlanNode::Kind::Join);
      builder.add(op);
    }
  }

  void addWork(ChainOpInterface op) {
    SmallVector<Operation *> dependencies = localDependencies(op);
    auto alloc = dyn_cast<AllocOp>(op.getOperation());
    bool isTooEarly = alloc && placement.isHoisted(alloc) && !dependencies.empty();
    bool isTooLate = llvm::any_of(dependencies, [&](Operation *dependency) {
      auto dealloc = dyn_cast<DeallocOp>(dependency);
      return dealloc && placement.isHoisted(dealloc, [&](Operation *other) { return builder.isInLastUnit(other); });
    });
    if (!isOpen || isTooEarly || isTooLate)
      builder.startUnit(StreamPlanNode::Kind::Work);
    builder.add(op);
    isOpen = op.isAsync();
  }

  Block &block;
  const AllocationPlacement &placement;
  BlockUnitsBuilder builder;
  /// Whether the last unit is a region to which operations can be added.
  bool isOpen = false;
};

} // namespace

BlockUnits buildRegionUnits(Block &block, const AllocationPlacement &placement) {
  return RegionUnitsBuilder(block, placement).build();
}

} // namespace lockstep::agpu
