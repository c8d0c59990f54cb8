// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracles `order`, `hazard` and `concurrency`: what a program asks for, compared with what its calls enforce. They
// look at calls alone, so they see a missing edge in any schedule and on any driver, also where nothing went wrong.

#ifndef LOCKSTEP_HARNESS_ORDER_ORDERJUDGE_H
#define LOCKSTEP_HARNESS_ORDER_ORDERJUDGE_H

#include "harness/order/HappensBefore.h"
#include "harness/order/OrderSpec.h"
#include "reports/Results.h"

#include <optional>

namespace lockstep::harness {

/// Work of more operations than this is compared in a sample of pairs: kSampledPairs, drawn from a fixed seed.
inline constexpr size_t kAllPairsOpsMax = 4096;
inline constexpr size_t kSampledPairs = size_t(1) << 20;

/// Numbers of one judged cell (metrics of reports/ResultSchema.md).
struct OrderCounts {
  uint64_t ops = 0;         ///< Executions of operations that the program asks for: work and waits of the host.
  uint64_t unjudgedOps = 0; ///< Of them, those that the calls cannot be matched with.
  uint64_t freePairs = 0;   ///< Pairs of work that the program leaves free.
  uint64_t lostPairs = 0;   ///< Of them, those that the calls order.
};

struct OrderVerdict {
  std::vector<reports::Finding> findings;
  OrderCounts counts;
};

/// An execution in the program's order beside the one in the calls.
struct MatchedOps {
  MatchedOps(const OrderSpec &spec, const HappensBefore &calls);

  /// The execution that the calls name for it; null where they name none.
  const OpRun *find(uint32_t specOp) const { return runs[specOp]; }
  /// The same where it has work.
  const OpRun *findWork(uint32_t specOp) const {
    return runs[specOp] && !runs[specOp]->items.empty() ? runs[specOp] : nullptr;
  }

  const OrderSpec &spec;
  const HappensBefore &calls;

private:
  std::vector<const OpRun *> runs; ///< By position in the specification.
};

/// ORDER-1 to ORDER-4.
std::vector<reports::Finding> judgeOrder(const MatchedOps &ops);
/// HAZARD-1, HAZARD-2.
std::vector<reports::Finding> judgeHazards(const MatchedOps &ops);
/// CONCURRENCY-1: fills in freePairs and lostPairs.
void countPairs(const MatchedOps &ops, OrderCounts &counts);

/// All three.
OrderVerdict judge(const OrderSpec &spec, const HappensBefore &calls);

/// The metrics of a cell that was judged.
std::map<std::string, reports::Metric> orderMetrics(const OrderCounts &counts);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_ORDERJUDGE_H
