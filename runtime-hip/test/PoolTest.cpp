// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which events the pool hands out again: HIP leaves open what a second record does while the first is in flight.

#include "runtime-hip/test/RuntimeTest.h"

using namespace lockstep::hip;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
class PoolTest : public RuntimeTest {
protected:
  /// An event of the pool, recorded on `stream` and given back.
  MgpuEvent recordAndRelease(MgpuStream stream) {
    MgpuEvent event = mgpuEventPoolAcquire();
    mgpuEventRecord(event, stream);
    mgpuEventPoolRelease(event);
    return event;
  }

  /// The same in a capture on `stream`, which is launched.
  MgpuEvent recordInCapture(MgpuStream stream) {
    void *slot = nullptr;
    mgpuGraphCaptureBegin(&slot, stream);
    MgpuEvent event = recordAndRelease(stream);
    mgpuGraphCaptureLaunch(&slot, stream);
    mgpuGraphRelease(&slot);
    return event;
  }

  static void launchEmptyGraph(void **slot, MgpuStream stream) {
    MgpuGraph graph = mgpuGraphBegin(slot);
    mgpuGraphAddEmptyNode(graph, nullptr, 0);
    mgpuGraphLaunch(graph, stream);
  }
};

TEST_F(PoolTest, Abi9AFinishedEventIsHandedOutAgain) {
  MgpuEvent event = recordAndRelease(mgpuStreamCreate());
  EXPECT_EQ(mgpuEventPoolAcquire(), event);
  EXPECT_THAT(fake().callsOf({"hipEventCreateWithFlags", "hipEventQuery"}),
              ElementsAre("hipEventCreateWithFlags", "hipEventQuery event1"));
  expectOk();
}

TEST_F(PoolTest, Abi9AnEventInFlightIsNotHandedOut) {
  MgpuEvent busy = recordAndRelease(mgpuStreamCreate());
  fake().busyEvents = {busy};
  MgpuEvent other = mgpuEventPoolAcquire();
  EXPECT_NE(other, nullptr);
  EXPECT_NE(other, busy);
  fake().busyEvents.clear();
  EXPECT_EQ(mgpuEventPoolAcquire(), busy) << "it is free once its record is done";
  expectOk();
}

TEST_F(PoolTest, Abi9AnEventInFlightLetsTheNextOneBeAskedLater) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent busy = mgpuEventPoolAcquire(), finished = mgpuEventPoolAcquire();
  mgpuEventRecord(busy, stream);
  mgpuEventPoolRelease(busy);
  mgpuEventPoolRelease(finished);
  fake().busyEvents = {busy};
  fake().calls.clear();
  // One query an acquisition, however many are in flight.
  mgpuEventPoolAcquire();
  EXPECT_EQ(mgpuEventPoolAcquire(), finished);
  EXPECT_THAT(fake().callsOf({"hipEventCreateWithFlags", "hipEventQuery"}),
              ElementsAre("hipEventQuery event1", "hipEventCreateWithFlags", "hipEventQuery event2"));
  expectOk();
}

TEST_F(PoolTest, Graphabi11ARecordOfACaptureIsNeverInFlight) {
  MgpuEvent event = recordInCapture(mgpuStreamCreate());
  fake().busyEvents = {event};
  EXPECT_EQ(mgpuEventPoolAcquire(), event);
  EXPECT_THAT(fake().callsOf({"hipEventQuery"}), IsEmpty());
  expectOk();
}

TEST_F(PoolTest, Graphabi11AQueryInsideACaptureIsRelaxed) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = recordAndRelease(stream);
  void *slot = nullptr;
  mgpuGraphCaptureBegin(&slot, stream);
  EXPECT_EQ(mgpuEventPoolAcquire(), event);
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_THAT(fake().callsOf({"hipThreadExchangeStreamCaptureMode", "hipEventQuery"}),
              ElementsAre("hipThreadExchangeStreamCaptureMode 2", "hipEventQuery event1",
                          "hipThreadExchangeStreamCaptureMode 1"));
  expectOk();
}

TEST_F(PoolTest, Graphabi11TheProgramsOwnQueryInsideACaptureIsRefused) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = mgpuEventPoolAcquire();
  void *slot = nullptr;
  mgpuGraphCaptureBegin(&slot, stream);
  mgpuEventQuery(event);
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_STREQ(status().call, "hipEventQuery");
}

TEST_F(PoolTest, Graphabi11ARecordAfterTheCaptureIsAskedFor) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = recordInCapture(stream);
  ASSERT_EQ(recordAndRelease(stream), event);
  fake().busyEvents = {event};
  EXPECT_NE(mgpuEventPoolAcquire(), event);
  expectOk();
}

TEST_F(PoolTest, Graphabi11ARecordBetweenTwoLaunchesIsAskedFor) {
  MgpuStream first = mgpuStreamCreate(), second = mgpuStreamCreate();
  MgpuEvent event = recordInCapture(first);
  void *slot = nullptr;
  launchEmptyGraph(&slot, first);
  launchEmptyGraph(&slot, second);
  ASSERT_THAT(fake().callsOf({"hipStreamWaitEvent"}), ElementsAre("hipStreamWaitEvent stream2 event1"));
  fake().busyEvents = {event};
  EXPECT_NE(mgpuEventPoolAcquire(), event);
  expectOk();
}

TEST_F(PoolTest, Graphabi11ARecordByAGraphIsAskedFor) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = recordInCapture(stream);
  ASSERT_EQ(mgpuEventPoolAcquire(), event);
  void *slot = nullptr;
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphAddEventRecordNode(graph, nullptr, 0, event);
  mgpuGraphLaunch(graph, stream);
  mgpuEventPoolRelease(event);
  fake().busyEvents = {event};
  EXPECT_NE(mgpuEventPoolAcquire(), event);
  expectOk();
}
} // namespace
