// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle `order`: each edge of the program's order must be enforced by the calls.

#include "harness/order/CallDescription.h"
#include "harness/order/OrderJudge.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace lockstep::harness;
using lockstep::reports::Finding;

namespace {

/// Two operations of the program, and each time that the second did not come after the first.
struct MissingEdge {
  uint32_t first, second; ///< Positions of the first such executions.
  size_t count = 0;
  bool isHostWait = false;
};

class OrderOracle {
public:
  explicit OrderOracle(const MatchedOps &ops) : ops(ops), spec(ops.spec.ops()), nearestWork(spec.size()) {}
  std::vector<Finding> run();

private:
  using Positions = llvm::SmallVector<uint32_t, 2>;

  Positions workBefore(uint32_t position);
  void judgeWork(uint32_t position);
  void judgeHostWait(uint32_t position);
  const History *hostBehind(uint32_t position) const;
  void addMissing(uint32_t first, uint32_t second, bool isHostWait);
  std::string describePath(uint32_t first, uint32_t second) const;
  Finding describe(const MissingEdge &edge) const;
  std::string name(uint32_t position) const { return ops.spec.name(spec[position].name).str(); }
  /// Whether what comes before the operation must come before what comes after it all the same.
  bool isPassed(uint32_t position) const { return !spec[position].isWork() || !ops.findWork(position); }

  const MatchedOps &ops;
  llvm::ArrayRef<SpecOp> spec;
  /// For operations without work: the nearest ones before them that have some.
  std::vector<Positions> nearestWork;
  llvm::MapVector<std::pair<uint32_t, uint32_t>, MissingEdge> missing; ///< By the two names.
};

} // namespace

/// The nearest operations with work that the operation comes after. Those before it have been asked already.
OrderOracle::Positions OrderOracle::workBefore(uint32_t position) {
  llvm::SmallDenseSet<uint32_t, 8> found;
  Positions result;
  auto add = [&](uint32_t other) {
    if (found.insert(other).second)
      result.push_back(other);
  };
  for (uint32_t other : spec[position].after) {
    if (isPassed(other))
      llvm::for_each(nearestWork[other], add);
    else
      add(other);
  }
  return result;
}

void OrderOracle::addMissing(uint32_t first, uint32_t second, bool isHostWait) {
  MissingEdge &edge = missing[{spec[first].name, spec[second].name}];
  if (edge.count++ == 0)
    edge = {first, second, 1, isHostWait};
}

void OrderOracle::judgeWork(uint32_t position) {
  const OpRun *run = ops.findWork(position);
  Positions before = workBefore(position);
  if (!run) {
    nearestWork[position] = std::move(before);
    return;
  }
  for (uint32_t other : before)
    if (!ops.calls.isBefore(*ops.findWork(other), *run))
      addMissing(other, position, /*isHostWait=*/false);
}

/// What the host knew when it went on behind the operation: when its thread named the next one. Where the calls do not
/// name this one, when the next of the program was named; that is known only where one thread names all.
const History *OrderOracle::hostBehind(uint32_t position) const {
  if (const OpRun *run = ops.find(position))
    return &run->hostAfter;
  if (!ops.calls.isNamedByOneThread())
    return nullptr;
  for (uint32_t next = position + 1; next < spec.size(); ++next)
    if (const OpRun *run = ops.find(next))
      return &run->hostBefore;
  return &ops.calls.hostAtEnd();
}

void OrderOracle::judgeHostWait(uint32_t position) {
  bool isOwnWork = spec[position].isWork() && ops.findWork(position);
  Positions awaited = isOwnWork ? Positions{position} : workBefore(position);
  const History *host = awaited.empty() ? nullptr : hostBehind(position);
  if (!host)
    return;
  for (uint32_t other : awaited)
    if (!ops.calls.isIn(*ops.findWork(other), *host))
      addMissing(other, position, /*isHostWait=*/true);
}

/// The operations without work by way of which the program orders the two, nearest to the second last.
std::string OrderOracle::describePath(uint32_t first, uint32_t second) const {
  llvm::DenseMap<uint32_t, uint32_t> cameFrom;
  llvm::SmallVector<uint32_t> toVisit = {second};
  while (!toVisit.empty()) {
    uint32_t position = toVisit.pop_back_val();
    for (uint32_t other : spec[position].after)
      if ((other == first || isPassed(other)) && cameFrom.try_emplace(other, position).second)
        toVisit.push_back(other);
  }
  std::string path;
  auto next = cameFrom.find(first);
  while (next != cameFrom.end() && next->second != second) {
    path += (path.empty() ? "" : ", ") + name(next->second);
    next = cameFrom.find(next->second);
  }
  return path;
}

Finding OrderOracle::describe(const MissingEdge &edge) const {
  std::string firstName = name(edge.first), secondName = name(edge.second);
  std::string message;
  if (edge.isHostWait && edge.first == edge.second)
    message = secondName + " is synchronous, but the host goes on without waiting for it";
  else if (edge.isHostWait)
    message = "the host does not wait at " + secondName + " for " + firstName;
  else
    message = secondName + " must come after " + (firstName == secondName ? "an earlier execution of it" : firstName) +
              ", and nothing makes it";
  if (std::string path = describePath(edge.first, edge.second); !path.empty())
    message += "\n  the program orders them by way of " + path;
  const OpRun &first = *ops.findWork(edge.first);
  const OpRun *second = edge.isHostWait ? ops.find(edge.second) : ops.findWork(edge.second);
  message += "\n  " + describeFirst(ops.calls, first);
  if (second)
    message += "\n  " + (edge.isHostWait ? describeHostWaits(ops.calls, *second) : describeSecond(ops.calls, *second));
  if (edge.count > 1)
    message += "\n  so " + std::to_string(edge.count) + " times";
  Finding finding{"order", edge.isHostWait ? "ORDER-2" : "ORDER-1", std::move(message), {secondName}, {}};
  if (firstName != secondName)
    finding.ops.push_back(firstName);
  return finding;
}

std::vector<Finding> OrderOracle::run() {
  for (uint32_t position = 0; position < spec.size(); ++position) {
    if (spec[position].kind == kLockstepTraceJoin)
      nearestWork[position] = workBefore(position);
    else if (spec[position].isWork())
      judgeWork(position);
    if (spec[position].kind == kLockstepTraceWait || spec[position].isHostAfter)
      judgeHostWait(position);
  }
  std::vector<Finding> findings;
  for (const auto &[names, edge] : missing)
    findings.push_back(describe(edge));
  return findings;
}

std::vector<Finding> lockstep::harness::judgeOrder(const MatchedOps &ops) { return OrderOracle(ops).run(); }
