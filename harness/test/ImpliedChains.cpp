// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/test/ImpliedChains.h"

#include "dialect/AgpuInterfaces.h"
#include "dialect/AgpuOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace lockstep::agpu;
using mlir::Operation;
using mlir::Value;

using Chains = llvm::DenseSet<Value>;

/// Adds a chain and all that its operation comes after.
static void addReached(Value chain, Chains &reached) {
  llvm::SmallVector<Value> worklist{chain};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!reached.insert(next).second)
      continue;
    if (auto producer = next.getDefiningOp<ChainOpInterface>())
      llvm::append_range(worklist, producer.getChains());
  }
}

static bool isImplied(Value chain, const Chains &reached) {
  if (reached.contains(chain))
    return true;
  Operation *producer = chain.getDefiningOp();
  if (!llvm::isa_and_nonnull<JoinOp, DeallocOp>(producer))
    return false;
  return llvm::all_of(llvm::cast<ChainOpInterface>(producer).getChains(),
                      [&](Value before) { return isImplied(before, reached); });
}

bool lockstep::harness::isImpliedChain(Operation *op, unsigned operand, const mlir::DominanceInfo &dominance) {
  Chains reached;
  auto chainOp = llvm::cast<ChainOpInterface>(op);
  for (auto [index, chain] : llvm::enumerate(chainOp.getChains()))
    if (index != operand)
      addReached(chain, reached);
  op->getParentOfType<mlir::func::FuncOp>().walk([&](WaitOp wait) {
    if (wait != op && dominance.properlyDominates(wait, op))
      for (Value chain : wait.getChains())
        addReached(chain, reached);
  });
  return isImplied(chainOp.getChains()[operand], reached);
}
