// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/CertainAccesses.h"

#include "dialect/AgpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace lockstep::agpu {

/// The first value of a loop's induction variable, where the body certainly runs.
static std::optional<int64_t> getFirstIteration(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper ? lower : std::nullopt;
}

/// The value in the first thread, and the first time round of the loops around; nothing where it is not known.
static std::optional<int64_t> evaluate(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && loop.getInductionVar() == argument ? getFirstIteration(loop) : std::nullopt;
  }
  return TypeSwitch<Operation *, std::optional<int64_t>>(value.getDefiningOp())
      .Case<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::GlobalIdOp>([](Operation *) { return 0; })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [](Operation *op) { return evaluate(op->getOperand(0)); })
      .Case([](arith::AddIOp op) -> std::optional<int64_t> {
        std::optional<int64_t> left = evaluate(op.getLhs()), right = evaluate(op.getRhs());
        return left && right ? std::optional(*left + *right) : std::nullopt;
      })
      .Case([](arith::MulIOp op) -> std::optional<int64_t> {
        std::optional<int64_t> left = evaluate(op.getLhs()), right = evaluate(op.getRhs());
        // The number of threads in a block is not known, but that of blocks before the first one is.
        if (left == 0 || right == 0)
          return 0;
        return left && right ? std::optional(*left * *right) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether each execution of the function executes the operation.
static bool isAlwaysExecuted(Operation *op, Region &body) {
  while (op->getParentRegion() != &body) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!loop || !getFirstIteration(loop))
      return false;
    op = loop;
  }
  return op->getBlock() == &body.front();
}

static std::optional<CertainAccess> getAccess(OpOperand &use) {
  ValueRange indices;
  bool isWrite = false;
  if (auto load = dyn_cast<memref::LoadOp>(use.getOwner())) {
    indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(use.getOwner())) {
    if (store.getMemRef() != use.get())
      return std::nullopt;
    indices = store.getIndices();
    isWrite = true;
  } else {
    return std::nullopt;
  }
  CertainAccess access{isWrite, {}};
  for (Value index : indices) {
    std::optional<int64_t> known = evaluate(index);
    if (!known || *known < 0)
      return std::nullopt;
    access.indices.push_back(*known);
  }
  return access;
}

ArgumentAccesses findCertainAccesses(Operation *op, SymbolTableCollection &symbols) {
  auto launch = dyn_cast<LaunchFuncOp>(op);
  ValueRange arguments = launch ? ValueRange(launch.getKernelOperands()) : cast<HostCallOp>(op).getArguments();
  SymbolRefAttr callee = launch ? launch.getKernel() : cast<HostCallOp>(op).getCalleeAttr();
  ArgumentAccesses accesses(arguments.size());
  auto function = dyn_cast_or_null<FunctionOpInterface>(symbols.lookupNearestSymbolFrom(op, callee));
  if (!function || function.isExternal())
    return accesses;
  Region &body = function.getFunctionBody();
  for (auto [argument, found] : llvm::zip(body.getArguments(), accesses))
    for (OpOperand &use : argument.getUses()) {
      std::optional<CertainAccess> access = isAlwaysExecuted(use.getOwner(), body) ? getAccess(use) : std::nullopt;
      if (access && !llvm::is_contained(found, *access))
        found.push_back(std::move(*access));
    }
  return accesses;
}

} // namespace lockstep::agpu
