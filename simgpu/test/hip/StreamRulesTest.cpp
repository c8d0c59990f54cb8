// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events where HIP differs: HIP-1, HIP-5, HIP-6, HIP-12, HIP-16.

#include "simgpu/test/TwoThreads.h"
#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

LOCKSTEP_HIP_FIXTURE(HipStreamRules, HipTest);

TEST_P(HipStreamRules, HIP_1_DestroyWaitsForTheStream) {
  start("lazy");
  hipStream_t stream = createStream(), other = createStream();
  mark(stream, 'a');
  mark(other, 'b');
  EXPECT_OK(hip.hipStreamDestroy(stream));
  EXPECT_EQ(order, "a");
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorContextIsDestroyed);
}

TEST_P(HipStreamRules, HIP_1_TwoThreadsThatDestroyOneStream) {
  start("parallel");
  hipStream_t stream = createStream();
  Gate gate;
  queue(stream, {Gate::wait, &gate});
  EXPECT_THAT(callTwiceAtOnce(gate, [&] { return hip.hipStreamDestroy(stream); }),
              ElementsAre(hipSuccess, hipErrorContextIsDestroyed));
  EXPECT_THAT(listRules(), ElementsAre("ERROR-4"));
}

TEST_P(HipStreamRules, HIP_5_ARecordInFlightMightKeepTheOlderOne) {
  expectSometimesAfter('b', 'c', [&] {
    hipStream_t stream = createStream(), other = createStream();
    hipEvent_t event = createEvent();
    mark(stream, 'a');
    EXPECT_OK(hip.hipEventRecord(event, stream));
    mark(stream, 'b');
    EXPECT_OK(hip.hipEventRecord(event, stream));
    EXPECT_OK(hip.hipStreamWaitEvent(other, event, 0));
    mark(other, 'c');
  });
}

TEST_P(HipStreamRules, HIP_5_ARecordOfAnEventThatIsDoneCounts) {
  expectAlwaysBefore('b', 'c', [&] {
    hipStream_t stream = createStream(), other = createStream();
    hipEvent_t event = createEvent();
    mark(stream, 'a');
    EXPECT_OK(hip.hipEventRecord(event, stream));
    EXPECT_OK(hip.hipEventSynchronize(event));
    mark(stream, 'b');
    EXPECT_OK(hip.hipEventRecord(event, stream));
    EXPECT_OK(hip.hipStreamWaitEvent(other, event, 0));
    mark(other, 'c');
  });
}

TEST_P(HipStreamRules, HIP_6_FlagsOfAWaitMustBeZero) {
  hipStream_t stream = createStream();
  hipEvent_t event = createEvent();
  EXPECT_EQ(hip.hipStreamWaitEvent(stream, event, 1), hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("HIP-6"));
}

TEST_P(HipStreamRules, HIP_6_AnEventOutlivesItsStream) {
  expectAlwaysBefore('a', 'b', [&] {
    hipStream_t stream = createStream(), other = createStream();
    hipEvent_t event = createEvent();
    mark(stream, 'a');
    EXPECT_OK(hip.hipEventRecord(event, stream));
    EXPECT_OK(hip.hipStreamDestroy(stream));
    EXPECT_OK(hip.hipStreamWaitEvent(other, event, 0));
    mark(other, 'b');
    EXPECT_THAT(listRules(), IsEmpty());
  });
}

TEST_P(HipStreamRules, HIP_12_WhatIsNoStreamIsSaidToBeDestroyed) {
  hipStream_t destroyed = createStream();
  hipStream_t number = reinterpret_cast<hipStream_t>(0x12345678);
  hipEvent_t event = createEvent();
  void *memory = allocate(4);
  EXPECT_OK(hip.hipStreamDestroy(destroyed));
  for (hipStream_t stream : {destroyed, number, reinterpret_cast<hipStream_t>(event)}) {
    EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
    EXPECT_EQ(hip.hipEventRecord(event, stream), hipErrorContextIsDestroyed);
    EXPECT_EQ(hip.hipMemsetAsync(memory, 0, 4, stream), hipErrorContextIsDestroyed);
    EXPECT_EQ(hip.hipStreamDestroy(stream), hipErrorContextIsDestroyed);
  }
  EXPECT_EQ(hip.hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(listRules(), std::vector<std::string>(13, "ERROR-4"));
}

// The flags that choose a fence are taken, and every event makes all host memory visible.
TEST_P(HipStreamRules, HIP_16_EveryEventReleasesToTheHost) {
  for (unsigned flags : {unsigned(hipEventDefault), unsigned(hipEventReleaseToDevice),
                         unsigned(hipEventReleaseToSystem), unsigned(hipEventDisableSystemFence)})
    for (const std::string &schedule : listSchedules(5)) {
      start(schedule);
      hipStream_t stream = createStream();
      hipEvent_t event = nullptr;
      void *host = nullptr;
      EXPECT_OK(hip.hipEventCreateWithFlags(&event, flags));
      EXPECT_OK(hip.hipHostMalloc(&host, 4, hipHostMallocNonCoherent));
      EXPECT_OK(hip.hipMemsetAsync(host, 7, 4, stream));
      EXPECT_OK(hip.hipEventRecord(event, stream));
      EXPECT_OK(hip.hipEventSynchronize(event));
      EXPECT_EQ(*static_cast<uint32_t *>(host), 0x07070707u) << flags;
    }
}

TEST_P(HipStreamRules, HIP_16_FencesOfTwoKindsExcludeEachOther) {
  hipEvent_t event = nullptr;
  EXPECT_EQ(hip.hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem),
            hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("HIP-16"));
}

} // namespace
} // namespace lockstep::simgpu::test
