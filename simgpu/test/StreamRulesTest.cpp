// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules STREAM-1 to STREAM-10: order within, between and around streams.

#include "simgpu/test/DriverUnderTest.h"

#include <atomic>
#include <thread>

namespace lockstep::simgpu::test {
namespace {

using StreamRules = OrderTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

CUstream legacy() { return reinterpret_cast<CUstream>(1); }
CUstream perThread() { return reinterpret_cast<CUstream>(2); }

TEST_F(StreamRules, STREAM_1_HandleZeroIsLegacyUnderThePlainName) {
  expectAlwaysBefore('a', 'b', [&] {
    mark(createStream(CU_STREAM_DEFAULT), 'a');
    mark(nullptr, 'b'); // Legacy: waits for the blocking stream.
  });
}

TEST_F(StreamRules, STREAM_1_HandleZeroIsPerThreadUnderThePtszName) {
  static std::string seen;
  bool isIndependent = false;
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    seen.clear();
    auto append = [](void *letter) { seen += *static_cast<const char *>(letter); };
    static char a = 'a', b = 'b';
    EXPECT_OK(cu.cuLaunchHostFunc(createStream(CU_STREAM_DEFAULT), append, &a));
    EXPECT_OK(cu.cuLaunchHostFunc_ptsz(nullptr, append, &b));
    EXPECT_OK(cu.cuCtxSynchronize());
    isIndependent |= seen == "ba";
  }
  EXPECT_TRUE(isIndependent) << "handle 0 under a _ptsz name behaved as the legacy stream";
}

TEST_F(StreamRules, STREAM_1_ProcAddressGivesThePerThreadVariantOnRequest) {
  void *plain = nullptr, *variant = nullptr;
  CUdriverProcAddressQueryResult result;
  EXPECT_OK(cu.cuGetProcAddress_v2("cuLaunchKernel", &plain, 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &result));
  EXPECT_OK(cu.cuGetProcAddress_v2("cuLaunchKernel", &variant, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                                   &result));
  EXPECT_EQ(plain, cu.find("cuLaunchKernel"));
  EXPECT_EQ(variant, cu.find("cuLaunchKernel_ptsz"));
}

TEST_F(StreamRules, STREAM_1_HandlesOneAndTwoMeanTheSameUnderBothNames) {
  for (auto launch : {cu.cuLaunchHostFunc, cu.cuLaunchHostFunc_ptsz}) {
    start("lazy");
    static int runs;
    runs = 0;
    auto count = [](void *) { ++runs; };
    EXPECT_OK(launch(legacy(), count, nullptr));
    EXPECT_OK(cu.cuStreamSynchronize(legacy()));
    EXPECT_EQ(runs, 1);
    EXPECT_OK(launch(perThread(), count, nullptr));
    EXPECT_OK(cu.cuStreamSynchronize(perThread()));
    EXPECT_EQ(runs, 2);
  }
}

TEST_F(StreamRules, STREAM_2_LegacyWaitsForBlockingStreams) {
  expectAlwaysBefore('a', 'b', [&] {
    mark(createStream(CU_STREAM_DEFAULT), 'a');
    mark(legacy(), 'b');
  });
}

TEST_F(StreamRules, STREAM_2_BlockingStreamsWaitForLegacy) {
  expectAlwaysBefore('a', 'b', [&] {
    CUstream stream = createStream(CU_STREAM_DEFAULT);
    mark(legacy(), 'a');
    mark(stream, 'b');
  });
}

TEST_F(StreamRules, STREAM_2_AWaitEventInLegacyIsAnAction) {
  expectAlwaysBefore('a', 'b', [&] {
    CUstream first = createStream(CU_STREAM_DEFAULT), second = createStream(CU_STREAM_DEFAULT);
    CUstream other = createStream();
    CUevent event = createEvent();
    EXPECT_OK(cu.cuEventRecord(event, other));
    mark(first, 'a');
    EXPECT_OK(cu.cuStreamWaitEvent(legacy(), event, 0)); // Orders `second` behind `first`.
    mark(second, 'b');
  });
}

TEST_F(StreamRules, STREAM_2_LegacyOfAnotherContextGivesNoEdge) {
  expectSometimesAfter('a', 'b', [&] {
    mark(createStream(CU_STREAM_DEFAULT), 'a');
    CUcontext other;
    EXPECT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
    mark(legacy(), 'b');
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_OK(cu.cuCtxPopCurrent_v2(nullptr));
  });
}

TEST_F(StreamRules, STREAM_2_AWaitOfTheHostIsNoAction) {
  start("lazy");
  mark(createStream(CU_STREAM_DEFAULT), 'a');
  EXPECT_OK(cu.cuStreamSynchronize(legacy()));
  EXPECT_EQ(order, "");
}

TEST_F(StreamRules, STREAM_3_LegacyDoesNotWaitForNonBlockingStreams) {
  expectSometimesAfter('a', 'b', [&] {
    mark(createStream(CU_STREAM_NON_BLOCKING), 'a');
    mark(legacy(), 'b');
  });
}

TEST_F(StreamRules, STREAM_3_NonBlockingStreamsDoNotWaitForLegacy) {
  expectSometimesAfter('a', 'b', [&] {
    mark(legacy(), 'a');
    mark(createStream(CU_STREAM_NON_BLOCKING), 'b');
  });
}

TEST_F(StreamRules, STREAM_4_ThePerThreadStreamIsBlocking) {
  expectAlwaysBefore('a', 'b', [&] {
    mark(perThread(), 'a');
    mark(legacy(), 'b');
  });
  expectAlwaysBefore('a', 'b', [&] {
    mark(legacy(), 'a');
    mark(perThread(), 'b');
  });
}

TEST_F(StreamRules, STREAM_4_EachThreadHasItsOwn) {
  expectSometimesAfter('a', 'b', [&] {
    mark(perThread(), 'a');
    std::thread([&] {
      EXPECT_OK(cu.cuCtxSetCurrent(context));
      mark(perThread(), 'b');
    }).join();
  });
}

TEST_F(StreamRules, STREAM_5_DestroyReturnsAtOnceAndTheWorkCompletes) {
  start("lazy");
  CUstream stream = createStream();
  mark(stream, 'a');
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  EXPECT_EQ(order, "") << "destroying a stream must not wait for its work";
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(order, "a");
}

TEST_F(StreamRules, STREAM_5_LegacyStillWaitsForTheWorkOfADestroyedStream) {
  expectAlwaysBefore('a', 'b', [&] {
    CUstream stream = createStream(CU_STREAM_DEFAULT);
    mark(stream, 'a');
    EXPECT_OK(cu.cuStreamDestroy_v2(stream));
    mark(legacy(), 'b');
  });
}

TEST_F(StreamRules, STREAM_6_QuerySuccessMeansThatTheWorkIsDone) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    order.clear();
    CUstream stream = createStream();
    mark(stream, 'a');
    mark(stream, 'b');
    CUresult result = CUDA_ERROR_NOT_READY;
    while ((result = cu.cuStreamQuery(stream)) == CUDA_ERROR_NOT_READY) {
    }
    EXPECT_EQ(result, CUDA_SUCCESS);
    EXPECT_EQ(order, "ab");
  }
}

TEST_F(StreamRules, STREAM_6_NotReadyIsNoErrorAndLeavesNoTrace) {
  start("lazy");
  CUstream stream = createStream();
  mark(stream, 'a');
  EXPECT_EQ(cu.cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_THAT(listFindings(), IsEmpty());
}

TEST_F(StreamRules, STREAM_6_QuerySuccessMakesManagedMemoryVisible) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr managed = 0;
    ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
    CUstream stream = createStream();
    EXPECT_OK(cu.cuMemsetD32Async(managed, 42, 1, stream));
    while (cu.cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
    }
    EXPECT_EQ(*reinterpret_cast<int *>(managed), 42);
  }
}

TEST_F(StreamRules, STREAM_7_IndependentStreamsRunInAnyOrder) {
  auto program = [&] {
    mark(createStream(), 'a');
    mark(createStream(), 'b');
  };
  expectSometimesAfter('a', 'b', program);
  expectSometimesAfter('b', 'a', program);
}

TEST_F(StreamRules, STREAM_7_OneStreamKeepsItsOrder) {
  expectAlwaysBefore('a', 'b', [&] {
    CUstream stream = createStream();
    mark(stream, 'a');
    mark(stream, 'b');
  });
}

TEST_F(StreamRules, STREAM_8_CallsOnMemoryDoNotWait) {
  start("lazy");
  mark(createStream(CU_STREAM_DEFAULT), 'a');
  CUdeviceptr address = allocate(64), managed = 0, pooled = 0;
  EXPECT_OK(cu.cuMemsetD8_v2(address, 1, 64));
  EXPECT_OK(cu.cuMemFree_v2(allocate(64)));
  void *pinned = nullptr;
  EXPECT_OK(cu.cuMemHostAlloc(&pinned, 64, 0));
  EXPECT_OK(cu.cuMemFreeHost(pinned));
  EXPECT_OK(cu.cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(cu.cuMemFree_v2(managed));
  std::vector<char> registered(64);
  EXPECT_OK(cu.cuMemHostRegister_v2(registered.data(), 64, 0));
  EXPECT_OK(cu.cuMemHostUnregister(registered.data()));
  EXPECT_OK(cu.cuMemAllocAsync(&pooled, 64, nullptr));
  EXPECT_OK(cu.cuMemFreeAsync(pooled, nullptr));
  EXPECT_EQ(order, "") << "a call that need not wait has waited";
}

TEST_F(StreamRules, STREAM_8_CallsOnHandlesDoNotWait) {
  start("lazy");
  CUstream stream = createStream(CU_STREAM_DEFAULT);
  mark(stream, 'a');
  CUevent event = createEvent();
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuStreamWaitEvent(nullptr, event, 0));
  EXPECT_OK(cu.cuEventDestroy_v2(event));
  EXPECT_OK(cu.cuStreamDestroy_v2(createStream()));
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  EXPECT_OK(cu.cuModuleGetFunction(&function, module, "shared"));
  EXPECT_OK(cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  EXPECT_OK(cu.cuGraphCreate(&graph, 0));
  EXPECT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuGraphUpload(exec, nullptr));
  EXPECT_OK(cu.cuGraphLaunch(exec, nullptr));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuGraphDestroy(graph));
  CUcontext other = nullptr;
  EXPECT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  EXPECT_OK(cu.cuCtxDestroy_v2(other));
  EXPECT_EQ(order, "") << "a call that need not wait has waited";
}

TEST_F(StreamRules, STREAM_9_ContextSynchronizeWaitsForAllStreams) {
  start("lazy");
  mark(createStream(), 'a');
  mark(createStream(CU_STREAM_DEFAULT), 'b');
  mark(legacy(), 'c');
  mark(perThread(), 'd');
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(order.size(), 4u);
}

TEST_F(StreamRules, STREAM_9_ContextSynchronizeLeavesOtherContextsAlone) {
  start("lazy");
  mark(createStream(), 'a');
  CUcontext other;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(order, "");
}

TEST_F(StreamRules, STREAM_10_WorkThatNothingWaitsForMayNeverRun) {
  start("lazy");
  CUstream stream = createStream();
  CUdeviceptr memory = 0;
  EXPECT_OK(cu.cuMemAllocAsync(&memory, 64, stream));
  cu.setOp("program.mlir:3:1 memset");
  EXPECT_OK(cu.cuMemsetD8Async(memory, 1, 64, stream));
  cu.setOp(nullptr);
  mark(stream, 'a');
  EXPECT_OK(cu.cuMemFreeAsync(memory, stream));
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  cu.finish();
  EXPECT_EQ(order, "");
  EXPECT_THAT(listFindings(),
              ElementsAre("STREAM-10 cuMemsetD8Async: has not run at the end: nothing waits for it, nor for "
                          "1 more (S1)"));
  LockstepSimFinding finding;
  ASSERT_EQ(cu.finding(0, &finding), 0);
  EXPECT_STREQ(finding.oracle, "leak");
  EXPECT_STREQ(finding.op, "program.mlir:3:1 memset");
}

TEST_F(StreamRules, STREAM_10_WhatOnlyOrdersOrReleasesNeedsNoWait) {
  start("lazy");
  CUstream stream = createStream();
  CUevent event = createEvent();
  CUdeviceptr memory = 0;
  EXPECT_OK(cu.cuMemAllocAsync(&memory, 64, stream));
  EXPECT_OK(cu.cuMemFreeAsync(memory, stream));
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuStreamWaitEvent(nullptr, event, 0));
  EXPECT_OK(cu.cuEventDestroy_v2(event));
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  cu.finish();
  EXPECT_THAT(listFindings(), IsEmpty());
}

TEST_F(StreamRules, STREAM_10_WorkThatRunsAtTheEndIsFoundToo) {
  start("parallel:2");
  static std::atomic<int> state;
  state = 0;
  EXPECT_OK(cu.cuLaunchHostFunc(
      nullptr,
      [](void *) {
        state = 1;
        while (state != 2)
          std::this_thread::yield();
      },
      nullptr));
  while (state != 1)
    std::this_thread::yield();
  cu.finish();
  EXPECT_EQ(listRules(), std::vector<std::string>{"STREAM-10"});
  state = 2;
  EXPECT_OK(cu.cuCtxSynchronize());
}

} // namespace
} // namespace lockstep::simgpu::test
