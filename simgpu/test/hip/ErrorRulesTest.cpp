// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors where HIP differs: HIP-4, HIP-11.

#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::ElementsAre;

LOCKSTEP_HIP_FIXTURE(HipErrorRules, HipDeviceTest);

TEST_P(HipErrorRules, HIP_4_SuccessForgetsTheLastErrorUpToVersion6) {
  int device = 0;
  EXPECT_EQ(hip.hipSetDevice(9), hipErrorInvalidDevice);
  EXPECT_OK(hip.hipGetDevice(&device));
  EXPECT_EQ(hip.hipPeekAtLastError(), is7() ? hipErrorInvalidDevice : hipSuccess);
  EXPECT_EQ(hip.hipGetLastError(), is7() ? hipErrorInvalidDevice : hipSuccess);
  EXPECT_OK(hip.hipGetLastError());
}

TEST_P(HipErrorRules, HIP_4_TheLastErrorStaysUntilItIsRead) {
  EXPECT_EQ(hip.hipSetDevice(9), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_OK(hip.hipPeekAtLastError());
}

TEST_P(HipErrorRules, HIP_4_NotReadyIsNoErrorFromVersion7) {
  start("lazy");
  hipStream_t stream = createStream();
  EXPECT_OK(hip.hipMemsetAsync(allocate(4), 0, 4, stream));
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorNotReady);
  EXPECT_EQ(hip.hipGetLastError(), is7() ? hipSuccess : hipErrorNotReady);
}

TEST_P(HipErrorRules, HIP_11_AFaultEndsTheProcessOrSticks) {
  hipFunction_t bad = loadFunction("bad");
  auto launch = [&] { return hip.hipModuleLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); };
  if (!is7()) {
    EXPECT_DEATH(launch(), "the device failed with error 700, which ends the process");
    return;
  }
  EXPECT_OK(launch());
  void *memory = nullptr;
  EXPECT_EQ(hip.hipDeviceSynchronize(), hipErrorIllegalAddress);
  EXPECT_EQ(hip.hipMalloc(&memory, 4), hipErrorIllegalAddress);
  EXPECT_THAT(listRules(), ElementsAre("ERROR-1"));
}

TEST_P(HipErrorRules, HIP_11_AnInjectedFaultDoesTheSame) {
  auto fail = [&] {
    EXPECT_EQ(hip.injectFailure(hipErrorLaunchFailure, 1), 0);
    return hip.hipDeviceSynchronize();
  };
  if (is7())
    EXPECT_EQ(fail(), hipErrorLaunchFailure);
  else
    EXPECT_DEATH(fail(), "the device failed with error 719");
}

} // namespace
} // namespace lockstep::simgpu::test
