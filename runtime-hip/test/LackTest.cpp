// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in for a function that the library lacks, and how the rest is refused.

#include "runtime-hip/test/RuntimeTest.h"

using namespace lockstep::hip;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
class LackTest : public RuntimeTest {
protected:
  /// Whether a host function runs, with its argument, on a stream.
  static bool runHostFunction() {
    bool hasRun = false;
    bool *argument = &hasRun;
    mgpuLaunchHostFunc(
        mgpuStreamCreate(), [](void *copied) { **static_cast<bool **>(copied) = true; }, &argument, sizeof(argument));
    return hasRun;
  }
};

TEST_F(LackTest, Abi10TheHostFunctionOfTheDriverIsPreferred) {
  EXPECT_TRUE(runHostFunction());
  EXPECT_THAT(fake().callsOf({"hipLaunchHostFunc", "hipStreamAddCallback"}), ElementsAre("hipLaunchHostFunc stream1"));
  expectOk();
}

TEST_F(LackTest, Abi10ACallbackStandsInForTheHostFunction) {
  useDriver(FAKE_DRIVER_5_2_PATH);
  EXPECT_TRUE(runHostFunction());
  EXPECT_THAT(fake().callsOf({"hipStreamAddCallback"}), ElementsAre("hipStreamAddCallback stream1"));
  expectOk();
}

TEST_F(LackTest, Abi10TheCallbackOfAFailedStreamRunsNothing) {
  useDriver(FAKE_DRIVER_5_2_PATH);
  fake().callbackStatus = hipErrorInvalidValue;
  EXPECT_FALSE(runHostFunction());
  EXPECT_THAT(fake().callsOf({"hipStreamAddCallback"}), ElementsAre("hipStreamAddCallback stream1"));
  fake().calls.clear();
  mgpuReset();
  EXPECT_THAT(fake().callsOf({"hipDeviceSynchronize"}), IsEmpty()) << "no run is expected any more";
}

TEST_F(LackTest, Abi21WithoutBothTheHostFunctionIsNamed) {
  useDriver(FAKE_DRIVER_SPARSE_PATH);
  EXPECT_FALSE(runHostFunction());
  EXPECT_EQ(status().kind, kMgpuStatusNoSymbol);
  EXPECT_STREQ(status().function, "mgpuLaunchHostFunc");
  EXPECT_THAT(message(), HasSubstr("(HIP 6.3) does not have hipLaunchHostFunc; this function needs a newer one"));
}

TEST_F(LackTest, Abi21WithoutGraphsTheRestWorks) {
  useDriver(FAKE_DRIVER_SPARSE_PATH);
  MgpuStream stream = mgpuStreamCreate();
  mgpuEventRecord(mgpuEventPoolAcquire(), stream);
  expectOk();
  void *slot = nullptr;
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphAddEmptyNode(graph, nullptr, 0);
  mgpuGraphLaunch(graph, stream);
  EXPECT_EQ(status().kind, kMgpuStatusNoSymbol);
  EXPECT_THAT(message(), HasSubstr("does not have hipGraphCreate"));
}

TEST_F(LackTest, Abi21WithoutMemoryNodesOtherGraphsWork) {
  useDriver(FAKE_DRIVER_5_2_PATH);
  MgpuStream stream = mgpuStreamCreate();
  void *slot = nullptr;
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphAddEmptyNode(graph, nullptr, 0);
  mgpuGraphLaunch(graph, stream);
  expectOk();
  void *memory = nullptr;
  graph = mgpuGraphBegin(&slot);
  EXPECT_EQ(mgpuGraphAddMemAllocNode(graph, nullptr, 0, 16, &memory), -1);
  EXPECT_EQ(status().kind, kMgpuStatusNoSymbol);
  EXPECT_THAT(message(), HasSubstr("does not have hipGraphAddMemAllocNode"));
}

TEST_F(LackTest, Abi21ClustersAreRefused) {
  ASSERT_EQ(mgpuInitialize(), kMgpuStatusOk) << message();
  fake().calls.clear();
  mgpuLaunchClusterKernel(nullptr, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr, 0);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
  EXPECT_STREQ(status().function, "mgpuLaunchClusterKernel");
  EXPECT_THAT(message(), HasSubstr("the hip backend has no clusters"));
  EXPECT_THAT(fake().calls, IsEmpty());
}

TEST_F(LackTest, Abi21TensorMapsAreRefused) {
  auto expectRefused = [this](const char *function) {
    EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
    EXPECT_STREQ(status().function, function);
    EXPECT_THAT(message(), HasSubstr("the hip backend has no tensor maps"));
    EXPECT_THAT(fake().calls, ElementsAre("hipInit"));
    mgpuReset();
    fake().calls.clear();
  };
  mgpuTensorMapEncodeTiled(nullptr, 0, 1, nullptr, nullptr, nullptr, nullptr, nullptr, 0, 0, 0, 0);
  expectRefused("mgpuTensorMapEncodeTiled");
  EXPECT_EQ(mgpuTensorMapEncodeTiledMemref(1, nullptr, 0, 0, 0, 0, 0, nullptr), nullptr);
  expectRefused("mgpuTensorMapEncodeTiledMemref");
}
} // namespace
