// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/WaitingLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

bool looksLikeWait(const Loop &loop, const LoopInfo &loops) {
  for (BasicBlock *block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop)
      continue;
    for (Instruction &instruction : *block) {
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && (load->isAtomic() || load->isVolatile()))
        return true;
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
          exchange && loop.isLoopInvariant(exchange->getCompareOperand()))
        return true;
    }
  }
  return false;
}

} // namespace

void letWaitingLoopsYield(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  Type *nothing = Type::getVoidTy(function.getContext());
  FunctionCallee yield;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!looksLikeWait(*loop, loops))
      continue;
    if (!yield)
      yield = function.getParent()->getOrInsertFunction("lockstep.yield", nothing, function.getArg(0)->getType());
    SmallVector<BasicBlock *> latches;
    loop->getLoopLatches(latches);
    for (BasicBlock *latch : latches)
      IRBuilder<>(latch->getTerminator()).CreateCall(yield, {function.getArg(0)});
  }
}

} // namespace lockstep::simgpu::jit
