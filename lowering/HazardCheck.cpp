// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/HazardCheck.h"

#include "dialect/AgpuOps.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

/// What may be called the same memory when arguments may alias.
constexpr char kAnyArgument = 0;

bool isChain(Value value) { return isa<ChainType>(value.getType()); }

SmallVector<Value> getChains(ValueRange values) { return llvm::to_vector(llvm::make_filter_range(values, isChain)); }

bool isDefinedIn(Value value, Operation *loop) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

} // namespace

HazardCheck::HazardCheck(FunctionOpInterface function, AccessFinder &finder, bool argumentsMayAlias)
    : function(function), finder(finder), argumentsMayAlias(argumentsMayAlias), dominance(function) {
  SmallVector<Operation *> loops;
  collect(function.getFunctionBody(), loops);
  hostDone = makeSet();
}

std::vector<Hazard> HazardCheck::run() {
  // Chains that come from outside stand for nothing that this function does.
  for (BlockArgument argument : function.getArguments()) {
    if (isChain(argument))
      histories[argument] = makeSet();
  }
  visitRegion(function.getFunctionBody());
  return std::move(hazards);
}

void HazardCheck::collect(Region &region, SmallVectorImpl<Operation *> &loops) {
  for (Block &block : region) {
    for (Operation &op : block) {
      addSites(&op, loops);
      // The region of a launch is the launch's own access, not the host's.
      if (isa<LaunchOp>(op))
        continue;
      bool isLoop = isa<scf::ForOp, scf::WhileOp>(op);
      if (isLoop) {
        loops.push_back(&op);
        for (BlockArgument argument : op.getRegion(0).getArguments()) {
          if (isChain(argument))
            argumentElements[argument] = elementCount++;
        }
      }
      size_t first = sites.size();
      for (Region &nested : op.getRegions())
        collect(nested, loops);
      if (isLoop) {
        sitesOfLoop[&op] = {first, sites.size()};
        loops.pop_back();
      }
    }
  }
}

void HazardCheck::addSites(Operation *op, ArrayRef<Operation *> loops) {
  size_t first = sites.size();
  bool isAsync = llvm::any_of(op->getResults(), isChain);
  bool hasOwnAccess = op->getNumRegions() == 0 || isa<LaunchOp>(op);
  if (!hasOwnAccess)
    return;
  std::optional<unsigned> element;
  for (Access &access : finder.find(op)) {
    if (!access.range.root)
      continue;
    if (isAsync && !element) {
      element = elementCount;
      elementCount += 1 + loops.size();
    }
    sites.push_back({op, std::move(access), element, llvm::to_vector(loops)});
    sitesOfMemory[getKey(sites.back())].push_back(sites.size() - 1);
  }
  if (sites.size() != first)
    sitesOf[op] = {first, sites.size()};
}

const void *HazardCheck::getKey(const AccessSite &site) const {
  auto argument = dyn_cast<BlockArgument>(site.access.range.root);
  if (argumentsMayAlias && argument && argument.getOwner()->getParentOp() == function)
    return &kAnyArgument;
  return site.access.range.key;
}

HazardCheck::Set HazardCheck::getHistory(Value chain) {
  auto entry = histories.find(chain);
  // Nothing is known about it: then it may stand for everything.
  return entry == histories.end() ? makeSet(/*isFull=*/true) : entry->second;
}

HazardCheck::Sets HazardCheck::getSets(ValueRange values) {
  Sets sets;
  for (Value value : values)
    sets.push_back(isChain(value) ? getHistory(value) : makeSet());
  sets.push_back(hostDone);
  return sets;
}

void HazardCheck::setSets(ValueRange values, ArrayRef<Set> sets) {
  for (auto [value, set] : llvm::zip(values, sets)) {
    if (!isChain(value))
      continue;
    histories[value] = set;
    if (auto element = argumentElements.find(value); element != argumentElements.end())
      histories[value].set(element->second);
  }
  hostDone = sets.back();
}

void HazardCheck::visitRegion(Region &region) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    return visitBlock(region.front());
  DenseMap<Block *, Set> exits;
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (Block *block : order) {
    if (!block->isEntryBlock())
      enterBlock(*block, exits);
    visitBlock(*block);
    exits[block] = hostDone;
  }
}

/// Cuts the sets of all ways into a block. A way back from a later block is not known yet and cuts nothing.
void HazardCheck::enterBlock(Block &block, const DenseMap<Block *, Set> &exits) {
  Set done = makeSet(/*isFull=*/true);
  Sets arguments(block.getNumArguments(), makeSet(/*isFull=*/true));
  for (auto it = block.pred_begin(), end = block.pred_end(); it != end; ++it) {
    auto exit = exits.find(*it);
    if (exit == exits.end())
      continue;
    done &= exit->second;
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      continue;
    SuccessorOperands operands = branch.getSuccessorOperands(it.getSuccessorIndex());
    for (unsigned i = 0; i != block.getNumArguments(); ++i) {
      if (Value value = operands[i]; value && isChain(value))
        arguments[i] &= getHistory(value);
    }
  }
  arguments.push_back(done);
  setSets(block.getArguments(), arguments);
}

void HazardCheck::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void HazardCheck::visit(Operation *op) {
  if (auto wait = dyn_cast<WaitOp>(op)) {
    for (Value chain : wait.getChains())
      hostDone |= getHistory(chain);
    return;
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visitIf(ifOp);
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return visitFor(forOp);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return visitWhile(whileOp);
  if (op->getNumRegions() == 0 || isa<LaunchOp>(op))
    return visitAccess(op, getChains(op->getOperands()), getChains(op->getResults()));
  // Of other operations with regions nothing is known; chains that they give may stand for everything.
  for (Region &region : op->getRegions())
    visitRegion(region);
}

void HazardCheck::visitAccess(Operation *op, ValueRange chains, ValueRange results) {
  Set before = hostDone;
  for (Value chain : chains)
    before |= getHistory(chain);
  auto [first, last] = sitesOf.lookup(op);
  if (isReporting) {
    for (size_t i = first; i != last; ++i) {
      report(sites[i], before);
      reportEarlierIterations(sites[i], before);
      if (sites[i].element || sites[i].access.kind == AccessKind::Free)
        liveSites[getKey(sites[i])].push_back(i);
    }
  }
  if (first != last && sites[first].element)
    before.set(*sites[first].element);
  // A called function's chain may stand for work of its own; of what is here it holds at least its operands.
  for (Value result : results)
    histories[result] = before;
}

void HazardCheck::visitIf(scf::IfOp op) {
  Set start = hostDone;
  Sets results;
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
    hostDone = start;
    Sets sets;
    if (region->empty()) {
      sets = {hostDone};
    } else {
      visitRegion(*region);
      sets = getSets(region->back().getTerminator()->getOperands());
    }
    // What the other side does has not happened on this one: it is no reason to call it incomplete.
    Region &other = region == &op.getThenRegion() ? op.getElseRegion() : op.getThenRegion();
    for (const AccessSite &site : sites) {
      if (site.element && other.isAncestor(site.op->getParentRegion())) {
        for (Set &set : sets)
          set.set(*site.element);
      }
    }
    if (results.empty())
      results = sets;
    else
      for (auto [result, set] : llvm::zip(results, sets))
        result &= set;
  }
  setSets(op.getResults(), results);
}

bool HazardCheck::groupMovedChains(ValueRange arguments, ArrayRef<Set> end, Groups &groups) {
  bool isNew = false;
  for (auto [to, target] : llvm::enumerate(arguments)) {
    if (!isChain(target) || end[to][argumentElements[target]])
      continue;
    for (auto [from, source] : llvm::enumerate(arguments)) {
      if (!isChain(source) || !end[to][argumentElements[source]] || groups.isEquivalent(to, from))
        continue;
      groups.unionSets(to, from);
      isNew = true;
    }
  }
  return isNew;
}

HazardCheck::Sets HazardCheck::iterate(Operation *loop, ValueRange arguments, Sets &init,
                                       llvm::function_ref<Sets()> body) {
  Groups groups;
  for (unsigned i = 0; i != arguments.size(); ++i)
    groups.insert(i);
  auto unite = [&](Sets &sets) {
    Sets united = sets;
    for (unsigned i = 0; i != arguments.size(); ++i) {
      for (unsigned member : groups.members(i))
        united[i] |= sets[member];
    }
    sets = std::move(united);
  };
  auto begin = [&] {
    Sets start;
    for (const Set &set : init)
      start.push_back(startIteration(loop, set, nullptr));
    return start;
  };

  bool wasReporting = std::exchange(isReporting, false);
  Sets start = begin();
  // Each round takes at least one element away or makes a group; the sets of real programs settle in two or three.
  while (true) {
    setSets(arguments, start);
    Sets end = body(), next;
    if (groupMovedChains(arguments, end, groups)) {
      unite(init);
      start = begin();
      continue;
    }
    unite(end);
    for (auto [first, last] : llvm::zip(init, end))
      next.push_back(startIteration(loop, first, &last));
    for (auto [set, previous] : llvm::zip(next, start))
      set &= previous;
    if (next == start)
      break;
    start = std::move(next);
  }
  isReporting = wasReporting;
  setSets(arguments, start);
  Sets end = body();
  unite(end);
  return end;
}

/// What is complete at the start of an iteration: on the way in, and on the way round from |end| (null: not known yet).
HazardCheck::Set HazardCheck::startIteration(Operation *loop, const Set &init, const Set *end) {
  Set result = init;
  if (end)
    result &= *end;
  auto [first, last] = sitesOfLoop.lookup(loop);
  for (size_t i = first; i != last; ++i) {
    const AccessSite &site = sites[i];
    if (!site.element)
      continue;
    unsigned earlier = *site.element + 1 + (llvm::find(site.loops, loop) - site.loops.begin());
    result.reset(*site.element);
    result[earlier] = !end || ((*end)[*site.element] && (*end)[earlier]);
  }
  return result;
}

/// What is complete after the loop: every execution in it counts as the operation itself again.
HazardCheck::Set HazardCheck::leaveLoop(Operation *loop, const Set &init, const Set &end, bool runsAtLeastOnce) {
  Set result = end;
  if (!runsAtLeastOnce)
    result &= init;
  auto [first, last] = sitesOfLoop.lookup(loop);
  for (size_t i = first; i != last; ++i) {
    const AccessSite &site = sites[i];
    if (!site.element)
      continue;
    unsigned earlier = *site.element + 1 + (llvm::find(site.loops, loop) - site.loops.begin());
    result[*site.element] = end[*site.element] && end[earlier];
    result.reset(earlier);
  }
  return result;
}

void HazardCheck::visitFor(scf::ForOp op) {
  Sets init = getSets(op.getInitArgs());
  Sets end = iterate(op, op.getRegionIterArgs(), init, [&] {
    visitRegion(op.getRegion());
    return getSets(op.getYieldedValues());
  });
  std::optional<llvm::APInt> trips = op.getStaticTripCount();
  Sets results;
  for (auto [first, last] : llvm::zip(init, end))
    results.push_back(leaveLoop(op, first, last, trips && !trips->isZero()));
  setSets(op.getResults(), results);
}

void HazardCheck::visitWhile(scf::WhileOp op) {
  Sets atCondition, init = getSets(op.getInits());
  iterate(op, op.getBeforeArguments(), init, [&] {
    visitRegion(op.getBefore());
    atCondition = getSets(op.getConditionOp().getArgs());
    setSets(op.getAfterArguments(), atCondition);
    visitRegion(op.getAfter());
    return getSets(op.getYieldOp().getResults());
  });
  // The first region runs at least once, and the loop ends there: the second did not run in the last round.
  Sets results;
  for (Set &set : atCondition) {
    for (const AccessSite &site : sites) {
      if (site.element && op.getAfter().isAncestor(site.op->getParentRegion()))
        set.set(*site.element);
    }
    results.push_back(leaveLoop(op, set, set, /*runsAtLeastOnce=*/true));
  }
  setSets(op.getResults(), results);
}

bool HazardCheck::isBefore(Operation *first, Operation *second) {
  if (first == second)
    return false;
  for (Operation *op = first; op && op != function.getOperation(); op = op->getParentOp()) {
    Operation *other = op->getParentRegion()->findAncestorOpInRegion(*second);
    if (!other)
      continue;
    // The two are on different ways through one operation.
    return other != op && dominance.properlyDominates(op, other);
  }
  return false;
}

bool HazardCheck::conflict(const AccessSite &first, const AccessSite &second, Operation *loop) {
  if (!first.access.writes && !second.access.writes)
    return false;
  // Different arguments that may be the same memory: nothing is known about where they overlap.
  if (first.access.range.key != second.access.range.key)
    return true;
  bool sameView = !loop || !isDefinedIn(first.access.range.view, loop);
  return compareRanges(first.access.range, second.access.range, sameView) == Overlap::Yes;
}

void HazardCheck::add(const AccessSite &first, const AccessSite &second, Operation *loop) {
  if (reported.insert({first.op, second.op}).second)
    hazards.push_back({&first, &second, loop});
}

void HazardCheck::report(const AccessSite &second, const Set &before) {
  std::vector<size_t> &live = liveSites[getKey(second)];
  llvm::erase_if(live, [&](size_t index) {
    const AccessSite &first = sites[index];
    bool isFree = first.access.kind == AccessKind::Free;
    if (first.op == second.op || (!first.element && !isFree) || !isBefore(first.op, second.op))
      return false;
    if (isFree && first.op->getParentRegion()->isAncestor(second.op->getParentRegion())) {
      add(first, second, nullptr);
      return false;
    }
    if (!conflict(first, second, nullptr))
      return false;
    bool isOrdered = !first.element || before[*first.element];
    if (!isOrdered)
      add(first, second, nullptr);
    // Whatever comes after the second access and conflicts with the first conflicts with the second too.
    bool covers = second.access.range.isWhole() || second.access.range.view == first.access.range.view;
    return isOrdered && second.access.writes && covers && first.op->getBlock() == second.op->getBlock();
  });
}

void HazardCheck::reportEarlierIterations(const AccessSite &second, const Set &before) {
  for (Operation *loop : second.loops) {
    if (isDefinedIn(second.access.range.root, loop))
      continue;
    auto [begin, end] = sitesOfLoop.lookup(loop);
    for (size_t index : sitesOfMemory[getKey(second)]) {
      const AccessSite &first = sites[index];
      if (index < begin || index >= end || !first.element || !conflict(first, second, loop))
        continue;
      unsigned earlier = *first.element + 1 + (llvm::find(first.loops, loop) - first.loops.begin());
      if (!before[earlier])
        add(first, second, loop);
    }
  }
}

} // namespace lockstep::agpu
