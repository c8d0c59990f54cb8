// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds two accesses to the same memory, one a write, that nothing orders. The analysis behind agpu-check-hazards.
//
// It walks a function in program order and keeps, for each chain and for the host, a set: which asynchronous operations
// are certainly complete when the chain is, or where the host stands. In a straight line these sets are exact. Where
// control flow meets they are cut (complete whichever way it came); where something cannot be known (a chain that a
// called function gives) they are taken to hold everything. So what is reported is a hazard on some path.
//
// Loops: each operation in a loop has one more element in the sets, for its executions in earlier iterations. Sets of
// carried chains are computed as a greatest fixed point, starting from "everything before is complete". Chains that
// change places (double buffering) are taken together: which of them holds what depends on the iteration.
//
// Memory: a function with n asynchronous operations needs up to n sets of n bits; 20,000 operations take 50 MB.

#ifndef LOCKSTEP_LOWERING_HAZARDCHECK_H
#define LOCKSTEP_LOWERING_HAZARDCHECK_H

#include "lowering/MemoryAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace lockstep::agpu {

/// One operation with one access. The list of all of them is in program order.
struct AccessSite {
  mlir::Operation *op;
  Access access;
  /// Position of the operation's own element in the sets; none where it is complete when the host goes on.
  std::optional<unsigned> element;
  /// Loops around it, outermost first; element + 1 + i stands for its executions in earlier iterations of loops[i].
  llvm::SmallVector<mlir::Operation *> loops;
};

/// Two accesses that conflict. `loop` is set where the first is of an earlier iteration of it.
struct Hazard {
  const AccessSite *first;
  const AccessSite *second;
  mlir::Operation *loop;
};

class HazardCheck {
public:
  /// `argumentsMayAlias`: two arguments of the function may be the same memory.
  HazardCheck(mlir::FunctionOpInterface function, AccessFinder &finder, bool argumentsMayAlias);

  /// All hazards in program order, each pair of operations once. They point into this object.
  std::vector<Hazard> run();

private:
  using Set = llvm::BitVector;

  void collect(mlir::Region &region, llvm::SmallVectorImpl<mlir::Operation *> &loops);
  void addSites(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> loops);

  void visitRegion(mlir::Region &region);
  void visitBlock(mlir::Block &block);
  void enterBlock(mlir::Block &block, const llvm::DenseMap<mlir::Block *, Set> &exits);
  void visit(mlir::Operation *op);
  void visitIf(mlir::scf::IfOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitWhile(mlir::scf::WhileOp op);
  void visitAccess(mlir::Operation *op, mlir::ValueRange chains, mlir::ValueRange results);

  /// A loop's carried sets: those of its arguments, then the host's.
  using Sets = llvm::SmallVector<Set>;
  Sets getSets(mlir::ValueRange values);
  void setSets(mlir::ValueRange values, llvm::ArrayRef<Set> sets);
  using Groups = llvm::EquivalenceClasses<unsigned>;
  /// Runs `body` until the carried sets stop changing, then once with reports. Gives the sets at its end; `init` holds
  /// those before the loop. Both come back united by groups.
  Sets iterate(mlir::Operation *loop, mlir::ValueRange arguments, Sets &init, llvm::function_ref<Sets()> body);
  /// Puts arguments together that change places from one iteration to the next. Gives whether any were added.
  bool groupMovedChains(mlir::ValueRange arguments, llvm::ArrayRef<Set> end, Groups &groups);
  Set startIteration(mlir::Operation *loop, const Set &init, const Set *end);
  Set leaveLoop(mlir::Operation *loop, const Set &init, const Set &end, bool runsAtLeastOnce);

  void report(const AccessSite &second, const Set &before);
  void reportEarlierIterations(const AccessSite &second, const Set &before);
  bool isBefore(mlir::Operation *first, mlir::Operation *second);
  bool conflict(const AccessSite &first, const AccessSite &second, mlir::Operation *loop);
  void add(const AccessSite &first, const AccessSite &second, mlir::Operation *loop);
  const void *getKey(const AccessSite &site) const;

  Set makeSet(bool isFull = false) const { return Set(elementCount, isFull); }
  Set getHistory(mlir::Value chain);

  mlir::FunctionOpInterface function;
  AccessFinder &finder;
  bool argumentsMayAlias;
  mlir::DominanceInfo dominance;

  std::vector<AccessSite> sites;
  /// Sites of each operation: first and one past the last.
  llvm::DenseMap<mlir::Operation *, std::pair<size_t, size_t>> sitesOf;
  llvm::DenseMap<const void *, std::vector<size_t>> sitesOfMemory;
  /// Sites already passed that a later one must still be compared with, by memory.
  llvm::DenseMap<const void *, std::vector<size_t>> liveSites;
  /// Sites inside each loop: first and one past the last.
  llvm::DenseMap<mlir::Operation *, std::pair<size_t, size_t>> sitesOfLoop;
  unsigned elementCount = 0;

  /// For each carried chain an element that only its own history holds.
  llvm::DenseMap<mlir::Value, unsigned> argumentElements;

  llvm::DenseMap<mlir::Value, Set> histories;
  Set hostDone;
  bool isReporting = true;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> reported;
  std::vector<Hazard> hazards;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_HAZARDCHECK_H
