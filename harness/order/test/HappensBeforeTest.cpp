// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule with the edge that it gives, and beside it the same calls with one fewer, or one later, without the edge.

#include "harness/order/test/Calls.h"

#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::harness::test;

namespace {

class HappensBeforeTest : public testing::TestWithParam<const char *> {
protected:
  Calls calls{GetParam()};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Vendors, HappensBeforeTest, testing::Values("cu", "hip"));

TEST_P(HappensBeforeTest, Before1StreamOrder) {
  uint64_t s = calls.stream(), t = calls.stream();
  calls.work("a", s);
  calls.work("b", s);
  calls.work("c", t);
  EXPECT_TRUE(calls.isBefore("a", "b"));
  EXPECT_FALSE(calls.isBefore("b", "a"));
  EXPECT_FALSE(calls.isOrdered("a", "c"));
  EXPECT_FALSE(calls.isOrdered("b", "c"));
}

TEST_P(HappensBeforeTest, Before1EveryKindOfWorkIsInStreamOrder) {
  uint64_t s = calls.stream();
  calls.work("first", s);
  std::vector<std::pair<std::string, std::vector<uint64_t>>> kinds = {
      {"MemcpyAsync", {1, 2, 3, s}},   {"Memcpy2DAsync", {1, 2, 3, s}}, {"Memcpy3DAsync", {1, 2, s}},
      {"MemsetD8Async", {1, 2, 3, s}}, {"LaunchHostFunc", {s, 1, 2}},
  };
  if (calls.isCuda()) {
    kinds.push_back({"LaunchKernel", {1, 1, 1, 1, 1, 1, 1, 0, s, 0, 0}});
    kinds.push_back({"LaunchKernelEx", {1, 1, 1, 1, 1, 1, 1, 0, s, 0, 0, 1, 0, 0}});
    kinds.push_back({"MemAllocAsync", {0, 8, s}});
    kinds.push_back({"MemFreeAsync", {0x100000, s}});
    kinds.push_back({"MemsetD2D32Async", {1, 2, 3, 4, 5, s}});
  } else {
    kinds.push_back({"ModuleLaunchKernel", {1, 1, 1, 1, 1, 1, 1, 0, s, 0, 0}});
    kinds.push_back({"StreamAddCallback", {s, 1, 2, 0}});
    kinds.push_back({"MallocAsync", {0, 8, s}});
    kinds.push_back({"FreeAsync", {0x100000, s}});
    kinds.push_back({"Memset2DAsync", {1, 2, 3, 4, 5, s}});
  }
  for (const auto &[name, arguments] : kinds) {
    calls.op(name.c_str());
    calls.callFor(name.c_str(), name, arguments);
  }
  calls.work("last", s);
  for (const auto &[name, arguments] : kinds) {
    EXPECT_TRUE(calls.isBefore("first", name.c_str())) << name;
    EXPECT_TRUE(calls.isBefore(name.c_str(), "last")) << name;
  }
}

TEST_P(HappensBeforeTest, Before2EventIsASnapshot) {
  uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
  calls.work("early", s);
  calls.record(e, s);
  calls.work("late", s);
  calls.work("unwaiting", t);
  calls.wait(t, e);
  calls.work("waiting", t);
  EXPECT_TRUE(calls.isBefore("early", "waiting"));
  EXPECT_FALSE(calls.isOrdered("early", "unwaiting"));
  EXPECT_FALSE(calls.isOrdered("late", "waiting"));
}

TEST_P(HappensBeforeTest, Before2EventNeverRecordedIsEmpty) {
  uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
  calls.work("a", s);
  calls.wait(t, e);
  calls.record(e, s); // Too late for that wait.
  calls.work("b", t);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
}

TEST_P(HappensBeforeTest, Before2WaitKeepsWhatTheEventHadSeen) {
  uint64_t s = calls.stream(), t = calls.stream(), u = calls.stream(), e = calls.event();
  calls.work("a", s);
  calls.record(e, s);
  calls.wait(t, e);
  calls.work("other", u);
  calls.record(e, u); // Overwrites, for later waits.
  calls.work("b", t);
  calls.wait(s, e);
  calls.work("c", s);
  EXPECT_TRUE(calls.isBefore("a", "b"));
  EXPECT_FALSE(calls.isOrdered("other", "b"));
  EXPECT_TRUE(calls.isBefore("other", "c"));
}

TEST_P(HappensBeforeTest, Before2NewEventAtAnOldAddressIsEmpty) {
  uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
  calls.work("a", s);
  calls.record(e, s);
  calls.call("EventDestroy", {e});
  calls.call(calls.isCuda() ? "EventCreate" : "EventCreateWithFlags", {0, 2}, e);
  calls.wait(t, e);
  calls.work("b", t);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
}

TEST_P(HappensBeforeTest, Before2DestroyedEventStillHoldsForWaitsIssued) {
  uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
  calls.work("a", s);
  calls.record(e, s);
  calls.wait(t, e);
  calls.call("EventDestroy", {e});
  calls.work("b", t);
  EXPECT_TRUE(calls.isBefore("a", "b"));
}

TEST_P(HappensBeforeTest, Before2OrderPassesOn) {
  uint64_t s = calls.stream(), t = calls.stream(), u = calls.stream(), e = calls.event(), f = calls.event();
  calls.work("a", s);
  calls.record(e, s);
  calls.wait(t, e);
  calls.record(f, t); // No work of its own in between.
  calls.wait(u, f);
  calls.work("b", u);
  EXPECT_TRUE(calls.isBefore("a", "b"));
}

TEST_P(HappensBeforeTest, Before3HostWaits) {
  uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
  calls.work("a", s);
  calls.record(e, s);
  calls.work("b", s);
  calls.work("c", t);
  EXPECT_FALSE(calls.hostKnows("a"));
  calls.call("EventSynchronize", {e});
  EXPECT_TRUE(calls.hostKnows("a"));
  EXPECT_FALSE(calls.hostKnows("b"));
  calls.work("d", t);
  EXPECT_TRUE(calls.isBefore("a", "d"));
  EXPECT_FALSE(calls.isOrdered("b", "d"));
  calls.syncStream(s);
  EXPECT_TRUE(calls.hostKnows("b"));
  EXPECT_FALSE(calls.hostKnows("c"));
  calls.syncDevice();
  EXPECT_TRUE(calls.hostKnows("c"));
}

TEST_P(HappensBeforeTest, Before3DeviceSyncWaitsForDestroyedStreams) {
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.call("StreamDestroy", {s});
  EXPECT_FALSE(calls.hostKnows("a")) << "a destroy does not wait";
  calls.syncDevice();
  EXPECT_TRUE(calls.hostKnows("a"));
}

TEST_P(HappensBeforeTest, Before4QueryThatSucceeds) {
  uint64_t s = calls.stream(), e = calls.event(), f = calls.event();
  calls.work("a", s);
  calls.record(e, s);
  calls.work("b", s);
  calls.record(f, s);
  calls.call("EventQuery", {e}, 0, /*code=*/600);
  EXPECT_FALSE(calls.hostKnows("a"));
  calls.call("EventQuery", {e});
  EXPECT_TRUE(calls.hostKnows("a"));
  EXPECT_FALSE(calls.hostKnows("b"));
  calls.call("EventElapsedTime", {0, e, f}, 0, /*code=*/600);
  EXPECT_FALSE(calls.hostKnows("b"));
  calls.call("EventElapsedTime", {0, e, f});
  EXPECT_TRUE(calls.hostKnows("b"));
}

TEST_P(HappensBeforeTest, Before5LegacyStreamAndBlockingStreams) {
  uint64_t s = calls.stream(/*isBlocking=*/true), t = calls.stream(/*isBlocking=*/true), free = calls.stream();
  calls.work("a", s);
  calls.work("aside", free);
  calls.work("legacy", 0);
  calls.work("b", t);
  calls.work("c", free);
  EXPECT_TRUE(calls.isBefore("a", "legacy"));
  EXPECT_TRUE(calls.isBefore("legacy", "b"));
  EXPECT_TRUE(calls.isBefore("a", "b"));
  EXPECT_FALSE(calls.isOrdered("aside", "legacy"));
  EXPECT_FALSE(calls.isOrdered("legacy", "c"));
}

TEST_P(HappensBeforeTest, Before5WaitOnTheLegacyStreamIsAnAction) {
  uint64_t s = calls.stream(/*isBlocking=*/true), t = calls.stream(/*isBlocking=*/true), e = calls.event();
  calls.work("a", s);
  calls.work("b", t);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
  calls.wait(0, e);
  calls.work("c", t);
  EXPECT_TRUE(calls.isBefore("a", "c"));
}

TEST_P(HappensBeforeTest, Before5PerThreadStreamIsBlocking) {
  calls.work("a", 2);
  calls.work("legacy", 1);
  calls.work("b", 2);
  uint64_t s = calls.stream(/*isBlocking=*/true);
  calls.work("c", s);
  EXPECT_TRUE(calls.isBefore("a", "legacy"));
  EXPECT_TRUE(calls.isBefore("legacy", "b"));
  EXPECT_FALSE(calls.isOrdered("b", "c"));
}

TEST_P(HappensBeforeTest, Before5LegacyStreamWaitsForDestroyedStreams) {
  uint64_t s = calls.stream(/*isBlocking=*/true), t = calls.stream();
  calls.work("a", s);
  calls.work("b", t);
  calls.call("StreamDestroy", {s});
  calls.call("StreamDestroy", {t});
  calls.work("legacy", 0);
  EXPECT_TRUE(calls.isBefore("a", "legacy"));
  EXPECT_FALSE(calls.isOrdered("b", "legacy"));
}

TEST_P(HappensBeforeTest, Before6NewStreamAtAnOldAddressIsNew) {
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.call("StreamDestroy", {s});
  calls.call(calls.isCuda() ? "StreamCreate" : "StreamCreateWithFlags", {0, 1}, s);
  calls.work("b", s);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
}

TEST_P(HappensBeforeTest, Before13RefusedCallsDoNothing) {
  uint64_t s = calls.stream(), t = calls.stream(), e = calls.event();
  calls.work("a", s);
  calls.call("EventRecord", {e, s}, 0, /*code=*/400);
  calls.wait(t, e);
  calls.work("b", t);
  calls.record(e, s);
  calls.call("StreamWaitEvent", {t, e, 0}, 0, /*code=*/400);
  calls.work("c", t);
  calls.call("StreamSynchronize", {s}, 0, /*code=*/700);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
  EXPECT_FALSE(calls.isOrdered("a", "c"));
  EXPECT_FALSE(calls.hostKnows("a"));
}

TEST_P(HappensBeforeTest, Before14HostAllocationsAreNoWork) {
  calls.op("alloc");
  calls.callFor("alloc", calls.isCuda() ? "MemAllocManaged" : "MallocManaged", {0, 8, 1}, 0x5000);
  calls.callFor("alloc", calls.isCuda() ? "MemFree" : "Free", {0x5000});
  HappensBefore order(calls.log);
  EXPECT_TRUE(findRun(order, "alloc").items.empty());
  EXPECT_TRUE(order.items().empty());
}

TEST_P(HappensBeforeTest, CallsWorkForTheOperationThatTheyName) {
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.work("b", s);
  calls.callFor("a", "MemcpyAsync", {1, 2, 3, s}); // As a wrapper does that catches up on something.
  calls.work("a", s);
  HappensBefore order(calls.log);
  ASSERT_EQ(order.ops().size(), 3u);
  EXPECT_EQ(order.ops()[0].items.size(), 2u);
  EXPECT_EQ(order.ops()[1].items.size(), 1u);
  EXPECT_EQ(order.ops()[2].items.size(), 1u);
  EXPECT_EQ(order.ops()[2].ordinal, 1u);
  EXPECT_FALSE(order.isBefore(order.ops()[0], order.ops()[1])) << "part of it comes later";
}

TEST_P(HappensBeforeTest, HostIsAskedWhereItsThreadGoesOn) {
  uint64_t s = calls.stream();
  calls.work("a", s);
  calls.op("wait");
  calls.syncStream(s);
  calls.work("b", s);
  calls.syncStream(s);
  HappensBefore order(calls.log);
  EXPECT_FALSE(order.isIn(order.ops()[0], order.ops()[1].hostBefore));
  EXPECT_TRUE(order.isIn(order.ops()[0], order.ops()[1].hostAfter));
  EXPECT_FALSE(order.isIn(order.ops()[2], order.ops()[1].hostAfter));
  EXPECT_TRUE(order.isIn(order.ops()[2], order.ops()[2].hostAfter)) << "to the end of the program";
}
