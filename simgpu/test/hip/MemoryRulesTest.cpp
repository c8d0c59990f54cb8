// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory where HIP differs: HIP-2, HIP-3, HIP-17.

#include "simgpu/test/TwoThreads.h"
#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

LOCKSTEP_HIP_FIXTURE(HipMemoryRules, HipTest);

TEST_P(HipMemoryRules, HIP_2_FreeWaitsForTheDevice) {
  start("lazy");
  hipStream_t stream = createStream();
  void *memory = allocate(4);
  EXPECT_OK(hip.hipMemsetAsync(memory, 1, 4, stream));
  mark(stream, 'a');
  EXPECT_OK(hip.hipFree(memory));
  EXPECT_EQ(order, "a");
  EXPECT_THAT(listRules(), IsEmpty());
}

TEST_P(HipMemoryRules, HIP_2_FreeOfPoolMemoryWaitsUpToVersion6) {
  start("lazy");
  hipStream_t stream = createStream();
  void *memory = nullptr;
  EXPECT_OK(hip.hipMallocAsync(&memory, 4, stream));
  EXPECT_OK(hip.hipStreamSynchronize(stream));
  mark(stream, 'a');
  EXPECT_OK(hip.hipFree(memory));
  EXPECT_EQ(order, is7() ? "" : "a");
}

// What relies on the wait is a finding where there is none.
TEST_P(HipMemoryRules, HIP_2_WorkInFlightOnFreedPoolMemory) {
  start("lazy");
  hipStream_t stream = createStream();
  void *memory = nullptr;
  EXPECT_OK(hip.hipMallocAsync(&memory, 4, stream));
  EXPECT_OK(hip.hipStreamSynchronize(stream));
  EXPECT_OK(hip.hipMemsetAsync(memory, 1, 4, stream));
  EXPECT_OK(hip.hipFree(memory));
  hip.hipDeviceSynchronize();
  EXPECT_EQ(listRules(), is7() ? std::vector<std::string>{"MEM-1"} : std::vector<std::string>{});
}

TEST_P(HipMemoryRules, HIP_2_TwoThreadsThatFreeOneAllocation) {
  start("parallel");
  void *memory = allocate(4);
  Gate gate;
  queue(createStream(), {Gate::wait, &gate});
  EXPECT_THAT(callTwiceAtOnce(gate, [&] { return hip.hipFree(memory); }),
              ElementsAre(hipSuccess, hipErrorInvalidValue));
  EXPECT_THAT(listRules(), ElementsAre("MEM-1"));
}

// Up to 6 a fault ends the process before the wait does.
TEST_P(HipMemoryRules, HIP_2_TheWaitGivesBackAFailure) {
  start("lazy");
  void *memory = allocate(4);
  hipStream_t stream = createStream();
  EXPECT_OK(hip.hipModuleLaunchKernel(loadFunction("bad"), 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  if (is7())
    EXPECT_EQ(hip.hipFree(memory), hipErrorIllegalAddress);
  else
    EXPECT_DEATH(hip.hipFree(memory), "the device failed with error 700");
}

TEST_P(HipMemoryRules, HIP_2_FreeOfNullDoesNotWait) {
  start("lazy");
  mark(createStream(), 'a');
  EXPECT_OK(hip.hipFree(nullptr));
  EXPECT_EQ(order, "");
}

TEST_P(HipMemoryRules, HIP_3_ZeroBytesAreNull) {
  hipStream_t stream = createStream();
  void *other = reinterpret_cast<void *>(1);
  for (auto allocateNothing :
       {+[](const Hip &hip, void **address, hipStream_t) { return hip.hipMalloc(address, 0); },
        +[](const Hip &hip, void **address, hipStream_t stream) { return hip.hipMallocAsync(address, 0, stream); },
        +[](const Hip &hip, void **address, hipStream_t) { return hip.hipHostMalloc(address, 0, 0); }}) {
    void *address = other;
    EXPECT_OK(allocateNothing(hip, &address, stream));
    EXPECT_EQ(address, nullptr);
  }
  EXPECT_THAT(listRules(), IsEmpty());
}

// Whether the source is read during the call depends on the schedule, so a program may rely on neither.
TEST_P(HipMemoryRules, HIP_17_AsyncCopyOfPageableMemoryReadsNowOrLater) {
  std::vector<uint32_t> seen;
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    hipStream_t stream = createStream();
    void *memory = allocate(4);
    uint32_t source = 1;
    EXPECT_OK(hip.hipMemcpyAsync(memory, &source, 4, hipMemcpyHostToDevice, stream));
    source = 2;
    seen.push_back(read(memory, 1)[0]);
  }
  EXPECT_THAT(seen, AllOf(Contains(1u), Contains(2u)));
}

} // namespace
} // namespace lockstep::simgpu::test
