// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules HOSTFN-1 to HOSTFN-5: host functions in stream order.

#include "simgpu/test/DriverUnderTest.h"

#include <thread>
#include <unistd.h>

namespace lockstep::simgpu::test {
namespace {

using HostFunctionRules = OrderTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(HostFunctionRules, HOSTFN_1_RunsAfterEarlierWorkAndBeforeLaterWork) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    static int seen;
    seen = 0;
    void *pages;
    ASSERT_OK(cu.cuMemHostAlloc(&pages, 8, 0));
    int *pinned = static_cast<int *>(pages);
    CUstream stream = createStream();
    CUdeviceptr device = allocate(4);
    EXPECT_OK(cu.cuMemsetD32Async(device, 42, 1, stream));
    EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(pinned, device, 4, stream));
    EXPECT_OK(cu.cuLaunchHostFunc(
        stream,
        [](void *data) {
          seen = *static_cast<int *>(data);
          *static_cast<int *>(data) = 43;
        },
        pinned));
    EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, pinned, 4, stream));
    EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(pinned + 1, device, 4, stream));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
    EXPECT_EQ(seen, 42);
    EXPECT_EQ(pinned[1], 43);
  }
}

TEST_F(HostFunctionRules, HOSTFN_1_SeesManagedMemoryAsAfterAWait) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    static int seen;
    seen = 0;
    CUdeviceptr managed = 0;
    ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
    CUstream stream = createStream();
    EXPECT_OK(cu.cuMemsetD32Async(managed, 42, 1, stream));
    EXPECT_OK(cu.cuLaunchHostFunc(
        stream, [](void *data) { seen = *static_cast<int *>(data); }, reinterpret_cast<void *>(managed)));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
    EXPECT_EQ(seen, 42);
  }
}

TEST_F(HostFunctionRules, HOSTFN_1_NullFunctionsAreRefused) {
  EXPECT_EQ(cu.cuLaunchHostFunc(createStream(), nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuStreamAddCallback(createStream(), nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(HostFunctionRules, HOSTFN_1_TheProcessMayEndInside) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const char *schedule : {"lazy", "parallel:2"})
    EXPECT_EXIT(
        {
          start(schedule);
          cu.cuLaunchHostFunc(createStream(), [](void *) { exit(7); }, nullptr);
          cu.cuCtxSynchronize();
          // Another thread is ending the process, and this one must not come in its way.
          while (true)
            pause();
        },
        ::testing::ExitedWithCode(7), "");
}

TEST_F(HostFunctionRules, HOSTFN_2_DriverCallsInsideAreRefusedAndFound) {
  for (bool asCallback : {false, true}) {
    start("lazy");
    static CUresult result;
    result = CUDA_SUCCESS;
    CUstream stream = createStream();
    if (asCallback)
      EXPECT_OK(cu.cuStreamAddCallback(
          stream, [](CUstream, CUresult, void *) { result = Driver::get().cuCtxSynchronize(); }, nullptr, 0));
    else
      EXPECT_OK(cu.cuLaunchHostFunc(stream, [](void *) { result = Driver::get().cuCtxSynchronize(); }, nullptr));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
    EXPECT_EQ(result, CUDA_ERROR_NOT_PERMITTED);
    EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("HOSTFN-2 cuCtxSynchronize: called inside a host function")));
  }
}

TEST_F(HostFunctionRules, HOSTFN_3_AfterAFailureTheFunctionIsNotCalledAndTheCallbackIsCalledOnce) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    static unsigned functionCalls, callbackCalls;
    static CUresult given;
    static CUstream givenStream;
    functionCalls = callbackCalls = 0;
    CUmodule module;
    CUfunction bad;
    ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
    ASSERT_OK(cu.cuModuleGetFunction(&bad, module, "bad"));
    CUstream stream = createStream();
    EXPECT_OK(cu.cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    CUresult launched = cu.cuLaunchHostFunc(stream, [](void *) { ++functionCalls; }, nullptr);
    CUresult added = cu.cuStreamAddCallback(
        stream,
        [](CUstream s, CUresult result, void *) {
          ++callbackCalls;
          given = result;
          givenStream = s;
        },
        nullptr, 0);
    EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(functionCalls, 0u);
    if (launched == CUDA_SUCCESS && added == CUDA_SUCCESS) {
      EXPECT_EQ(callbackCalls, 1u) << schedule;
      EXPECT_EQ(given, CUDA_ERROR_ILLEGAL_ADDRESS);
      EXPECT_EQ(givenStream, stream);
    } else {
      EXPECT_EQ(added, CUDA_ERROR_ILLEGAL_ADDRESS) << "the failure was known before the callback was queued";
    }
  }
}

TEST_F(HostFunctionRules, HOSTFN_3_WithoutAFailureTheCallbackGetsSuccess) {
  static CUresult given;
  given = CUDA_ERROR_UNKNOWN;
  CUstream stream = createStream();
  EXPECT_OK(cu.cuStreamAddCallback(stream, [](CUstream, CUresult result, void *) { given = result; }, nullptr, 0));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(given, CUDA_SUCCESS);
}

TEST_F(HostFunctionRules, HOSTFN_5_UnrelatedFunctionsRunInAnyOrder) {
  auto program = [&] {
    mark(createStream(), 'a');
    mark(createStream(), 'b');
  };
  expectSometimesAfter('a', 'b', program);
  expectSometimesAfter('b', 'a', program);
}

TEST_F(HostFunctionRules, HOSTFN_5_UnrelatedFunctionsMayShareAThread) {
  start("lazy");
  static std::vector<std::thread::id> threads;
  threads.clear();
  for (unsigned i = 0; i < 2; ++i)
    EXPECT_OK(
        cu.cuLaunchHostFunc(createStream(), [](void *) { threads.push_back(std::this_thread::get_id()); }, nullptr));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(threads.at(0), threads.at(1)) << "so one that waits for the other would wait for ever";
}

} // namespace
} // namespace lockstep::simgpu::test
