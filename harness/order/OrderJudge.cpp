// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/OrderJudge.h"

#include "llvm/ADT/StringMap.h"

#include <random>

using namespace lockstep::harness;
using lockstep::reports::Metric;

MatchedOps::MatchedOps(const OrderSpec &spec, const HappensBefore &calls) : spec(spec), calls(calls) {
  llvm::StringMap<llvm::SmallVector<const OpRun *, 1>> runsOfName;
  for (const OpRun &run : calls.ops())
    runsOfName[calls.calls().name(run.name)].push_back(&run);
  for (const SpecOp &op : spec.ops()) {
    auto found = runsOfName.find(spec.name(op.name));
    bool isNamed = found != runsOfName.end() && op.ordinal < found->getValue().size();
    runs.push_back(isNamed ? found->getValue()[op.ordinal] : nullptr);
  }
}

static void countPair(const MatchedOps &ops, uint32_t first, uint32_t second, OrderCounts &counts) {
  llvm::ArrayRef<SpecOp> all = ops.spec.ops();
  if (ops.spec.isBefore(all[first], all[second]) || ops.spec.isBefore(all[second], all[first]))
    return;
  ++counts.freePairs;
  const OpRun &a = *ops.findWork(first), &b = *ops.findWork(second);
  counts.lostPairs += ops.calls.isBefore(a, b) || ops.calls.isBefore(b, a);
}

void lockstep::harness::countPairs(const MatchedOps &ops, OrderCounts &counts) {
  std::vector<uint32_t> work;
  for (auto [position, op] : llvm::enumerate(ops.spec.ops()))
    if (op.isWork() && ops.findWork(position))
      work.push_back(position);
  if (work.size() > kAllPairsOpsMax) {
    std::mt19937_64 random(1);
    for (size_t pair = 0; pair < kSampledPairs; ++pair) {
      uint32_t first = work[random() % work.size()], second = work[random() % work.size()];
      if (first != second)
        countPair(ops, first, second, counts);
    }
    return;
  }
  for (size_t second = 0; second < work.size(); ++second)
    for (size_t first = 0; first < second; ++first)
      countPair(ops, work[first], work[second], counts);
}

static void countOps(const MatchedOps &ops, OrderCounts &counts) {
  for (auto [position, op] : llvm::enumerate(ops.spec.ops())) {
    if (op.kind == kLockstepTraceJoin)
      continue;
    ++counts.ops;
    // A wait for what the host knows already may be no call at all; it is judged by what follows.
    counts.unjudgedOps += op.isWork() && !ops.find(position);
  }
}

OrderVerdict lockstep::harness::judge(const OrderSpec &spec, const HappensBefore &calls) {
  MatchedOps ops(spec, calls);
  OrderVerdict verdict;
  verdict.findings = judgeOrder(ops);
  for (reports::Finding &finding : judgeHazards(ops))
    verdict.findings.push_back(std::move(finding));
  countOps(ops, verdict.counts);
  countPairs(ops, verdict.counts);
  return verdict;
}

std::map<std::string, Metric> lockstep::harness::orderMetrics(const OrderCounts &counts) {
  auto number = [](uint64_t value, const char *unit) { return Metric{static_cast<double>(value), unit, {}}; };
  std::map<std::string, Metric> metrics = {
      {"order_ops", number(counts.ops, "ops")},
      {"order_unjudged_ops", number(counts.unjudgedOps, "ops")},
      {"free_pairs", number(counts.freePairs, "pairs")},
      {"lost_pairs", number(counts.lostPairs, "pairs")},
  };
  if (counts.freePairs != 0)
    metrics["lost_concurrency_ratio"] = {static_cast<double>(counts.lostPairs) / counts.freePairs, "lost/free", {}};
  return metrics;
}
