// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/ChainReferences.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

using ValueSet = llvm::SetVector<Value>;

/// References to add on one way out of a block; -1 releases the one there is.
using Deltas = SmallVector<std::pair<Value, int64_t>>;

class ReferenceInserter {
public:
  ReferenceInserter(Region &region, const ValueSet &owned, RuntimeEmitter &emitter)
      : region(region), owned(owned), emitter(emitter) {}

  void run();

private:
  void computeLiveness(Value value);
  void retainForUsers(Value value);
  void balance(Block *block);
  void balanceReturn(Operation *terminator, ArrayRef<Value> available);
  void balanceBranch(BranchOpInterface branch, ArrayRef<Value> available);
  void emitBefore(Operation *op, const Deltas &deltas);
  void emitOnEdge(BranchOpInterface branch, unsigned index, const Deltas &deltas);
  void emit(const Deltas &deltas);

  Region &region;
  const ValueSet &owned;
  RuntimeEmitter &emitter;
  llvm::DenseMap<Block *, ValueSet> liveIn;
  llvm::DenseMap<Block *, SmallVector<Value>> defined;
};

} // namespace

void ReferenceInserter::run() {
  for (Value value : owned) {
    defined[value.getParentBlock()].push_back(value);
    computeLiveness(value);
  }
  for (Value value : owned)
    retainForUsers(value);
  // Blocks that split an edge are appended meanwhile and have nothing to balance.
  SmallVector<Block *> blocks(llvm::make_pointer_range(region));
  for (Block *block : blocks)
    balance(block);
}

void ReferenceInserter::computeLiveness(Value value) {
  Block *definition = value.getParentBlock();
  SmallVector<Block *> worklist;
  for (Operation *user : value.getUsers())
    worklist.push_back(user->getBlock());
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (block == definition || !liveIn[block].insert(value))
      continue;
    llvm::append_range(worklist, block->getPredecessors());
  }
}

/// Calls take a reference for each operand; a select gives a new owner to one of its operands.
void ReferenceInserter::retainForUsers(Value value) {
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    emitter.setInsertionPoint(select->getNextNode());
    emit({{value, 1}});
  }
  for (Operation *user : llvm::SmallSetVector<Operation *, 8>(value.user_begin(), value.user_end())) {
    if (!isa<func::CallOp>(user))
      continue;
    emitBefore(user, {{value, llvm::count(user->getOperands(), value)}});
  }
}

void ReferenceInserter::balance(Block *block) {
  SmallVector<Value> available(liveIn[block].begin(), liveIn[block].end());
  llvm::append_range(available, defined[block]);
  if (available.empty())
    return;
  Operation *terminator = block->getTerminator();
  if (isa<func::ReturnOp>(terminator))
    balanceReturn(terminator, available);
  else if (terminator->getNumSuccessors())
    balanceBranch(cast<BranchOpInterface>(terminator), available);
}

void ReferenceInserter::balanceReturn(Operation *terminator, ArrayRef<Value> available) {
  Deltas deltas;
  for (Value value : available)
    deltas.emplace_back(value, llvm::count(terminator->getOperands(), value) - 1);
  emitBefore(terminator, deltas);
}

void ReferenceInserter::balanceBranch(BranchOpInterface branch, ArrayRef<Value> available) {
  unsigned numEdges = branch->getNumSuccessors();
  Deltas common;
  SmallVector<Deltas> byEdge(numEdges);
  for (Value value : available) {
    SmallVector<int64_t> deltas;
    for (unsigned index = 0; index < numEdges; ++index) {
      int64_t passes = llvm::count(branch.getSuccessorOperands(index).getForwardedOperands(), value);
      deltas.push_back(passes + liveIn[branch->getSuccessor(index)].contains(value) - 1);
    }
    if (llvm::all_equal(deltas)) {
      common.emplace_back(value, deltas.front());
      continue;
    }
    for (auto [index, delta] : llvm::enumerate(deltas))
      if (delta)
        byEdge[index].emplace_back(value, delta);
  }
  emitBefore(branch, common);
  for (auto [index, deltas] : llvm::enumerate(byEdge))
    if (!deltas.empty())
      emitOnEdge(branch, index, deltas);
}

void ReferenceInserter::emitBefore(Operation *op, const Deltas &deltas) {
  emitter.setInsertionPoint(op);
  emit(deltas);
}

void ReferenceInserter::emitOnEdge(BranchOpInterface branch, unsigned index, const Deltas &deltas) {
  Block *target = branch->getSuccessor(index);
  // A block may be named twice by its one predecessor: that is two edges.
  if (target->hasOneUse()) {
    emitter.setInsertionPointToStart(target, branch->getLoc());
    return emit(deltas);
  }
  OpBuilder builder(branch);
  Block *edge = builder.createBlock(branch->getBlock()->getParent(), std::next(branch->getBlock()->getIterator()));
  SuccessorOperands operands = branch.getSuccessorOperands(index);
  assert(operands.getProducedOperandCount() == 0 && "a branch produces no chains");
  auto jump = cf::BranchOp::create(builder, branch->getLoc(), target, operands.getForwardedOperands());
  operands.erase(0, operands.size());
  branch->setSuccessor(edge, index);
  emitBefore(jump, deltas);
}

void ReferenceInserter::emit(const Deltas &deltas) {
  for (auto [value, delta] : deltas) {
    if (delta > 0)
      emitter.call(RuntimeFunction::mgpuEventPoolRetain, {value, emitter.constant64(delta)});
    else if (delta < 0)
      emitter.call(RuntimeFunction::mgpuEventPoolRelease, value);
  }
}

void insertChainReferences(Region &region, const llvm::SetVector<Value> &owned, RuntimeEmitter &emitter) {
  ReferenceInserter(region, owned, emitter).run();
}

} // namespace lockstep::agpu
