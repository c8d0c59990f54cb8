// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ABI over the simulated driver: right programs give right values under every schedule, with nothing to find.

#include "runtime-api/test/simulated/SimulatedTest.h"

#include <numeric>

using namespace lockstep::runtime::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
using SimulatedDriverTest = SimulatedTest;

TEST_P(SimulatedDriverTest, DriverIsSimulated) {
  MgpuDriverInfo info;
  ASSERT_EQ(mgpuDriverInfo(&info), kMgpuStatusOk) << message();
  EXPECT_EQ(info.is_simulated, 1);
  EXPECT_EQ(info.device_count, 1);
}

TEST_P(SimulatedDriverTest, ChainOnOneStream) {
  Values host = {1, 2, 3, 4};
  int32_t value = 10;
  MgpuModule module = mgpuModuleLoad(image.data(), image.size());
  MgpuFunction addValue = mgpuModuleGetFunction(module, "add_value");
  MgpuStream stream = mgpuStreamCreate();
  void *memory = mgpuMemAlloc(sizeof(host), stream, false);
  mgpuMemcpy(memory, host.data(), sizeof(host), stream);
  launch(addValue, stream, {&memory, &value});
  mgpuMemcpy(host.data(), memory, sizeof(host), stream);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, ElementsAre(11, 12, 13, 14));
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(module);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, ForkAndJoinOnPooledStreams) {
  Values host = {42, 42, 42, 42};
  MgpuModule module = mgpuModuleLoad(image.data(), image.size());
  MgpuFunction addArray = mgpuModuleGetFunction(module, "add_array");
  MgpuStream first = mgpuStreamPoolAcquire(), second = mgpuStreamPoolAcquire();
  void *source = mgpuMemAlloc(sizeof(host), first, false);
  void *left = mgpuMemAlloc(sizeof(host), first, false);
  void *right = mgpuMemAlloc(sizeof(host), second, false);
  mgpuMemcpy(source, host.data(), sizeof(host), first);
  MgpuEvent fork = mgpuEventPoolAcquire(), join = mgpuEventPoolAcquire();
  mgpuEventRecord(fork, first);
  mgpuStreamWaitChain(second, fork);
  mgpuMemcpy(left, source, sizeof(host), first);
  mgpuMemcpy(right, source, sizeof(host), second);
  mgpuEventRecord(join, second);
  mgpuStreamWaitChain(first, join);
  launch(addArray, first, {&left, &right});
  mgpuMemcpy(host.data(), left, sizeof(host), first);
  for (void *memory : {source, left, right})
    mgpuMemFree(memory, first);
  mgpuStreamSynchronize(first);
  EXPECT_THAT(host, ElementsAre(84, 84, 84, 84));
  mgpuEventPoolRelease(fork);
  mgpuEventPoolRelease(join);
  mgpuStreamPoolRelease(first);
  mgpuStreamPoolRelease(second);
  mgpuModuleUnload(module);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, FillsOfEveryWidth) {
  std::array<uint64_t, 6> host = {};
  MgpuStream stream = mgpuStreamPoolAcquire();
  auto *memory = static_cast<uint64_t *>(mgpuMemAlloc(sizeof(host), stream, false));
  mgpuMemset8(memory, 0xab, sizeof(host), stream);
  mgpuMemset16(memory, 0x1234, 4, stream);
  mgpuMemset32(memory + 1, 0x89abcdef, 2, stream);
  mgpuMemset64(memory + 2, 0x0123456789abcdefull, 2, stream);
  int64_t sizes[] = {2}, strides[] = {1};
  mgpuMemsetStrided(memory + 4, 1, sizes, strides, 8, 7, stream);
  mgpuMemcpy(host.data(), memory, sizeof(host), stream);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, ElementsAre(0x1234123412341234ull, 0x89abcdef89abcdefull, 0x0123456789abcdefull,
                                0x0123456789abcdefull, 7, 7));
  mgpuStreamPoolRelease(stream);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, StridedCopiesInAndOut) {
  constexpr int64_t kRows = 3, kColumns = 5;
  std::vector<int32_t> host(200), back(200, -1);
  std::iota(host.begin(), host.end(), 0);
  MgpuStream stream = mgpuStreamPoolAcquire();
  void *memory = mgpuMemAlloc(kRows * kColumns * 4, stream, false);
  int64_t sizes[] = {kRows, kColumns}, padded[] = {20, 1}, dense[] = {kColumns, 1}, columns[] = {-1, 7};
  mgpuMemcpyStrided(memory, host.data(), 2, sizes, dense, padded, 4, stream);
  mgpuMemcpyStrided(back.data() + 100, memory, 2, sizes, columns, dense, 4, stream);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < kColumns; ++column)
      EXPECT_EQ(back[100 - row + 7 * column], host[20 * row + column]) << row << ", " << column;
  mgpuStreamPoolRelease(stream);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, OverlappingStridedCopyOnTheDevice) {
  std::array<int32_t, 6> host = {0, 1, 2, 3, 4, 5};
  MgpuStream stream = mgpuStreamPoolAcquire();
  auto *memory = static_cast<int32_t *>(mgpuMemAlloc(sizeof(host), stream, false));
  mgpuMemcpy(memory, host.data(), sizeof(host), stream);
  int64_t sizes[] = {5}, strides[] = {1};
  mgpuMemcpyStrided(memory + 1, memory, 1, sizes, strides, strides, 4, stream);
  mgpuMemcpy(host.data(), memory, sizeof(host), stream);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, ElementsAre(0, 0, 1, 2, 3, 4));
  mgpuStreamPoolRelease(stream);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, HostFunctionRunsInStreamOrder) {
  static Values seen;
  seen = {};
  Values host = {5, 6, 7, 8};
  Values *hostAddress = &host;
  MgpuStream stream = mgpuStreamPoolAcquire();
  void *memory = mgpuMemAlloc(sizeof(host), stream, false);
  mgpuMemset32(memory, 9, kCount, stream);
  mgpuMemcpy(host.data(), memory, sizeof(host), stream);
  mgpuLaunchHostFunc(
      stream, [](void *argument) { seen = **static_cast<Values **>(argument); }, &hostAddress, sizeof(hostAddress));
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(seen, ElementsAre(9, 9, 9, 9));
  mgpuStreamPoolRelease(stream);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, HostSharedMemoryIsFreedByTheTimeOfTheReset) {
  MgpuStream stream = mgpuStreamPoolAcquire();
  auto *memory = static_cast<int32_t *>(mgpuMemAlloc(sizeof(Values), stream, true));
  mgpuMemset32(memory, 3, kCount, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(memory[kCount - 1], 3);
  mgpuMemset32(memory, 4, kCount, stream);
  mgpuMemFree(memory, stream);
  mgpuStreamPoolRelease(stream);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, TimedEvents) {
  MgpuStream stream = mgpuStreamPoolAcquire();
  MgpuEvent start = mgpuEventCreateTimed(), end = mgpuEventCreateTimed();
  void *memory = mgpuMemAlloc(1 << 20, stream, false);
  mgpuEventRecord(start, stream);
  mgpuMemset8(memory, 1, 1 << 20, stream);
  mgpuEventRecord(end, stream);
  mgpuMemFree(memory, stream);
  mgpuEventSynchronize(end);
  EXPECT_TRUE(mgpuEventQuery(end));
  EXPECT_GT(mgpuEventElapsedTimeNs(start, end), 0);
  mgpuStreamSynchronize(stream);
  mgpuEventDestroy(start);
  mgpuEventDestroy(end);
  mgpuStreamPoolRelease(stream);
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, HostMemoryIsRegistered) {
  Values host = {};
  mgpuMemHostRegister(host.data(), sizeof(host));
  mgpuMemHostUnregister(host.data());
  expectCleanRun();
}

TEST_P(SimulatedDriverTest, ALeakOfTheProgramIsFoundAndThePoolIsNone) {
  mgpuStreamPoolAcquire();
  mgpuStreamCreate();
  EXPECT_THAT(finish(), ElementsAre(HasSubstr("leak")));
}

TEST_P(SimulatedDriverTest, DriverErrorsReachTheRecord) {
  int32_t value = 1;
  MgpuFunction function = mgpuModuleGetFunction(mgpuModuleLoad(image.data(), image.size()), "add_value");
  MgpuStream stream = mgpuStreamCreate();
  void *memory = mgpuMemAlloc(16, stream, false);
  launch(function, stream, {&memory, &value}, /*threads=*/100000);
  EXPECT_EQ(status().kind, kMgpuStatusDriverError);
  EXPECT_STREQ(status().call, nameOf("cuLaunchKernel", "hipModuleLaunchKernel"));
  EXPECT_THAT(status().code_name, HasSubstr(nameOf("CUDA_ERROR_INVALID", "hipErrorInvalid")));
}

TEST_P(SimulatedDriverTest, MissingKernel) {
  EXPECT_EQ(mgpuModuleGetFunction(mgpuModuleLoad(image.data(), image.size()), "nothing"), nullptr);
  EXPECT_STREQ(status().code_name, nameOf("CUDA_ERROR_NOT_FOUND", "hipErrorNotFound"));
}

LOCKSTEP_UNDER_ALL_SCHEDULES(SimulatedDriverTest);
} // namespace
