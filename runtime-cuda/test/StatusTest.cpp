// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

#include <atomic>
#include <thread>

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
class StatusTest : public RuntimeTest {};
class StatusDeathTest : public RuntimeTest {};

TEST_F(StatusTest, Status1FirstFailureIsKeptInFull) {
  MgpuStream stream = mgpuStreamCreate();
  failCall("cuMemAllocAsync", CUDA_ERROR_OUT_OF_MEMORY);
  mgpuSetOp("x.mlir:3:4 alloc");
  EXPECT_EQ(mgpuMemAlloc(64, stream, false), nullptr);
  MgpuStatus record = status();
  EXPECT_EQ(record.kind, kMgpuStatusDriverError);
  EXPECT_EQ(record.code, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_STREQ(record.function, "mgpuMemAlloc");
  EXPECT_STREQ(record.call, "cuMemAllocAsync");
  EXPECT_STREQ(record.code_name, "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_STREQ(record.code_text, "out of memory");
  EXPECT_STREQ(record.op, "x.mlir:3:4 alloc");
  EXPECT_STREQ(record.message, "liblockstep_runtime_cuda: mgpuMemAlloc: cuMemAllocAsync failed with "
                               "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory [op: x.mlir:3:4 alloc]");
}

TEST_F(StatusTest, Status1LaterFailuresDoNotReplaceIt) {
  mgpuStreamDestroy(nullptr);
  std::string first = message();
  mgpuEventDestroy(nullptr);
  EXPECT_EQ(message(), first);
}

TEST_F(StatusTest, Status2LaterCallsAreRefusedAndWaitsReturn) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = mgpuEventCreate();
  mgpuStreamDestroy(nullptr);
  fake().clearCalls();
  char byte = 0;
  EXPECT_EQ(mgpuStreamCreate(), nullptr);
  EXPECT_EQ(mgpuEventPoolAcquire(), nullptr);
  EXPECT_EQ(mgpuMemAlloc(8, stream, false), nullptr);
  EXPECT_EQ(mgpuModuleLoad(&byte, 1), nullptr);
  EXPECT_EQ(mgpuEventElapsedTimeNs(event, event), 0);
  EXPECT_TRUE(mgpuEventQuery(event)) << "a program that polls must come to its end";
  mgpuStreamSynchronize(stream);
  mgpuEventSynchronize(event);
  mgpuChainSynchronize(event);
  mgpuMemcpy(&byte, &byte, 1, stream);
  mgpuMemset32(&byte, 0, 1, stream);
  EXPECT_TRUE(fake().calls.empty()) << fake().calls.front();
}

TEST_F(StatusTest, Status4FailedStreamCreationNeverReachesTheLegacyStream) {
  failCall("cuStreamCreate", CUDA_ERROR_OUT_OF_MEMORY);
  MgpuStream stream = mgpuStreamCreate();
  EXPECT_EQ(stream, nullptr);
  // Even a caller that forgets the failure gets nowhere with the null handle.
  mgpuReset();
  int value = 0;
  mgpuMemset32(&value, 7, 1, stream);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle);
  EXPECT_THAT(message(), HasSubstr("mgpuMemset32: argument 'stream' must be a stream, but is null"));
  EXPECT_EQ(value, 0);
  EXPECT_EQ(fake().nullStreamUses, 0);
}

TEST_F(StatusTest, Status5ResetForgetsTheRecordAndKeepsThePolicy) {
  mgpuStreamDestroy(nullptr);
  mgpuReset();
  expectOk();
  EXPECT_STREQ(status().message, "");
  mgpuStreamDestroy(nullptr);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle) << "policy 'record' still holds, or this process had ended";
}

TEST_F(StatusTest, Status6UnknownPolicyIsRefused) {
  mgpuStatusSetPolicy(7);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
}

TEST_F(StatusTest, Status1OneRecordOfManyThreads) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&, index] {
      mgpuSetOp(("op " + std::to_string(index)).c_str());
      ++ready;
      while (ready < 4)
        std::this_thread::yield();
      mgpuStreamDestroy(nullptr);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_THAT(message(), HasSubstr(std::string("[op: ") + status().op + "]"));
}

TEST_F(StatusTest, Abi15FailingContextPopIsRecorded) {
  mgpuStreamCreate();
  mgpuSetDefaultDevice(1);
  failCall("cuCtxPopCurrent", CUDA_ERROR_DEINITIALIZED);
  mgpuStreamCreate();
  EXPECT_STREQ(status().call, "cuCtxPopCurrent");
}

TEST_F(StatusTest, Abi15AThreadWithoutContextKeepsTheFirst) {
  mgpuStreamCreate();
  mgpuStreamCreate();
  EXPECT_EQ(fake().count("cuCtxPushCurrent"), 1);
  EXPECT_EQ(fake().count("cuCtxPopCurrent"), 0);
  mgpuSetDefaultDevice(1);
  fake().clearCalls();
  mgpuStreamCreate();
  mgpuStreamCreate();
  EXPECT_EQ(fake().count("cuCtxPushCurrent"), 2) << "the thread's context is that of device 0";
  EXPECT_EQ(fake().count("cuCtxPopCurrent"), 2);
  expectOk();
}

TEST_F(StatusDeathTest, Status3ExitPolicyPrintsOneLineAndExitsWith1) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        mgpuStatusSetPolicy(kMgpuPolicyExit);
        mgpuEventRecord(nullptr, nullptr);
        _exit(0);
      },
      testing::ExitedWithCode(1),
      "^liblockstep_runtime_cuda: mgpuEventRecord: argument 'event' must be an event, but is null\n$");
}
} // namespace
