// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule of the oracles: silent on calls that keep it, and loud on the same calls with one left out.

#include "harness/order/OrderJudge.h"
#include "harness/order/test/Calls.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::harness::test;
using lockstep::reports::Finding;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

constexpr uint64_t kBuffer = 0x100000;

ByteAccess makeBytes(uint64_t begin, uint64_t count, int32_t access) {
  ByteAccess bytes;
  bytes.begin = begin;
  bytes.end = begin + count;
  bytes.runBytes = count;
  bytes.access = access;
  return bytes;
}

class OrderJudgeTest : public testing::Test {
protected:
  uint32_t op(const char *name, std::initializer_list<uint32_t> after, LockstepTraceKind kind = kLockstepTraceWork) {
    uint32_t position = builder.add(name, kind);
    for (uint32_t before : after)
      builder.addAfter(position, before);
    return position;
  }
  void writes(uint32_t op, uint64_t begin = kBuffer, uint64_t bytes = 16) {
    builder.addAccess(op, makeBytes(begin, bytes, kLockstepTraceWrites));
  }
  void reads(uint32_t op, uint64_t begin = kBuffer, uint64_t bytes = 16) {
    builder.addAccess(op, makeBytes(begin, bytes, kLockstepTraceReads));
  }
  OrderVerdict judgeAll() { return judge(builder.finish(), HappensBefore(calls.log)); }
  std::vector<Finding> findings() { return judgeAll().findings; }

  /// "a" on one stream, "b" on another that waits for its event if asked to.
  void callFork(bool isWaiting) {
    uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
    calls.work("a", s);
    calls.record(e, s);
    if (isWaiting)
      calls.wait(t, e);
    calls.work("b", t);
  }

  OrderSpecBuilder builder;
  Calls calls{"cu"};
};

} // namespace

TEST_F(OrderJudgeTest, Order1EdgeIsEnforced) {
  op("b", {op("a", {})});
  callFork(/*isWaiting=*/true);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(OrderJudgeTest, Order1MissingEdgeIsNamed) {
  op("b", {op("a", {})});
  callFork(/*isWaiting=*/false);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].oracle, "order");
  EXPECT_EQ(found[0].rule, "ORDER-1");
  EXPECT_THAT(found[0].ops, ElementsAre("b", "a"));
  EXPECT_EQ(found[0].message, "b must come after a, and nothing makes it\n"
                              "  first: cuMemsetD32Async on stream 1, recorded behind it: event 1\n"
                              "  second: cuMemsetD32Async on stream 2, no event waited for before it");
}

TEST_F(OrderJudgeTest, Order1TheOtherWayRoundIsMissingToo) {
  op("b", {op("a", {})});
  uint64_t s = calls.stream();
  calls.work("b", s);
  calls.work("a", s);
  EXPECT_THAT(findings(), SizeIs(1));
}

TEST_F(OrderJudgeTest, Order1EdgesThroughJoins) {
  uint32_t a = op("a", {});
  uint32_t inner = op("inner", {a}, kLockstepTraceJoin);
  op("b", {op("outer", {inner}, kLockstepTraceJoin)});
  callFork(/*isWaiting=*/false);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("\n  the program orders them by way of inner, outer\n"));
}

TEST_F(OrderJudgeTest, Order1EdgesThroughJoinsThatAreEnforced) {
  op("b", {op("join", {op("a", {})}, kLockstepTraceJoin)});
  callFork(/*isWaiting=*/true);
  EXPECT_THAT(findings(), IsEmpty());
}

/// "a", then an empty copy, then "b".
TEST_F(OrderJudgeTest, Order1EdgesThroughOperationsWithoutWork) {
  op("b", {op("empty", {op("a", {})})});
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.op("empty");
  calls.work("b", t);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("by way of empty"));
}

TEST_F(OrderJudgeTest, Order1AMissingEdgeIsReportedOnce) {
  uint32_t a = op("a", {});
  op("c", {op("b", {a}), a}); // Also missing: "c" after "a", which the program says by itself.
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.work("b", t);
  calls.work("c", t);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].ops, ElementsAre("b", "a"));
  EXPECT_THAT(found[1].ops, ElementsAre("c", "a"));
}

/// Two rounds, of which one is out of order.
TEST_F(OrderJudgeTest, Order1ExecutionsAreToldApart) {
  for (int round = 0; round < 3; ++round)
    op("b", {op("a", {})});
  callFork(/*isWaiting=*/true);
  callFork(/*isWaiting=*/false);
  callFork(/*isWaiting=*/false);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("\n  so 2 times"));
}

TEST_F(OrderJudgeTest, Order1AnEarlierExecutionOfTheSame) {
  op("a", {op("a", {})});
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.work("a", t);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("a must come after an earlier execution of it"));
  EXPECT_THAT(found[0].ops, ElementsAre("a"));
}

TEST_F(OrderJudgeTest, Order1NodesOfGraphsAreNamed) {
  op("b", {op("a", {})});
  uint64_t s = calls.stream(), g = calls.graph();
  calls.node("a", g);
  calls.node("b", g);
  calls.launch(calls.instantiate(g), s);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("second: the node of cuGraphAddMemsetNode in the graph of "
                                          "cuGraphLaunch on stream 1"));
}

TEST_F(OrderJudgeTest, Order2HostWaits) {
  uint32_t a = op("a", {});
  op("wait", {a}, kLockstepTraceWait);
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.op("wait");
  calls.syncStream(s);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(OrderJudgeTest, Order2MissingHostWait) {
  uint32_t a = op("a", {});
  op("wait", {op("join", {a}, kLockstepTraceJoin)}, kLockstepTraceWait);
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.op("wait");
  calls.syncStream(t);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].rule, "ORDER-2");
  EXPECT_THAT(found[0].ops, ElementsAre("wait", "a"));
  EXPECT_THAT(found[0].message,
              HasSubstr("the host does not wait at wait for a\n  the program orders them by way of join\n"));
  EXPECT_THAT(found[0].message, HasSubstr("\n  the host calls there: cuStreamSynchronize of stream 2"));
}

TEST_F(OrderJudgeTest, Order2AWaitThatComesTooLate) {
  uint32_t a = op("a", {});
  op("wait", {a}, kLockstepTraceWait);
  op("b", {});
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.op("wait");
  calls.work("b", s);
  calls.syncStream(s);
  EXPECT_THAT(findings(), SizeIs(1));
}

/// A lowering leaves a wait out where the host knows already; then what follows is asked.
TEST_F(OrderJudgeTest, Order2AWaitWithoutCalls) {
  for (bool isKnown : {true, false}) {
    OrderSpecBuilder fresh;
    uint32_t a = fresh.add("a", kLockstepTraceWork);
    uint32_t wait = fresh.add("unnamed wait", kLockstepTraceWait);
    fresh.addAfter(wait, a);
    fresh.add("b", kLockstepTraceWork);
    Calls list("hip");
    uint64_t s = list.stream();
    list.work("a", s);
    if (isKnown)
      list.syncStream(s);
    list.work("b", s);
    list.syncStream(s);
    OrderVerdict verdict = judge(fresh.finish(), HappensBefore(list.log));
    EXPECT_THAT(verdict.findings, SizeIs(isKnown ? 0 : 1));
    EXPECT_EQ(verdict.counts.unjudgedOps, 0u);
  }
}

TEST_F(OrderJudgeTest, Order3SynchronousOperations) {
  builder.addHostWait(op("a", {}), kLockstepTraceObserved);
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.syncStream(s);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(OrderJudgeTest, Order3TheHostGoesOnTooEarly) {
  builder.addHostWait(op("a", {}), kLockstepTraceObserved);
  calls.work("a", calls.stream());
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("a is synchronous, but the host goes on without waiting for it"));
}

TEST_F(OrderJudgeTest, Order3OrderIsEnoughWhereNobodyLooks) {
  builder.addHostWait(op("a", {}), kLockstepTraceUnobserved);
  op("b", {});
  callFork(/*isWaiting=*/true);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(OrderJudgeTest, Order3OrderIsMissingWhereNobodyLooks) {
  builder.addHostWait(op("a", {}), kLockstepTraceUnobserved);
  op("b", {});
  callFork(/*isWaiting=*/false);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].rule, "ORDER-1");
}

TEST_F(OrderJudgeTest, Order4WhatIsNotNamedIsCounted) {
  uint32_t a = op("a", {});
  op("b", {op("unnamed", {a})});
  callFork(/*isWaiting=*/false);
  OrderVerdict verdict = judgeAll();
  EXPECT_EQ(verdict.counts.ops, 3u);
  EXPECT_EQ(verdict.counts.unjudgedOps, 1u);
  EXPECT_THAT(verdict.findings, SizeIs(1)) << "what is before it must still come before what is after it";
}

TEST_F(OrderJudgeTest, Hazard1AskedForAndNotEnforced) {
  uint32_t a = op("a", {}), b = op("b", {a});
  writes(a);
  reads(b);
  callFork(/*isWaiting=*/false);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].oracle, "hazard");
  EXPECT_EQ(found[1].rule, "HAZARD-1");
  EXPECT_THAT(found[1].message,
              HasSubstr("b reads what a writes, and nothing orders them\n  the program asks for it\n"));
}

TEST_F(OrderJudgeTest, Hazard2NotAskedFor) {
  uint32_t a = op("a", {}), b = op("b", {});
  reads(a);
  writes(b);
  callFork(/*isWaiting=*/false);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].rule, "HAZARD-2");
  EXPECT_THAT(found[0].ops, ElementsAre("b", "a"));
}

TEST_F(OrderJudgeTest, HazardNeedsAWriteAndACommonByteAndNoOrder) {
  for (int which = 0; which < 3; ++which) {
    OrderSpecBuilder fresh;
    uint32_t a = fresh.add("a", kLockstepTraceWork), b = fresh.add("b", kLockstepTraceWork);
    fresh.addAccess(a, makeBytes(kBuffer, 16, which == 0 ? kLockstepTraceReads : kLockstepTraceWrites));
    fresh.addAccess(b, makeBytes(kBuffer + (which == 1 ? 16 : 0), 16, kLockstepTraceReads));
    Calls list("cu");
    uint64_t s = list.stream(), t = list.stream();
    list.work("a", s);
    list.work("b", which == 2 ? s : t);
    EXPECT_THAT(judge(fresh.finish(), HappensBefore(list.log)).findings, IsEmpty()) << which;
  }
}

/// "a" is behind "b", which stands for it; "c" is unordered with both.
TEST_F(OrderJudgeTest, HazardWithTheLastOfAChain) {
  uint32_t a = op("a", {}), b = op("b", {a});
  uint32_t c = op("c", {});
  writes(a);
  writes(b);
  reads(c);
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.work("b", s);
  calls.work("c", t);
  std::vector<Finding> found = findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].ops, ElementsAre("c", "b"));
}

/// "b" covers a part of what "a" writes only, and reads; so it does not stand for it.
TEST_F(OrderJudgeTest, HazardWithWhatIsNotCovered) {
  for (bool isRead : {true, false}) {
    OrderSpecBuilder fresh;
    uint32_t a = fresh.add("a", kLockstepTraceWork), b = fresh.add("b", kLockstepTraceWork),
             c = fresh.add("c", kLockstepTraceWork);
    fresh.addAccess(a, makeBytes(kBuffer, 32, kLockstepTraceWrites));
    fresh.addAccess(b, makeBytes(kBuffer, isRead ? 32 : 16, isRead ? kLockstepTraceReads : kLockstepTraceWrites));
    fresh.addAccess(c, makeBytes(kBuffer + 16, 16, kLockstepTraceReads));
    Calls list("cu");
    uint64_t s = list.stream(), t = list.stream();
    list.work("a", s);
    list.work("b", s);
    list.work("c", t);
    EXPECT_THAT(judge(fresh.finish(), HappensBefore(list.log)).findings, SizeIs(1)) << isRead;
  }
}

TEST_F(OrderJudgeTest, Concurrency1LostPairs) {
  op("a", {});
  op("b", {});
  op("c", {});
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.work("b", s);
  calls.work("c", t);
  OrderVerdict verdict = judgeAll();
  EXPECT_THAT(verdict.findings, IsEmpty());
  EXPECT_EQ(verdict.counts.freePairs, 3u);
  EXPECT_EQ(verdict.counts.lostPairs, 1u);
  EXPECT_DOUBLE_EQ(orderMetrics(verdict.counts)["lost_concurrency_ratio"].value, 1.0 / 3);
}

TEST_F(OrderJudgeTest, Concurrency1WhatTheProgramOrdersIsNotFree) {
  uint32_t a = op("a", {});
  op("wait", {a}, kLockstepTraceWait);
  op("b", {});
  callFork(/*isWaiting=*/false);
  OrderCounts counts = judgeAll().counts;
  EXPECT_EQ(counts.freePairs, 0u);
  EXPECT_EQ(orderMetrics(counts).count("lost_concurrency_ratio"), 0u);
}

TEST_F(OrderJudgeTest, Concurrency1ManyOperationsAreSampled) {
  uint64_t s = calls.stream(), t = calls.stream();
  for (size_t i = 0; i < kAllPairsOpsMax / 2 + 1; ++i) {
    op("a", {});
    op("b", {});
    calls.work("a", s);
    calls.work("b", t);
  }
  OrderVerdict verdict = judgeAll();
  EXPECT_GT(verdict.counts.freePairs, kSampledPairs * 99 / 100);
  EXPECT_LE(verdict.counts.freePairs, kSampledPairs);
  // Half of all pairs share a stream.
  EXPECT_NEAR(orderMetrics(verdict.counts)["lost_concurrency_ratio"].value, 0.5, 0.01);
}
