// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/DriverCalls.h"
#include "harness/NamedOps.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <thread>
#include <vector>

using namespace lockstep::harness;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(DriverCallCounter, CountsByNameAndBeginsAnew) {
  DriverCallCounter counter;
  counter.count("cuEventRecord");
  // The same name at another address.
  counter.count(std::string("cuEventRecord").c_str());
  counter.count("cuInit");
  EXPECT_THAT(counter.take(), UnorderedElementsAre(Pair("cuEventRecord", 2), Pair("cuInit", 1)));
  EXPECT_THAT(counter.take(), IsEmpty());
}

TEST(DriverCallCounter, LosesNothingOnManyThreads) {
  DriverCallCounter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 1000; ++round)
        counter.count(round % 2 ? "cuLaunchKernel" : "cuMemcpyAsync");
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_THAT(counter.take(), UnorderedElementsAre(Pair("cuLaunchKernel", 2000), Pair("cuMemcpyAsync", 2000)));
}

TEST(DriverCallMetrics, SumsVersionsOfAFunction) {
  auto metrics = driverCallMetrics({{"cuMemcpyAsync", 1},
                                    {"cuMemcpy3DAsync", 2},
                                    {"cuMemsetD32Async", 1},
                                    {"cuLaunchKernelEx", 4},
                                    {"cuMemAllocManaged", 3},
                                    {"cuModuleLoadDataEx", 1},
                                    {"cuStreamCreate", 2},
                                    {"cuEventCreate", 5},
                                    {"cuStreamSynchronize", 6},
                                    {"cuEventSynchronize", 7}},
                                   0);
  EXPECT_EQ(metrics["device_ops"].value, 8);
  EXPECT_EQ(metrics["driver_calls"].value, 32);
  EXPECT_EQ(metrics["driver_calls_per_device_op"].value, 4);
  EXPECT_EQ(metrics["driver_calls_per_device_op"].unit, "calls/op");
  EXPECT_EQ(metrics["modules_loaded"].value, 1);
  EXPECT_EQ(metrics["streams_created"].value, 2);
  EXPECT_EQ(metrics["events_created"].value, 5);
  EXPECT_EQ(metrics["host_waits"].value, 13);
  EXPECT_EQ(metrics["streams_destroyed"].value, 0);
}

TEST(DriverCallMetrics, NoRatioWithoutWork) {
  auto metrics = driverCallMetrics({{"cuInit", 1}}, 0);
  EXPECT_EQ(metrics.count("driver_calls_per_device_op"), 0u);
  EXPECT_EQ(metrics["driver_calls"].value, 1);
  EXPECT_EQ(metrics["device_ops"].value, 0);
}

TEST(DriverCallMetrics, NamedOperationsCountOnceWhateverTheyBecome) {
  auto metrics =
      driverCallMetrics({{"cuGraphLaunch", 2}, {"cuGraphInstantiateWithFlags", 1}, {"cuMemcpyAsync", 3}}, 12);
  EXPECT_EQ(metrics["device_ops"].value, 12);
  EXPECT_EQ(metrics["driver_calls_per_device_op"].value, 0.5);
  EXPECT_EQ(metrics["graph_launches"].value, 2);
  EXPECT_EQ(metrics["graphs_instantiated"].value, 1);
}

TEST(DriverCallMetrics, CountsBothVendorsCalls) {
  auto metrics =
      driverCallMetrics({{"hipModuleLaunchKernel", 2}, {"hipMemcpyAsync", 1}, {"hipEventCreateWithFlags", 3}}, 0);
  EXPECT_EQ(metrics["device_ops"].value, 3);
  EXPECT_EQ(metrics["events_created"].value, 3);
}

TEST(NamedOps, CountDeviceWorkOnly) {
  takeNamedOps();
  for (const char *op :
       {"a.mlir:1:2 memcpy", "a.mlir:1:2 wait", "with space.mlir:1:2 launch_func", "x host_register", ""})
    countNamedOp(op);
  EXPECT_EQ(takeNamedOps(), 2u);
  EXPECT_EQ(takeNamedOps(), 0u);
}
