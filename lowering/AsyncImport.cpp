// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/AsyncImport.h"

#include "dialect/AgpuOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace lockstep::agpu;

namespace {

using ChainSet = llvm::SmallSetVector<Value, 4>;

/// The chains that the operation behind |chain| waited for: |chain| stands for them too. None where no operation is in
/// sight, as behind an argument.
SmallVector<Value> getWaitedFor(Value chain) {
  auto op = chain.getDefiningOp<ChainOpInterface>();
  return op ? SmallVector<Value>(op.getChains()) : SmallVector<Value>();
}

/// The body of an async.execute is a thread of its own until it is inlined: what it has waited for, and what it has
/// given to the device without waiting.
struct BodyThread {
  /// The next operation of the body comes after these.
  ChainSet current;
  /// Asynchronous work of the body that nothing in the body waits for.
  ChainSet issued;

  /// The body goes on only when |chain| is complete.
  void waitFor(Value chain) {
    for (Value earlier : getWaitedFor(chain)) {
      issued.remove(earlier);
      current.remove(earlier);
    }
    issued.remove(chain);
    current.insert(chain);
  }
  /// |chain| completes some time after what it waits for.
  void issue(Value chain) {
    for (Value earlier : getWaitedFor(chain))
      issued.remove(earlier);
    issued.insert(chain);
  }
};

/// An async value seen as what stands for it: its chain, and for an `!async.value` the value itself.
struct ChainedValue {
  Value chain;
  Value value;
};

class AsyncInliner {
public:
  explicit AsyncInliner(Operation *root) : root(root), builder(root->getContext()) {}

  AsyncImportCounts run() {
    // Outermost first: what is nested in a host region of a body is on the host's own thread after the body is inlined.
    for (SmallVector<async::ExecuteOp> outermost = findOutermost(); !outermost.empty(); outermost = findOutermost())
      for (async::ExecuteOp execute : outermost)
        inlineBody(execute, {});
    root->walk([&](async::AwaitOp await) {
      ChainedValue awaited = unwrap(await.getOperand());
      builder.setInsertionPoint(await);
      WaitOp::create(builder, await.getLoc(), awaited.chain);
      replaceAwait(await, awaited);
    });
    return counts;
  }

private:
  SmallVector<async::ExecuteOp> findOutermost() {
    SmallVector<async::ExecuteOp> found;
    root->walk<WalkOrder::PreOrder>([&](async::ExecuteOp execute) {
      found.push_back(execute);
      return WalkResult::skip();
    });
    return found;
  }

  /// Moves the body of |execute| in front of it, ordered after |inherited| and its operands; returns its chain.
  Value inlineBody(async::ExecuteOp execute, const ChainSet &inherited) {
    ++counts.bodies;
    BodyThread thread{inherited, {}};
    for (Value token : execute.getDependencies())
      thread.waitFor(unwrap(token).chain);
    Block *body = &execute.getBodyRegion().front();
    for (auto [operand, argument] : llvm::zip_equal(execute.getBodyOperands(), body->getArguments())) {
      ChainedValue unwrapped = unwrap(operand);
      thread.waitFor(unwrapped.chain);
      argument.replaceAllUsesWith(unwrapped.value);
    }
    for (Operation &op : llvm::make_early_inc_range(body->without_terminator())) {
      op.moveBefore(execute);
      inlineOp(&op, thread);
    }
    builder.setInsertionPoint(execute);
    Value chain = closeThread(execute.getLoc(), thread);
    auto yield = cast<async::YieldOp>(body->getTerminator());
    for (auto [result, value] : llvm::zip_equal(execute.getBodyResults(), yield.getOperands()))
      result.replaceAllUsesWith(wrap(result.getType(), {chain, value}));
    execute.getToken().replaceAllUsesWith(wrap(execute.getToken().getType(), chain));
    execute.erase();
    return chain;
  }

  /// One chain for all that a body did.
  Value closeThread(Location loc, const BodyThread &thread) {
    ChainSet chains = thread.current;
    for (Value chain : thread.issued)
      for (Value earlier : getWaitedFor(chain))
        chains.remove(earlier);
    chains.insert_range(thread.issued);
    if (chains.size() == 1)
      return chains.front();
    return JoinOp::create(builder, loc, ChainType::get(builder.getContext()), chains.getArrayRef());
  }

  void inlineOp(Operation *op, BodyThread &thread) {
    if (auto execute = dyn_cast<async::ExecuteOp>(op))
      return thread.issue(inlineBody(execute, thread.current));
    if (auto await = dyn_cast<async::AwaitOp>(op)) {
      ChainedValue awaited = unwrap(await.getOperand());
      thread.waitFor(awaited.chain);
      return replaceAwait(await, awaited);
    }
    // The body waits, so what follows in the body waits; the host need not.
    if (auto wait = dyn_cast<WaitOp>(op)) {
      for (Value chain : wait.getChains())
        thread.waitFor(chain);
      return wait.erase();
    }
    if (isa<JoinOp>(op))
      return;
    if (auto chainOp = dyn_cast<ChainOpInterface>(op))
      return inlineDeviceOp(chainOp, thread);
    if (needsNoOrder(op) || thread.current.empty())
      return;
    builder.setInsertionPoint(op);
    WaitOp::create(builder, op->getLoc(), thread.current.getArrayRef());
    ++counts.hostWaits;
    thread.current.clear();
  }

  void inlineDeviceOp(ChainOpInterface op, BodyThread &thread) {
    ChainSet chains(op.getChains().begin(), op.getChains().end());
    chains.insert_range(thread.current);
    if (op.isAsync()) {
      op.getChainsMutable().assign(chains.getArrayRef());
      return thread.issue(op.getChain());
    }
    thread.waitFor(makeAsync(op, chains.getArrayRef()));
  }

  /// Replaces the synchronous |op| by the same operation with |chains| in and a chain out, which is returned.
  Value makeAsync(ChainOpInterface op, ValueRange chains) {
    SmallVector<Type> types(op->getResultTypes());
    types.push_back(ChainType::get(builder.getContext()));
    Operation *created = Operation::create(op.getLoc(), op->getName(), types, op->getOperands(),
                                           op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
                                           /*successors=*/{}, op->getNumRegions());
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), created->getRegions()))
      to.takeBody(from);
    builder.setInsertionPoint(op);
    builder.insert(created);
    auto asyncOp = cast<ChainOpInterface>(created);
    asyncOp.getChainsMutable().assign(chains);
    for (auto [from, to] : llvm::zip(op->getResults(), asyncOp->getResults()))
      from.replaceAllUsesWith(to);
    op->erase();
    return asyncOp.getChain();
  }

  /// Whether |op| may run on the host before the device work in front of it is complete.
  static bool needsNoOrder(Operation *op) {
    WalkResult walk = op->walk([](Operation *nested) {
      return WalkResult(failure(isa<ChainOpInterface, async::ExecuteOp, async::AwaitOp>(nested)));
    });
    if (walk.wasInterrupted())
      return false;
    if (isMemoryEffectFree(op))
      return true;
    // Memory that is only just allocated is in nobody's use.
    auto effectOp = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effectOp || op->getNumRegions() != 0)
      return false;
    SmallVector<MemoryEffects::EffectInstance> effects;
    effectOp.getEffects(effects);
    return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Allocate>(effect.getEffect());
    });
  }

  void replaceAwait(async::AwaitOp await, const ChainedValue &awaited) {
    if (awaited.value)
      await.getResult().replaceAllUsesWith(awaited.value);
    await.erase();
  }

  /// What stands for |asyncValue|: the operands of the cast that made it, else the results of a cast behind it.
  ChainedValue unwrap(Value asyncValue) {
    auto made = asyncValue.getDefiningOp<UnrealizedConversionCastOp>();
    if (made && made.getNumOperands() > 0 && isa<ChainType>(made.getOperand(0).getType()))
      return {made.getOperand(0), made.getNumOperands() > 1 ? made.getOperand(1) : Value()};
    SmallVector<Type, 2> types = {ChainType::get(builder.getContext())};
    if (auto valueType = dyn_cast<async::ValueType>(asyncValue.getType()))
      types.push_back(valueType.getValueType());
    builder.setInsertionPointAfterValue(asyncValue);
    auto cast = UnrealizedConversionCastOp::create(builder, asyncValue.getLoc(), types, asyncValue);
    return {cast.getResult(0), types.size() > 1 ? cast.getResult(1) : Value()};
  }

  Value wrap(Type asyncType, ValueRange parts) {
    return UnrealizedConversionCastOp::create(builder, builder.getInsertionPoint()->getLoc(), asyncType, parts)
        .getResult(0);
  }

  Operation *root;
  OpBuilder builder;
  AsyncImportCounts counts;
};

} // namespace

AsyncImportCounts lockstep::agpu::inlineAsyncBodies(Operation *root) { return AsyncInliner(root).run(); }
