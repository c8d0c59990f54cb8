// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/GpuImport.h"

#include "dialect/AgpuOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lockstep::agpu;

/// Whether |type| lies in device memory by its memory space: 1, as in the prototype, or gpu's global space.
static bool isDeviceMemory(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return false;
  if (auto space = dyn_cast<gpu::AddressSpaceAttr>(memref.getMemorySpace()))
    return space.getValue() == gpu::AddressSpace::Global;
  auto space = dyn_cast<IntegerAttr>(memref.getMemorySpace());
  return space && space.getValue() == 1;
}

bool lockstep::agpu::isImportableGpuOp(Operation *op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return isDeviceMemory(alloc.getType());
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return isDeviceMemory(dealloc.getMemref().getType());
  return isa<gpu::AllocOp, gpu::DeallocOp, gpu::HostRegisterOp, gpu::HostUnregisterOp, gpu::LaunchFuncOp, gpu::LaunchOp,
             gpu::MemcpyOp, gpu::MemsetOp, gpu::WaitOp>(op);
}

/// Whether |op| holds code of the device, which an import leaves alone.
static bool holdsKernel(Operation *op) { return isa<gpu::GPUModuleOp, gpu::LaunchOp, LaunchOp>(op); }

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static LogicalResult refuse(Operation *op, StringRef message, StringRef note) {
  InFlightDiagnostic error = op->emitOpError(message);
  error.attachNote() << note;
  return failure();
}

static LogicalResult checkImportable(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    if (launch.hasClusterSize())
      return refuse(op, "launches clusters", "agpu.launch has blocks and threads only");
    if (launch.getNumWorkgroupAttributions() || !launch.getPrivateAttributions().empty())
      return refuse(op, "has memory attributions", "run gpu-kernel-outlining first: a gpu.func keeps them");
    return success();
  }
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    if (launch.hasClusterSize())
      return refuse(op, "launches clusters", "agpu.launch_func has blocks and threads only");
    if (launch.getAsyncObject())
      return refuse(op, "is launched on an explicit stream", "order it with async tokens instead");
    return success();
  }
  bool hasSymbols = false;
  if (auto alloc = dyn_cast<gpu::AllocOp>(op))
    hasSymbols = !alloc.getSymbolOperands().empty();
  else if (auto alloc = dyn_cast<memref::AllocOp>(op))
    hasSymbols = isImportableGpuOp(op) && !alloc.getSymbolOperands().empty();
  if (hasSymbols)
    return refuse(op, "allocates device memory with layout symbols", "agpu.alloc has the identity layout only");
  if (isImportableGpuOp(op) || !isa_and_present<gpu::GPUDialect>(op->getDialect()))
    return success();
  // Modules, binaries and index operations such as gpu.thread_id are no host-side work.
  if (isa<gpu::AsyncOpInterface, gpu::SetDefaultDeviceOp>(op))
    return refuse(op, "has no counterpart in agpu", "see the pass description for what can be imported");
  return success();
}

static LogicalResult checkAllImportable(Operation *root) {
  bool failedAny = false;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    failedAny |= failed(checkImportable(op));
    return holdsKernel(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(failedAny);
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {

using ChainSet = llvm::SmallSetVector<Value, 8>;

/// The chain among the results of |op|, or null. Not the generated accessor: types are replaced before operations are.
Value findChainResult(Operation *op) {
  for (Value result : op->getResults())
    if (isa<ChainType>(result.getType()))
      return result;
  return {};
}

class GpuImporter {
public:
  explicit GpuImporter(Operation *root) : root(root), dominance(root), builder(root->getContext()) {}

  GpuImportCounts run() {
    replaceTokenTypes();
    for (Region &region : root->getRegions())
      importRegion(region, {});
    return counts;
  }

private:
  /// Builds one agpu operation: |chainType| is null where it is synchronous. Returns it.
  using CreateFn = function_ref<Operation *(Type chainType, ValueRange chains)>;

  void replaceTokenTypes() {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](gpu::AsyncTokenType type) -> Type { return ChainType::get(type.getContext()); });
    replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

  /// Imports the blocks of |region|. |pending| holds the chains of the code around it that the host has not waited for.
  void importRegion(Region &region, const ChainSet &pending) {
    if (region.empty())
      return;
    // What is pending at the end of a block is pending at the start of the blocks that it immediately dominates; work
    // of blocks in between cannot be named there.
    DenseMap<Block *, ChainSet> pendingAtEnd;
    for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&region)) {
      ChainSet atStart = pending;
      if (block != &region.front()) {
        Block *dominator = dominance.getNode(block)->getIDom()->getBlock();
        atStart = pendingAtEnd.lookup(dominator);
      }
      pendingAtEnd[block] = importBlock(*block, std::move(atStart));
    }
    // A block that nothing reaches is not visited above, but must be legal too.
    for (Block &block : region)
      if (!pendingAtEnd.contains(&block))
        importBlock(block, {});
  }

  ChainSet importBlock(Block &block, ChainSet pending) {
    for (Value argument : block.getArguments())
      if (isa<ChainType>(argument.getType()))
        pending.insert(argument);
    for (Operation &op : llvm::make_early_inc_range(block))
      importOp(&op, pending);
    return pending;
  }

  void importOp(Operation *op, ChainSet &pending) {
    if (isImportableGpuOp(op)) {
      ++counts.imported;
      builder.setInsertionPoint(op);
      return importDeviceOp(op, pending);
    }
    if (!holdsKernel(op)) {
      bool isolated = op->hasTrait<OpTrait::IsIsolatedFromAbove>();
      for (Region &region : op->getRegions())
        importRegion(region, isolated ? ChainSet() : pending);
    }
    for (Value result : op->getResults())
      if (isa<ChainType>(result.getType()))
        pending.insert(result);
  }

  void importDeviceOp(Operation *op, ChainSet &pending) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](gpu::WaitOp wait) { importWait(wait, pending); })
        .Case([&](gpu::AllocOp alloc) {
          importAlloc(alloc, alloc.getAsyncDependencies(), alloc.getDynamicSizes(), alloc.getHostShared(), pending);
        })
        .Case([&](memref::AllocOp alloc) { importAlloc(alloc, {}, alloc.getDynamicSizes(), false, pending); })
        .Case([&](gpu::DeallocOp dealloc) {
          importDealloc(dealloc, dealloc.getAsyncDependencies(), dealloc.getMemref(), pending);
        })
        .Case([&](memref::DeallocOp dealloc) { importDealloc(dealloc, {}, dealloc.getMemref(), pending); })
        .Case([&](gpu::MemcpyOp copy) {
          importOrdered(copy, copy.getAsyncDependencies(), pending, [&](Type chainType, ValueRange chains) {
            return MemcpyOp::create(builder, copy.getLoc(), chainType, chains, copy.getDst(), copy.getSrc());
          });
        })
        .Case([&](gpu::MemsetOp fill) {
          importOrdered(fill, fill.getAsyncDependencies(), pending, [&](Type chainType, ValueRange chains) {
            return MemsetOp::create(builder, fill.getLoc(), chainType, chains, fill.getDst(), fill.getValue());
          });
        })
        .Case([&](gpu::LaunchOp launch) { importLaunch(launch, pending); })
        .Case([&](gpu::LaunchFuncOp launch) { importLaunchFunc(launch, pending); })
        .Case([&](gpu::HostRegisterOp op) {
          HostRegisterOp::create(builder, op.getLoc(), op.getValue());
          op.erase();
        })
        .Case([&](gpu::HostUnregisterOp op) {
          // IMPORT-1: nothing that uses the memory may be pending.
          waitForAll(op.getLoc(), pending);
          HostUnregisterOp::create(builder, op.getLoc(), op.getValue());
          op.erase();
        });
  }

  void importWait(gpu::WaitOp wait, ChainSet &pending) {
    ValueRange chains = wait.getAsyncDependencies();
    if (Value token = findChainResult(wait)) {
      auto join = JoinOp::create(builder, wait.getLoc(), ChainType::get(wait.getContext()), chains);
      token.replaceAllUsesWith(join.getChain());
      noteIssued(join.getChain(), chains, pending);
    } else if (!chains.empty()) {
      WaitOp::create(builder, wait.getLoc(), chains);
      for (Value chain : chains)
        pending.remove(chain);
    }
    wait.erase();
  }

  void importAlloc(Operation *op, ValueRange deps, ValueRange sizes, bool hostShared, ChainSet &pending) {
    // No pending work can use memory that does not exist yet: a synchronous allocation needs no order.
    ChainSet nothingPending;
    bool isAsync = static_cast<bool>(findChainResult(op));
    importOrdered(op, deps, isAsync ? pending : nothingPending, [&](Type chainType, ValueRange chains) {
      return AllocOp::create(builder, op->getLoc(), op->getResult(0).getType(), chainType, chains, sizes, hostShared);
    });
  }

  void importDealloc(Operation *op, ValueRange deps, Value memref, ChainSet &pending) {
    importOrdered(op, deps, pending, [&](Type chainType, ValueRange chains) {
      return DeallocOp::create(builder, op->getLoc(), chainType, chains, memref);
    });
  }

  /// The six sizes of a launch as index values: upstream takes i32 and i64 too.
  SmallVector<Value, 6> asIndices(Location loc, gpu::KernelDim3 grid, gpu::KernelDim3 block) {
    SmallVector<Value, 6> sizes = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    for (Value &size : sizes)
      if (!size.getType().isIndex())
        size = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), size);
    return sizes;
  }

  void importLaunch(gpu::LaunchOp launch, ChainSet &pending) {
    Location loc = launch.getLoc();
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues(), block = launch.getBlockSizeOperandValues();
    launch.getBody().walk([](gpu::TerminatorOp terminator) {
      OpBuilder terminatorBuilder(terminator);
      TerminatorOp::create(terminatorBuilder, terminator.getLoc());
      terminator.erase();
    });
    // The names that the kernel should have after outlining say nothing about the program's meaning; they are not kept.
    importOrdered(launch, launch.getAsyncDependencies(), pending, [&](Type chainType, ValueRange chains) {
      auto imported = LaunchOp::create(builder, loc, chainType, chains, grid.x, grid.y, grid.z, block.x, block.y,
                                       block.z, launch.getDynamicSharedMemorySize());
      imported.getBody().takeBody(launch.getBody());
      return imported;
    });
  }

  void importLaunchFunc(gpu::LaunchFuncOp launch, ChainSet &pending) {
    Location loc = launch.getLoc();
    SmallVector<Value, 6> sizes = asIndices(loc, launch.getGridSizeOperandValues(), launch.getBlockSizeOperandValues());
    importOrdered(launch, launch.getAsyncDependencies(), pending, [&](Type chainType, ValueRange chains) {
      return LaunchFuncOp::create(builder, loc, chainType, chains, launch.getKernelAttr(), sizes[0], sizes[1], sizes[2],
                                  sizes[3], sizes[4], sizes[5], launch.getDynamicSharedMemorySize(),
                                  launch.getKernelOperands());
    });
  }

  /// Replaces |op| by what |create| builds, ordered by the rules of the import (IMPORT-1).
  void importOrdered(Operation *op, ValueRange deps, ChainSet &pending, CreateFn create) {
    ChainSet chains(deps.begin(), deps.end());
    bool isAsync = static_cast<bool>(findChainResult(op));
    if (!isAsync) {
      counts.ordered += pending.empty() ? 0 : 1;
      chains.insert_range(pending);
    }
    bool makeAsync = isAsync || !chains.empty();
    Operation *imported = create(makeAsync ? ChainType::get(op->getContext()) : Type(), chains.getArrayRef());
    NamedAttrList attributes(op->getDiscardableAttrDictionary());
    // The parser of gpu.launch leaves this behind; an operation with attributions is refused, so it says nothing.
    attributes.erase(gpu::LaunchOp::getNumWorkgroupAttributionsAttrName());
    imported->setDiscardableAttrs(attributes.getDictionary(op->getContext()));
    // Where both have a chain it is the last result of both; a chain that only the import has follows the others.
    for (auto [from, to] : llvm::zip(op->getResults(), imported->getResults()))
      from.replaceAllUsesWith(to);
    if (isAsync) {
      noteIssued(findChainResult(imported), chains.getArrayRef(), pending);
    } else if (makeAsync) {
      WaitOp::create(builder, op->getLoc(), findChainResult(imported));
      pending.clear();
    }
    op->erase();
  }

  /// |chain| is pending from here on, and stands for those that it waits for.
  void noteIssued(Value chain, ValueRange waitedFor, ChainSet &pending) {
    for (Value earlier : waitedFor)
      pending.remove(earlier);
    pending.insert(chain);
  }

  void waitForAll(Location loc, ChainSet &pending) {
    if (pending.empty())
      return;
    ++counts.ordered;
    WaitOp::create(builder, loc, pending.getArrayRef());
    pending.clear();
  }

  Operation *root;
  DominanceInfo dominance;
  OpBuilder builder;
  GpuImportCounts counts;
};

} // namespace

FailureOr<GpuImportCounts> lockstep::agpu::importGpuOps(Operation *root) {
  if (failed(checkAllImportable(root)))
    return failure();
  return GpuImporter(root).run();
}
