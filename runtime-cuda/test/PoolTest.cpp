// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
class PoolTest : public RuntimeTest {};

TEST_F(PoolTest, Abi9NothingIsCreatedInSteadyState) {
  auto round = [] {
    MgpuStream first = mgpuStreamPoolAcquire();
    MgpuStream second = mgpuStreamPoolAcquire();
    MgpuEvent event = mgpuEventPoolAcquire();
    mgpuEventRecord(event, first);
    mgpuStreamWaitEvent(second, event);
    mgpuEventPoolRelease(event);
    mgpuStreamPoolRelease(second);
    mgpuStreamPoolRelease(first);
  };
  round();
  EXPECT_EQ(fake().count("cuStreamCreate"), 2);
  EXPECT_EQ(fake().count("cuEventCreate"), 1);
  fake().clearCalls();
  for (int index = 0; index < 100; ++index)
    round();
  EXPECT_EQ(fake().count("cuStreamCreate"), 0);
  EXPECT_EQ(fake().count("cuEventCreate"), 0);
  EXPECT_EQ(fake().count("cuStreamDestroy"), 0);
  EXPECT_EQ(fake().count("cuEventRecord"), 100);
  expectOk();
}

TEST_F(PoolTest, Abi9StreamsAreNonBlocking) {
  mgpuStreamPoolAcquire();
  EXPECT_EQ(fake().lastStreamFlags, 1u);
  fake().lastStreamFlags = 0;
  mgpuStreamCreate();
  EXPECT_EQ(fake().lastStreamFlags, 1u);
}

TEST_F(PoolTest, Abi9LeastRecentlyReleasedStreamComesFirst) {
  MgpuStream first = mgpuStreamPoolAcquire();
  MgpuStream second = mgpuStreamPoolAcquire();
  mgpuStreamPoolRelease(second);
  mgpuStreamPoolRelease(first);
  EXPECT_EQ(mgpuStreamPoolAcquire(), second);
  EXPECT_EQ(mgpuStreamPoolAcquire(), first);
}

TEST_F(PoolTest, Abi9EventsCountTheirUsers) {
  MgpuEvent event = mgpuEventPoolAcquire();
  mgpuEventPoolRetain(event, 2);
  mgpuEventPoolRelease(event);
  mgpuEventPoolRelease(event);
  EXPECT_NE(mgpuEventPoolAcquire(), event) << "one user is left";
  mgpuEventPoolRelease(event);
  EXPECT_EQ(mgpuEventPoolAcquire(), event);
  expectOk();
}

TEST_F(PoolTest, Abi9NullChainsNeedNoRelease) {
  mgpuEventPoolRetain(nullptr, 3);
  mgpuEventPoolRelease(nullptr);
  mgpuChainSynchronize(nullptr);
  mgpuStreamWaitChain(mgpuStreamPoolAcquire(), nullptr);
  EXPECT_EQ(fake().count("cuStreamWaitEvent"), 0);
  expectOk();
}

TEST_F(PoolTest, Abi9ChainsAreWaitedForLikeEvents) {
  MgpuEvent chain = mgpuEventPoolAcquire();
  mgpuStreamWaitChain(mgpuStreamPoolAcquire(), chain);
  mgpuChainSynchronize(chain);
  EXPECT_EQ(fake().count("cuStreamWaitEvent"), 1);
  EXPECT_EQ(fake().count("cuEventSynchronize"), 1);
  mgpuChainSynchronize(reinterpret_cast<MgpuEvent>(mgpuStreamPoolAcquire()));
  EXPECT_THAT(message(), HasSubstr("argument 'chain' must be an event"));
}

TEST_F(PoolTest, Abi4UseAfterReleaseOfAStream) {
  MgpuStream stream = mgpuStreamPoolAcquire();
  mgpuStreamPoolRelease(stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(message(), HasSubstr("was released to its pool"));
}

TEST_F(PoolTest, Abi4UseAfterLastReleaseOfAnEvent) {
  MgpuEvent event = mgpuEventPoolAcquire();
  mgpuEventPoolRelease(event);
  mgpuEventSynchronize(event);
  EXPECT_THAT(message(), HasSubstr("was released to its pool"));
}

TEST_F(PoolTest, Abi4DoubleRelease) {
  MgpuStream stream = mgpuStreamPoolAcquire();
  mgpuStreamPoolRelease(stream);
  mgpuStreamPoolRelease(stream);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle);
  mgpuReset();
  MgpuEvent event = mgpuEventPoolAcquire();
  mgpuEventPoolRelease(event);
  mgpuEventPoolRelease(event);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle);
}

TEST_F(PoolTest, Abi4ReleasingWhatIsNotPooled) {
  mgpuStreamPoolRelease(mgpuStreamCreate());
  EXPECT_THAT(message(), HasSubstr("is a stream that was not acquired from the pool"));
  mgpuReset();
  mgpuEventPoolRelease(mgpuEventCreate());
  EXPECT_THAT(message(), HasSubstr("is an event that was not acquired from the pool"));
}

TEST_F(PoolTest, NegativeRetainIsRefused) {
  mgpuEventPoolRetain(mgpuEventPoolAcquire(), -1);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
}

TEST_F(PoolTest, PoolsAreKeptPerDevice) {
  MgpuStream first = mgpuStreamPoolAcquire();
  mgpuStreamPoolRelease(first);
  mgpuSetDefaultDevice(1);
  EXPECT_NE(mgpuStreamPoolAcquire(), first);
  mgpuSetDefaultDevice(0);
  EXPECT_EQ(mgpuStreamPoolAcquire(), first);
}

TEST_F(PoolTest, Abi16ResetDestroysPooledObjectsAndLeavesTheProgramsOwn) {
  mgpuStreamPoolAcquire();
  mgpuStreamPoolRelease(mgpuStreamPoolAcquire());
  mgpuEventPoolAcquire();
  MgpuStream own = mgpuStreamCreate();
  mgpuReset();
  EXPECT_THAT(fake().streams, testing::ElementsAre(own)) << "a leak of the program must stay to be found";
  EXPECT_TRUE(fake().events.empty());
  mgpuStreamSynchronize(own);
  EXPECT_THAT(message(), HasSubstr("is no handle that this library gave out"));
}

TEST_F(PoolTest, EventsCanBeTimedOnlyWhenMadeSo) {
  MgpuEvent timed = mgpuEventCreateTimed();
  EXPECT_EQ(mgpuEventElapsedTimeNs(timed, timed), 2.5e6);
  expectOk();
  EXPECT_EQ(mgpuEventElapsedTimeNs(timed, mgpuEventCreate()), 0);
  EXPECT_THAT(message(), HasSubstr("argument 'end' is an event without timing"));
}

TEST_F(PoolTest, QueryOfUnfinishedWorkIsNoFailure) {
  MgpuEvent event = mgpuEventCreate();
  EXPECT_TRUE(mgpuEventQuery(event));
  fake().eventsAreReady = false;
  EXPECT_FALSE(mgpuEventQuery(event));
  expectOk();
}
} // namespace
