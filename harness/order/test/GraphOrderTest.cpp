// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Happens-before through graphs and captures, each rule with and without the edge.

#include "harness/order/test/Calls.h"

#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::harness::test;

namespace {

class GraphOrderTest : public testing::TestWithParam<const char *> {
protected:
  Calls calls{GetParam()};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Vendors, GraphOrderTest, testing::Values("cu", "hip"));

TEST_P(GraphOrderTest, Before7EdgesOrderNodes) {
  uint64_t s = calls.stream(), g = calls.graph();
  uint64_t a = calls.node("a", g);
  uint64_t b = calls.node("b", g, {a});
  calls.node("c", g, {a});
  calls.node("d", g, {b});
  calls.launch(calls.instantiate(g), s);
  EXPECT_TRUE(calls.isBefore("a", "b"));
  EXPECT_TRUE(calls.isBefore("a", "c"));
  EXPECT_TRUE(calls.isBefore("a", "d"));
  EXPECT_FALSE(calls.isOrdered("b", "c"));
  EXPECT_FALSE(calls.isOrdered("c", "d"));
}

TEST_P(GraphOrderTest, Before7EmptyNodesPassOrderOn) {
  uint64_t s = calls.stream(), g = calls.graph();
  uint64_t a = calls.node("a", g), b = calls.node("b", g);
  uint64_t join = calls.nodeOf("", "GraphAddEmptyNode", g, {a, b});
  calls.node("c", g, {join});
  calls.node("d", g, {b});
  calls.launch(calls.instantiate(g), s);
  EXPECT_TRUE(calls.isBefore("a", "c"));
  EXPECT_TRUE(calls.isBefore("b", "c"));
  EXPECT_FALSE(calls.isOrdered("a", "d"));
}

TEST_P(GraphOrderTest, Before8LaunchIsInStreamOrder) {
  uint64_t s = calls.stream(), t = calls.stream(), g = calls.graph();
  calls.node("a", g);
  calls.node("b", g);
  uint64_t exec = calls.instantiate(g);
  calls.work("first", s);
  calls.work("aside", t);
  calls.launch(exec, s);
  calls.work("last", s);
  for (const char *node : {"a", "b"}) {
    EXPECT_TRUE(calls.isBefore("first", node));
    EXPECT_TRUE(calls.isBefore(node, "last"));
    EXPECT_FALSE(calls.isOrdered(node, "aside"));
  }
  EXPECT_FALSE(calls.isOrdered("a", "b"));
  calls.syncStream(s);
  EXPECT_TRUE(calls.hostKnows("b"));
}

TEST_P(GraphOrderTest, Before8AnEmptyGraphKeepsStreamOrder) {
  uint64_t s = calls.stream(), g = calls.graph();
  calls.work("a", s);
  calls.launch(calls.instantiate(g), s);
  calls.work("b", s);
  EXPECT_TRUE(calls.isBefore("a", "b"));
}

TEST_P(GraphOrderTest, Before8GraphsAreAsInstantiated) {
  uint64_t s = calls.stream(), g = calls.graph();
  uint64_t a = calls.node("a", g);
  uint64_t exec = calls.instantiate(g);
  calls.node("b", g, {a}); // Too late for this executable.
  calls.call("GraphDestroy", {g});
  calls.launch(exec, s);
  HappensBefore order(calls.log);
  EXPECT_EQ(findRun(order, "a").items.size(), 1u);
  EXPECT_TRUE(findRun(order, "b").items.empty());
}

/// A launch on each of two streams.
static void launchTwice(Calls &calls) {
  uint64_t s = calls.stream(), t = calls.stream(), g = calls.graph();
  calls.node("a", g);
  uint64_t exec = calls.instantiate(g);
  calls.launch(exec, s);
  calls.op("a");
  calls.launch(exec, t);
}

TEST_P(GraphOrderTest, Before9OneLaunchOfAnExecutableAtATimeOnCudaOnly) {
  launchTwice(calls);
  HappensBefore order(calls.log);
  ASSERT_EQ(order.ops().size(), 2u);
  ASSERT_EQ(order.ops()[0].items.size(), 1u);
  ASSERT_EQ(order.ops()[1].items.size(), 1u);
  EXPECT_EQ(order.isBefore(order.ops()[0], order.ops()[1]), calls.isCuda());
}

TEST_P(GraphOrderTest, RelaunchWorksForTheOperationsNamedAgain) {
  uint64_t s = calls.stream(), g = calls.graph();
  uint64_t a = calls.node("a", g);
  calls.node("b", g, {a});
  uint64_t exec = calls.instantiate(g);
  calls.launch(exec, s);
  calls.op("a");
  calls.op("b");
  calls.launch(exec, s);
  HappensBefore order(calls.log);
  ASSERT_EQ(order.ops().size(), 4u);
  for (const OpRun &run : order.ops())
    EXPECT_EQ(run.items.size(), 1u);
  EXPECT_TRUE(order.isBefore(order.ops()[1], order.ops()[2]));
}

TEST_P(GraphOrderTest, SeveralExecutionsOfOneNameInAGraph) {
  uint64_t s = calls.stream(), g = calls.graph();
  calls.node("a", g);
  calls.node("a", g);
  calls.op("b"); // Two nodes, named once: a copy in two parts.
  calls.nodeOf("b", "GraphAddMemcpyNode", g, {});
  calls.nodeOf("b", "GraphAddMemcpyNode", g, {});
  calls.launch(calls.instantiate(g), s);
  HappensBefore order(calls.log);
  ASSERT_EQ(order.ops().size(), 3u);
  EXPECT_EQ(order.ops()[0].items.size(), 1u);
  EXPECT_EQ(order.ops()[1].items.size(), 1u);
  EXPECT_EQ(order.ops()[2].items.size(), 2u);
}

TEST_P(GraphOrderTest, SetParametersKeepTheEdges) {
  uint64_t s = calls.stream(), g = calls.graph();
  uint64_t a = calls.node("a", g);
  uint64_t b = calls.node("b", g, {a});
  uint64_t exec = calls.instantiate(g);
  calls.op("x");
  calls.callFor("x", "GraphExecMemsetNodeSetParams", {exec, b, 0});
  calls.launch(exec, s);
  EXPECT_TRUE(calls.isBefore("a", "x"));
  HappensBefore order(calls.log);
  EXPECT_TRUE(findRun(order, "b").items.empty());
}

TEST_P(GraphOrderTest, Before10UpdateBringsTheEdgesOfTheOtherGraph) {
  uint64_t s = calls.stream(), g = calls.graph(), h = calls.graph();
  uint64_t a = calls.node("a", g);
  calls.node("b", g, {a});
  uint64_t exec = calls.instantiate(g);
  calls.node("a", h);
  calls.node("b", h);
  calls.call("GraphExecUpdate", {exec, h, 0, 0}, 0, /*code=*/910);
  calls.launch(exec, s);
  EXPECT_TRUE(calls.isBefore("a", "b")) << "a refused update changes nothing";
  calls.op("a");
  calls.op("b");
  calls.call("GraphExecUpdate", {exec, h, 0, 0});
  calls.call("GraphDestroy", {h});
  calls.launch(exec, s);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
}

TEST_P(GraphOrderTest, Before11EventNodes) {
  uint64_t s = calls.stream(), t = calls.stream(), g = calls.graph(), in = calls.event(), out = calls.event();
  calls.work("before", t);
  calls.record(in, t);
  calls.work("after", t);
  uint64_t wait = calls.nodeOf("", "GraphAddEventWaitNode", g, {}, {in});
  uint64_t a = calls.node("a", g, {wait});
  calls.node("b", g);
  calls.nodeOf("", "GraphAddEventRecordNode", g, {a}, {out});
  calls.launch(calls.instantiate(g), s);
  calls.wait(t, out);
  calls.work("end", t);
  EXPECT_TRUE(calls.isBefore("before", "a"));
  EXPECT_FALSE(calls.isOrdered("after", "a"));
  EXPECT_FALSE(calls.isOrdered("before", "b"));
  EXPECT_TRUE(calls.isBefore("a", "end"));
  EXPECT_FALSE(calls.isOrdered("b", "end"));
}

TEST_P(GraphOrderTest, Before11SetEvent) {
  uint64_t s = calls.stream(), t = calls.stream(), g = calls.graph(), e = calls.event(), f = calls.event();
  calls.work("before", t);
  calls.record(f, t);
  uint64_t wait = calls.nodeOf("", "GraphAddEventWaitNode", g, {}, {e});
  calls.node("a", g, {wait});
  uint64_t exec = calls.instantiate(g);
  calls.launch(exec, s);
  EXPECT_FALSE(calls.isOrdered("before", "a"));
  calls.call("GraphExecEventWaitNodeSetEvent", {exec, wait, f});
  calls.op("a");
  calls.launch(exec, s);
  EXPECT_TRUE(calls.isBefore("before", "a"));
}

/// Captures a fork from s to t; joins again where asked. Launches on s.
static void captureFork(Calls &calls, bool isForkedAfterA) {
  uint64_t s = calls.stream(), t = calls.stream(), fork = calls.event(), join = calls.event(), g = 0x9000;
  calls.work("first", s);
  calls.call("StreamBeginCapture", {s, 1});
  if (isForkedAfterA)
    calls.work("a", s);
  calls.record(fork, s);
  if (!isForkedAfterA)
    calls.work("a", s);
  calls.wait(t, fork);
  calls.work("b", t);
  calls.work("c", s);
  calls.record(join, t);
  calls.wait(s, join);
  calls.work("d", s);
  calls.call("StreamEndCapture", {s, 0}, g);
  calls.work("outside", t);
  calls.launch(calls.instantiate(g), s);
  calls.work("last", s);
}

TEST_P(GraphOrderTest, Before12CaptureForksAndJoinsByEvents) {
  captureFork(calls, /*isForkedAfterA=*/true);
  EXPECT_TRUE(calls.isBefore("a", "b"));
  EXPECT_TRUE(calls.isBefore("a", "c"));
  EXPECT_FALSE(calls.isOrdered("b", "c"));
  EXPECT_TRUE(calls.isBefore("b", "d"));
  EXPECT_TRUE(calls.isBefore("c", "d"));
  EXPECT_TRUE(calls.isBefore("first", "a"));
  EXPECT_TRUE(calls.isBefore("d", "last"));
  EXPECT_FALSE(calls.isOrdered("outside", "b")) << "the stream has left the capture";
}

TEST_P(GraphOrderTest, Before12CapturedEventIsASnapshot) {
  captureFork(calls, /*isForkedAfterA=*/false);
  EXPECT_FALSE(calls.isOrdered("a", "b"));
  EXPECT_TRUE(calls.isBefore("a", "d"));
}

TEST_P(GraphOrderTest, Before12NothingRunsWhileCapturing) {
  uint64_t s = calls.stream(), g = 0x9000;
  calls.call("StreamBeginCapture", {s, 1});
  calls.work("a", s);
  calls.call("StreamEndCapture", {s, 0}, g);
  HappensBefore order(calls.log);
  EXPECT_TRUE(findRun(order, "a").items.empty());
}
