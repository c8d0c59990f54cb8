// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle `hazard`: two pieces of work that access the same bytes, one of them writing, must be ordered by the
// calls, whether the program asks for that or not.
//
// For each piece of memory the accesses are gone through in the order of the host. One that is behind a later one, and
// conflicts with nothing that the later one does not conflict with, need not be looked at again: what is unordered with
// it would be unordered with the later one. So a long chain of accesses to one buffer costs little.

#include "harness/order/CallDescription.h"
#include "harness/order/OrderJudge.h"

#include "llvm/ADT/MapVector.h"

using namespace lockstep::harness;
using lockstep::reports::Finding;

namespace {

struct LiveAccess {
  uint32_t op;
  const ByteAccess *bytes;
};

struct Hazard {
  LiveAccess first, second;
  size_t count;
};

class HazardOracle {
public:
  explicit HazardOracle(const MatchedOps &ops) : ops(ops), spec(ops.spec.ops()) {}
  std::vector<Finding> run();

private:
  void visit(LiveAccess access, std::vector<LiveAccess> &live);
  Finding describe(const Hazard &hazard) const;

  const MatchedOps &ops;
  llvm::ArrayRef<SpecOp> spec;
  llvm::MapVector<std::pair<uint32_t, uint32_t>, Hazard> hazards; ///< By the two names.
};

} // namespace

static const char *verb(const ByteAccess &bytes) {
  if (bytes.access & kLockstepTraceAllocates)
    return "allocates";
  if (bytes.access & kLockstepTraceFrees)
    return "frees";
  if (!bytes.isWrite())
    return "reads";
  return bytes.access & kLockstepTraceReads ? "reads and writes" : "writes";
}

/// Whether all that conflicts with `old` conflicts with `young` too.
static bool standsFor(const ByteAccess &young, const ByteAccess &old) {
  return (young.isWrite() || !old.isWrite()) && young.isContiguous() && young.begin <= old.begin &&
         old.end <= young.end;
}

void HazardOracle::visit(LiveAccess access, std::vector<LiveAccess> &live) {
  const OpRun &run = *ops.findWork(access.op);
  llvm::erase_if(live, [&](LiveAccess other) {
    // What is apart needs no look at the calls, and is most of what there is.
    if (other.op == access.op || other.bytes->end <= access.bytes->begin || access.bytes->end <= other.bytes->begin ||
        !(other.bytes->isWrite() || access.bytes->isWrite()))
      return false;
    const OpRun &otherRun = *ops.findWork(other.op);
    if (ops.calls.isBefore(otherRun, run))
      return standsFor(*access.bytes, *other.bytes);
    if (conflict(*other.bytes, *access.bytes) && !ops.calls.isBefore(run, otherRun)) {
      Hazard &hazard = hazards[{spec[other.op].name, spec[access.op].name}];
      if (hazard.count++ == 0)
        hazard = {other, access, 1};
    }
    return false;
  });
  live.push_back(access);
}

Finding HazardOracle::describe(const Hazard &hazard) const {
  auto [first, second, count] = hazard;
  std::string firstName = ops.spec.name(spec[first.op].name).str(),
              secondName = ops.spec.name(spec[second.op].name).str();
  bool isAsked = ops.spec.isBefore(spec[first.op], spec[second.op]);
  std::string message = secondName + " " + verb(*second.bytes) + " what " + firstName + " " + verb(*first.bytes) +
                        ", and nothing orders them\n  " +
                        (isAsked ? "the program asks for it" : "the program does not ask for it either") + "\n  " +
                        describeFirst(ops.calls, *ops.findWork(first.op)) + "\n  " +
                        describeSecond(ops.calls, *ops.findWork(second.op));
  if (count > 1)
    message += "\n  so " + std::to_string(count) + " times";
  Finding finding{"hazard", isAsked ? "HAZARD-1" : "HAZARD-2", std::move(message), {secondName}, {}};
  if (firstName != secondName)
    finding.ops.push_back(firstName);
  return finding;
}

std::vector<Finding> HazardOracle::run() {
  llvm::MapVector<uint32_t, std::vector<LiveAccess>> byAllocation;
  for (auto [position, op] : llvm::enumerate(spec)) {
    if (!ops.findWork(position))
      continue;
    for (const ByteAccess &bytes : op.accesses)
      byAllocation[bytes.allocation].push_back({static_cast<uint32_t>(position), &bytes});
  }
  for (const auto &[allocation, accesses] : byAllocation) {
    std::vector<LiveAccess> live;
    for (LiveAccess access : accesses)
      visit(access, live);
  }
  std::vector<Finding> findings;
  for (const auto &[names, hazard] : hazards)
    findings.push_back(describe(hazard));
  return findings;
}

std::vector<Finding> lockstep::harness::judgeHazards(const MatchedOps &ops) { return HazardOracle(ops).run(); }
