// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules EVENT-1 to EVENT-8: events are snapshots.

#include "simgpu/test/DriverUnderTest.h"

namespace lockstep::simgpu::test {
namespace {

using EventRules = OrderTest;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(EventRules, EVENT_1_AWaitOrdersBehindWhatWasRecorded) {
  expectAlwaysBefore('a', 'b', [&] {
    CUstream producer = createStream(), consumer = createStream();
    CUevent event = createEvent();
    mark(producer, 'a');
    EXPECT_OK(cu.cuEventRecord(event, producer));
    EXPECT_OK(cu.cuStreamWaitEvent(consumer, event, 0));
    mark(consumer, 'b');
  });
}

TEST_F(EventRules, EVENT_1_LaterWorkIsNotPartOfTheRecord) {
  expectSometimesAfter('a', 'b', [&] {
    CUstream producer = createStream(), consumer = createStream();
    CUevent event = createEvent();
    EXPECT_OK(cu.cuEventRecord(event, producer));
    mark(producer, 'a');
    EXPECT_OK(cu.cuStreamWaitEvent(consumer, event, 0));
    mark(consumer, 'b');
  });
}

TEST_F(EventRules, EVENT_1_SynchronizeWaitsForTheRecordAndNoMore) {
  start("lazy");
  CUstream stream = createStream();
  CUevent event = createEvent();
  mark(stream, 'a');
  EXPECT_OK(cu.cuEventRecord(event, stream));
  mark(stream, 'b');
  EXPECT_OK(cu.cuEventSynchronize(event));
  EXPECT_EQ(order, "a");
}

TEST_F(EventRules, EVENT_2_NeverRecordedIsAnEmptySetOfWork) {
  start("lazy");
  CUstream stream = createStream();
  CUevent event = createEvent();
  mark(createStream(), 'a');
  EXPECT_OK(cu.cuEventQuery(event));
  EXPECT_OK(cu.cuEventSynchronize(event));
  EXPECT_OK(cu.cuStreamWaitEvent(stream, event, 0));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(order, "");
}

TEST_F(EventRules, EVENT_3_ReRecordOverwrites) {
  expectAlwaysBefore('a', 'b', [&] {
    CUstream first = createStream(), second = createStream(), consumer = createStream();
    CUevent event = createEvent();
    EXPECT_OK(cu.cuEventRecord(event, first));
    mark(second, 'a');
    EXPECT_OK(cu.cuEventRecord(event, second));
    EXPECT_OK(cu.cuStreamWaitEvent(consumer, event, 0));
    mark(consumer, 'b');
  });
}

TEST_F(EventRules, EVENT_3_AWaitIssuedBeforeKeepsTheOldRecord) {
  auto program = [&] {
    CUstream first = createStream(), second = createStream(), consumer = createStream();
    CUevent event = createEvent();
    mark(first, 'a');
    EXPECT_OK(cu.cuEventRecord(event, first));
    EXPECT_OK(cu.cuStreamWaitEvent(consumer, event, 0));
    mark(second, 'c');
    EXPECT_OK(cu.cuEventRecord(event, second));
    mark(consumer, 'b');
  };
  expectAlwaysBefore('a', 'b', program);
  expectSometimesAfter('c', 'b', program);
}

TEST_F(EventRules, EVENT_4_RecordNeedsEventAndStreamOfOneContext) {
  CUevent event = createEvent();
  CUcontext other;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  EXPECT_EQ(cu.cuEventRecord(event, createStream()), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(listRules(), Contains("EVENT-4"));
}

TEST_F(EventRules, EVENT_4_AWaitMayCrossContextsAndDevices) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule, "device_count=2");
    order.clear();
    CUstream producer = createStream();
    CUevent event = createEvent();
    mark(producer, 'a');
    EXPECT_OK(cu.cuEventRecord(event, producer));
    CUcontext other;
    ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 1));
    CUstream consumer = createStream();
    EXPECT_OK(cu.cuStreamWaitEvent(consumer, event, 0));
    mark(consumer, 'b');
    EXPECT_OK(cu.cuStreamSynchronize(consumer));
    EXPECT_EQ(order, "ab");
    EXPECT_THAT(listFindings(), IsEmpty());
  }
}

TEST_F(EventRules, EVENT_5_DestroyDoesNotBlockAndWaitsStayValid) {
  start("lazy");
  CUstream producer = createStream(), consumer = createStream();
  CUevent event = createEvent();
  mark(producer, 'a');
  EXPECT_OK(cu.cuEventRecord(event, producer));
  EXPECT_OK(cu.cuStreamWaitEvent(consumer, event, 0));
  EXPECT_OK(cu.cuEventDestroy_v2(event));
  EXPECT_EQ(order, "") << "destroying an event must not wait";
  mark(consumer, 'b');
  EXPECT_OK(cu.cuStreamSynchronize(consumer));
  EXPECT_EQ(order, "ab");
  EXPECT_THAT(listFindings(), IsEmpty());
}

TEST_F(EventRules, EVENT_6_ElapsedTimeNeedsRecordedEventsWithTiming) {
  CUstream stream = createStream();
  CUevent timed = createEvent(), untimed = createEvent(CU_EVENT_DISABLE_TIMING), never = createEvent();
  EXPECT_OK(cu.cuEventRecord(timed, stream));
  EXPECT_OK(cu.cuEventRecord(untimed, stream));
  float milliseconds = 0;
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, timed, untimed), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, never, timed), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(listRules(), ::testing::ElementsAre("EVENT-6", "EVENT-6"));
}

TEST_F(EventRules, EVENT_6_ElapsedTimeOfIncompleteEventsIsNotReady) {
  start("lazy");
  CUstream stream = createStream();
  CUevent first = createEvent(), second = createEvent();
  EXPECT_OK(cu.cuEventRecord(first, stream));
  mark(stream, 'a');
  EXPECT_OK(cu.cuEventRecord(second, stream));
  float milliseconds = 0;
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, first, second), CUDA_ERROR_NOT_READY);
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_OK(cu.cuEventElapsedTime_v2(&milliseconds, first, second));
  EXPECT_GT(milliseconds, 0.0f);
  EXPECT_THAT(listFindings(), IsEmpty());
}

TEST_F(EventRules, EVENT_6_ElapsedTimeIsTheSameInEveryRun) {
  std::vector<float> times;
  for (unsigned run = 0; run < 2; ++run) {
    start("random:3");
    CUstream stream = createStream();
    CUevent first = createEvent(), second = createEvent();
    EXPECT_OK(cu.cuEventRecord(first, stream));
    EXPECT_OK(cu.cuMemsetD8Async(allocate(1 << 20), 1, 1 << 20, stream));
    EXPECT_OK(cu.cuEventRecord(second, stream));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
    EXPECT_OK(cu.cuEventElapsedTime(&times.emplace_back(), first, second));
  }
  EXPECT_EQ(times[0], times[1]);
}

TEST_F(EventRules, EVENT_6_ElapsedTimeMayNotShowTheNewestFailure) {
  start("lazy");
  CUstream stream = createStream();
  CUevent first = createEvent(), second = createEvent();
  EXPECT_OK(cu.cuEventRecord(first, stream));
  EXPECT_OK(cu.cuEventRecord(second, stream));
  EXPECT_OK(cu.cuEventSynchronize(second));
  CUmodule module = nullptr;
  CUfunction bad = nullptr;
  ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  ASSERT_OK(cu.cuModuleGetFunction(&bad, module, "bad"));
  EXPECT_OK(cu.cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  float milliseconds = 0;
  EXPECT_OK(cu.cuEventElapsedTime_v2(&milliseconds, first, second));
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, first, second), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(EventRules, EVENT_7_ExternalFlagsAreForCaptureOnly) {
  CUstream stream = createStream();
  CUevent event = createEvent();
  EXPECT_EQ(cu.cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ::testing::ElementsAre("EVENT-7", "EVENT-7"));
  EXPECT_OK(cu.cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT));
}

TEST_F(EventRules, EVENT_8_QuerySuccessMeansThatTheWorkIsDone) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr managed = 0;
    ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
    CUstream stream = createStream();
    CUevent event = createEvent();
    EXPECT_OK(cu.cuMemsetD32Async(managed, 42, 1, stream));
    EXPECT_OK(cu.cuEventRecord(event, stream));
    while (cu.cuEventQuery(event) == CUDA_ERROR_NOT_READY) {
    }
    EXPECT_EQ(*reinterpret_cast<int *>(managed), 42);
  }
}

} // namespace
} // namespace lockstep::simgpu::test
