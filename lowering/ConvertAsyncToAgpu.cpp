// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuDialect.h"
#include "dialect/AgpuTypes.h"
#include "lowering/AsyncImport.h"
#include "lowering/GpuImport.h"
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

#define DEBUG_TYPE "convert-async-to-agpu"

namespace lockstep::agpu {
#define GEN_PASS_DEF_CONVERTASYNCTOAGPUPASS
#include "lowering/Passes.h.inc"
} // namespace lockstep::agpu

using namespace mlir;
using namespace lockstep::agpu;

static bool isAsyncType(Type type) { return isa<async::TokenType, async::ValueType, async::GroupType>(type); }

/// Reports each operation of the async dialect that cannot become chains.
static LogicalResult checkConvertible(Operation *root) {
  bool failedAny = false;
  root->walk([&](Operation *op) {
    if (!isa_and_present<async::AsyncDialect>(op->getDialect()) ||
        isa<async::ExecuteOp, async::AwaitOp, async::YieldOp>(op))
      return;
    failedAny = true;
    InFlightDiagnostic error = op->emitOpError("cannot become chains");
    error.attachNote() << "expected: async.execute, async.await and async.yield only";
    if (isa<async::CreateGroupOp, async::AddToGroupOp, async::AwaitAllOp>(op))
      error.attachNote() << "await each token of the group, or pass the tokens to one async.execute";
    if (isa<async::FuncOp, async::CallOp, async::ReturnOp>(op))
      error.attachNote() << "use a func.func that returns tokens or values of the async dialect";
  });
  return failure(failedAny);
}

/// Reports each operation that async values reach and that chains cannot pass through.
static LogicalResult checkConverted(Operation *root) {
  bool failedAny = false;
  root->walk([&](Operation *op) {
    if (!llvm::any_of(op->getOperandTypes(), isAsyncType) && !llvm::any_of(op->getResultTypes(), isAsyncType))
      return;
    // The cast is ours; the operation behind it is the one to name.
    if (isa<UnrealizedConversionCastOp>(op))
      return;
    failedAny = true;
    InFlightDiagnostic error = op->emitOpError("passes on a value of the async dialect in a way that chains cannot go");
    error.attachNote() << "expected: func, scf and cf operations only";
  });
  return failure(failedAny);
}

/// Turns the async types that are left, in signatures, block arguments and region results, into chains: `!async.token`
/// into one, `!async.value<T>` into a chain and a T.
static LogicalResult convertAsyncTypes(Operation *root) {
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([](async::TokenType type) -> Type { return ChainType::get(type.getContext()); });
  converter.addConversion([](async::ValueType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
    types.assign({ChainType::get(type.getContext()), type.getValueType()});
    return success();
  });
  converter.addSourceMaterialization([](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  });
  converter.addTargetMaterialization(
      [](OpBuilder &builder, TypeRange types, ValueRange inputs, Location loc) -> SmallVector<Value> {
        return llvm::to_vector_of<Value>(UnrealizedConversionCastOp::create(builder, loc, types, inputs).getResults());
      });

  ConversionTarget target(*context);
  RewritePatternSet patterns(context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    // The arguments of other blocks are converted with the branches that go there.
    return converter.isSignatureLegal(op.getFunctionType());
  });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>([&](Operation *op) { return converter.isLegal(op); });
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  if (failed(applyPartialConversion(root, target, std::move(patterns))))
    return failure();

  SmallVector<UnrealizedConversionCastOp> casts;
  root->walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  return success();
}

namespace {
struct ConvertAsyncToAgpuPass : public lockstep::agpu::impl::ConvertAsyncToAgpuPassBase<ConvertAsyncToAgpuPass> {
  void runOnOperation() override {
    Operation *module = getOperation();
    if (failed(checkConvertible(module)))
      return signalPassFailure();
    if (bodiesHoldGpuOps(module) && failed(importGpuOps(module)))
      return signalPassFailure();
    AsyncImportCounts counts = inlineAsyncBodies(module);
    numBodies += counts.bodies;
    numHostWaits += counts.hostWaits;
    if (failed(convertAsyncTypes(module)) || failed(checkConverted(module)))
      return signalPassFailure();
  }

private:
  static bool bodiesHoldGpuOps(Operation *root) {
    WalkResult walk = root->walk([](Operation *op) {
      return WalkResult(failure(isImportableGpuOp(op) && op->getParentOfType<async::ExecuteOp>()));
    });
    return walk.wasInterrupted();
  }
};
} // namespace
