// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-agpu-to-gpu: the program in the words of upstream's gpu dialect, chains as tokens.

#include "dialect/AgpuOps.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "convert-agpu-to-gpu"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_CONVERTAGPUTOGPUPASS
#include "lowering/Passes.h.inc"

namespace {

bool isExported(Operation *op) { return isa<ChainOpInterface, HostRegisterOp, HostUnregisterOp>(op); }

/// The token among the results, or null. Not the generated accessor: types are replaced before operations are.
Value findToken(Operation *op) {
  for (Value result : op->getResults())
    if (isa<gpu::AsyncTokenType>(result.getType()))
      return result;
  return {};
}

/// Upstream's operations on memory take ranked memrefs only; a page lock takes any.
LogicalResult checkExportable(Operation *op) {
  if (!isa<DeallocOp, MemcpyOp, MemsetOp>(op))
    return success();
  for (Type type : op->getOperandTypes()) {
    if (!isa<UnrankedMemRefType>(type))
      continue;
    InFlightDiagnostic diagnostic = op->emitOpError("has an unranked memref, which no upstream operation takes: ");
    diagnostic << type;
    return diagnostic;
  }
  return success();
}

class Exporter {
public:
  Exporter(ModuleOp module, bool oneToken)
      : module(module), oneToken(oneToken), builder(module.getContext()),
        tokenType(gpu::AsyncTokenType::get(module.getContext())) {}

  /// Gives the number of operations that were exported.
  FailureOr<uint64_t> run() {
    SmallVector<Operation *> ops;
    bool isExportable = true;
    module.walk([&](Operation *op) {
      if (!isExported(op))
        return;
      isExportable &= succeeded(checkExportable(op));
      ops.push_back(op);
    });
    if (!isExportable)
      return failure();
    replaceChainTypes();
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      exportOp(op);
      op->erase();
    }
    return ops.size();
  }

private:
  using CreateFn = function_ref<Operation *(Type token, ValueRange tokens)>;

  void replaceChainTypes() {
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](ChainType) -> Type { return tokenType; });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

  void exportOp(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](AllocOp alloc) {
          exportWork(op, alloc.getChains(), [&](Type token, ValueRange tokens) {
            return gpu::AllocOp::create(builder, op->getLoc(), alloc.getMemref().getType(), token, tokens,
                                        alloc.getSizes(), ValueRange(), alloc.getHostShared());
          });
        })
        .Case([&](DeallocOp dealloc) {
          exportWork(op, dealloc.getChains(), [&](Type token, ValueRange tokens) {
            return gpu::DeallocOp::create(builder, op->getLoc(), token, tokens, dealloc.getMemref());
          });
        })
        .Case([&](MemcpyOp copy) {
          exportWork(op, copy.getChains(), [&](Type token, ValueRange tokens) {
            return gpu::MemcpyOp::create(builder, op->getLoc(), token, tokens, copy.getDst(), copy.getSrc());
          });
        })
        .Case([&](MemsetOp fill) {
          exportWork(op, fill.getChains(), [&](Type token, ValueRange tokens) {
            return gpu::MemsetOp::create(builder, op->getLoc(), token, tokens, fill.getDst(), fill.getValue());
          });
        })
        .Case([&](LaunchOp launch) { exportLaunch(launch); })
        .Case([&](LaunchFuncOp launch) {
          exportWork(op, launch.getChains(), [&](Type token, ValueRange tokens) {
            return gpu::LaunchFuncOp::create(builder, op->getLoc(), launch.getKernel(), sizesOf(launch.getGridSizes()),
                                             sizesOf(launch.getBlockSizes()), launch.getDynamicSharedMemorySize(),
                                             launch.getKernelOperands(), token, tokens);
          });
        })
        .Case([&](HostCallOp call) { exportHostCall(call); })
        .Case([&](JoinOp join) { findToken(join).replaceAllUsesWith(joined(join.getLoc(), join.getChains())); })
        .Case([&](WaitOp wait) { hostWait(wait.getLoc(), wait.getChains()); })
        .Case([&](HostRegisterOp lock) {
          gpu::HostRegisterOp::create(builder, op->getLoc(), unranked(op->getLoc(), lock.getMemref()));
        })
        .Case([&](HostUnregisterOp unlock) {
          gpu::HostUnregisterOp::create(builder, op->getLoc(), unranked(op->getLoc(), unlock.getMemref()));
        });
  }

  static gpu::KernelDim3 sizesOf(ValueRange sizes) { return {sizes[0], sizes[1], sizes[2]}; }

  Value joined(Location loc, ValueRange tokens) {
    return gpu::WaitOp::create(builder, loc, tokenType, tokens).getAsyncToken();
  }

  /// A wait for nothing is left out: upstream gives it no meaning.
  void hostWait(Location loc, ValueRange tokens) {
    if (!tokens.empty())
      gpu::WaitOp::create(builder, loc, Type(), tokens);
  }

  Value unranked(Location loc, Value memref) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type)
      return memref;
    auto unrankedType = UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace());
    return memref::CastOp::create(builder, loc, unrankedType, memref);
  }

  /// Builds the counterpart of an operation that does work. A synchronous one becomes an asynchronous one and a wait
  /// for it: that orders it after nothing that is pending, which upstream's synchronous form leaves open.
  void exportWork(Operation *op, ValueRange chains, CreateFn create) {
    SmallVector<Value> tokens(chains);
    if (oneToken && tokens.size() != 1)
      tokens = {joined(op->getLoc(), chains)};
    Operation *exported = create(tokenType, tokens);
    exported->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (!findToken(op))
      hostWait(op->getLoc(), findToken(exported));
    for (auto [from, to] : llvm::zip(op->getResults(), exported->getResults()))
      from.replaceAllUsesWith(to);
  }

  void exportLaunch(LaunchOp launch) {
    launch.getBody().walk([](TerminatorOp terminator) {
      OpBuilder terminatorBuilder(terminator);
      gpu::TerminatorOp::create(terminatorBuilder, terminator.getLoc());
      terminator.erase();
    });
    exportWork(launch, launch.getChains(), [&](Type token, ValueRange tokens) {
      ValueRange grid = launch.getGridSizes(), block = launch.getBlockSizes();
      auto exported = gpu::LaunchOp::create(builder, launch.getLoc(), grid[0], grid[1], grid[2], block[0], block[1],
                                            block[2], launch.getDynamicSharedMemorySize(), token, tokens);
      exported.getBody().takeBody(launch.getBody());
      return exported;
    });
  }

  /// The host itself waits and calls: later than nothing that the program orders, though not beside other work.
  void exportHostCall(HostCallOp call) {
    hostWait(call.getLoc(), call.getChains());
    func::CallOp::create(builder, call.getLoc(), call.getCalleeAttr(), TypeRange(), call.getArguments());
    if (Value token = findToken(call))
      token.replaceAllUsesWith(joined(call.getLoc(), {}));
  }

  ModuleOp module;
  const bool oneToken;
  OpBuilder builder;
  Type tokenType;
};

class ConvertAgpuToGpuPass : public impl::ConvertAgpuToGpuPassBase<ConvertAgpuToGpuPass> {
public:
  using ConvertAgpuToGpuPassBase::ConvertAgpuToGpuPassBase;

private:
  void runOnOperation() override {
    FailureOr<uint64_t> count = Exporter(getOperation(), oneToken).run();
    if (failed(count))
      return signalPassFailure();
    numExported += *count;
  }
};

} // namespace
} // namespace lockstep::agpu
