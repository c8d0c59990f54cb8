// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a function is refused that needs what the driver lacks.

#include "runtime-cuda/test/RuntimeTest.h"

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
class LackTest : public RuntimeTest {
protected:
  void expectRefused(const char *function, const char *missing) {
    EXPECT_EQ(status().kind, kMgpuStatusNoSymbol);
    EXPECT_STREQ(status().function, function);
    EXPECT_THAT(message(), HasSubstr(std::string("does not have ") + missing + "; this function needs a newer driver"));
  }
};

TEST_F(LackTest, Abi21WithoutGraphsTheRestWorks) {
  useDriver(FAKE_DRIVER_SPARSE_PATH);
  MgpuStream stream = mgpuStreamCreate();
  mgpuEventRecord(mgpuEventPoolAcquire(), stream);
  expectOk();
  void *slot = nullptr;
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphAddEmptyNode(graph, nullptr, 0);
  mgpuGraphLaunch(graph, stream);
  expectRefused("mgpuGraphLaunch", "cuGraphCreate");
}

TEST_F(LackTest, Abi21WithoutClustersOtherKernelsAreLaunched) {
  useDriver(FAKE_DRIVER_SPARSE_PATH);
  char image = 0;
  MgpuFunction function = mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "kernel");
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
  EXPECT_EQ(fake().count("cuLaunchKernel"), 1);
  expectOk();
  mgpuLaunchClusterKernel(function, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
  expectRefused("mgpuLaunchClusterKernel", "cuLaunchKernelEx");
}

TEST_F(LackTest, Abi21WithoutTensorMapsNoneIsEncoded) {
  useDriver(FAKE_DRIVER_SPARSE_PATH);
  alignas(64) unsigned char map[128];
  uint64_t sizes[] = {4}, strides[] = {16};
  uint32_t box[] = {4}, elementStrides[] = {1};
  mgpuTensorMapEncodeTiled(map, 0, 1, map, sizes, strides, box, elementStrides, 0, 0, 0, 0);
  expectRefused("mgpuTensorMapEncodeTiled", "cuTensorMapEncodeTiled");
}

TEST_F(LackTest, Graphabi2WithoutUpdatesACaptureIsInstantiatedAgain) {
  useDriver(FAKE_DRIVER_11_4_PATH);
  MgpuStream stream = mgpuStreamCreate();
  void *slot = nullptr;
  for (int round = 0; round < 3; ++round) {
    mgpuGraphCaptureBegin(&slot, stream);
    mgpuGraphCaptureLaunch(&slot, stream);
  }
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 3);
  EXPECT_EQ(fake().count("cuGraphLaunch"), 3);
  expectOk();
}

TEST_F(LackTest, Abi21WithoutKernelNodesOtherGraphsWork) {
  useDriver(FAKE_DRIVER_11_4_PATH);
  char image = 0;
  MgpuFunction function = mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "kernel");
  MgpuStream stream = mgpuStreamCreate();
  void *slot = nullptr;
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphAddEmptyNode(graph, nullptr, 0);
  mgpuGraphLaunch(graph, stream);
  expectOk();
  graph = mgpuGraphBegin(&slot);
  mgpuGraphAddKernelNode(graph, nullptr, 0, function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, 0);
  mgpuGraphLaunch(graph, stream);
  expectRefused("mgpuGraphLaunch", "cuGraphAddKernelNode");
}
} // namespace
