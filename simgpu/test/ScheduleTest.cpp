// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control surface: schedules, reset, findings at the end, trace.

#include "simgpu/test/DriverUnderTest.h"

#include <barrier>
#include <fstream>
#include <random>
#include <set>
#include <thread>

namespace lockstep::simgpu::test {
namespace {

using Schedules = OrderTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A program over four streams, two events and a kernel, drawn from a seed of its own.
class RandomProgram : public OrderTest {
protected:
  uint64_t hashOf(const std::string &schedule) {
    start(schedule);
    CUmodule module;
    CUfunction add;
    EXPECT_OK(cu.cuModuleLoadData(&module, testModule().data()));
    EXPECT_OK(cu.cuModuleGetFunction(&add, module, "add"));
    std::mt19937 draw(7);
    CUdeviceptr device = allocate(256);
    std::vector<CUstream> streams;
    for (unsigned i = 0; i < 4; ++i)
      streams.push_back(createStream(i % 2));
    std::vector<CUevent> events{createEvent(), createEvent()};
    int value = 1;
    void *arguments[] = {&device, &value};
    static int host[64];
    for (unsigned i = 0; i < 40; ++i) {
      CUstream stream = streams[draw() % 4];
      switch (draw() % 5) {
      case 0:
        EXPECT_OK(cu.cuLaunchKernel(add, 1, 1, 1, 8, 1, 1, 0, stream, arguments, nullptr));
        break;
      case 1:
        EXPECT_OK(cu.cuEventRecord(events[draw() % 2], stream));
        break;
      case 2:
        EXPECT_OK(cu.cuStreamWaitEvent(stream, events[draw() % 2], 0));
        break;
      case 3:
        EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, host, 4 * (1 + draw() % 64), stream));
        break;
      default:
        EXPECT_OK(cu.cuMemsetD32Async(device, 1, 1 + draw() % 64, stream));
      }
    }
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_THAT(listFindings(), IsEmpty());
    return cu.traceHash();
  }
};

TEST_F(RandomProgram, AThousandRunsOfOneSeedHaveOneTrace) {
  uint64_t first = hashOf("random:42");
  for (unsigned run = 1; run < 1000; ++run)
    ASSERT_EQ(hashOf("random:42"), first) << "run " << run;
}

TEST_F(RandomProgram, SeedsAndSchedulesDiffer) {
  std::set<uint64_t> hashes{hashOf("eager"), hashOf("lazy")};
  EXPECT_EQ(hashes.size(), 2u);
  for (unsigned seed = 0; seed < 50; ++seed)
    hashes.insert(hashOf("random:" + std::to_string(seed)));
  EXPECT_GT(hashes.size(), 45u);
  EXPECT_EQ(hashOf("eager"), hashOf("eager"));
  EXPECT_EQ(hashOf("lazy"), hashOf("lazy"));
}

TEST_F(Schedules, EagerRunsDuringTheCall) {
  start("eager");
  mark(createStream(), 'a');
  EXPECT_EQ(order, "a");
}

TEST_F(Schedules, LazyRunsOnlyWhatAWaitForcesNewestStreamFirst) {
  start("lazy");
  CUstream first = createStream(), second = createStream(), third = createStream();
  CUevent event = createEvent();
  mark(first, 'a');
  mark(second, 'b');
  EXPECT_OK(cu.cuEventRecord(event, second));
  mark(third, 'c');
  EXPECT_OK(cu.cuStreamWaitEvent(first, event, 0));
  mark(first, 'd');
  EXPECT_OK(cu.cuStreamSynchronize(first));
  EXPECT_EQ(order, "bad") << "newest first, and nothing of the third stream";
}

TEST_F(Schedules, ResetDropsQueuedWorkAndFindings) {
  start("lazy");
  mark(createStream(), 'a');
  EXPECT_NE(cu.cuStreamSynchronize(reinterpret_cast<CUstream>(5)), CUDA_SUCCESS);
  start("lazy");
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(order, "");
  EXPECT_EQ(cu.findingCount(), 0u);
}

TEST_F(Schedules, ResetRefusesAWrongConfigurationAndChangesNothing) {
  CUstream stream = createStream();
  EXPECT_THAT(cu.reset("schedule=fast"), HasSubstr("schedule 'fast' is none of"));
  EXPECT_THAT(cu.reset("schedule=random:x"), HasSubstr("none of"));
  EXPECT_THAT(cu.reset("schedule=parallel:0"), HasSubstr("none of"));
  EXPECT_THAT(cu.reset("colour=red"), HasSubstr("unknown key 'colour'"));
  EXPECT_THAT(cu.reset("memory_limit_bytes=many"), HasSubstr("is not a number"));
  EXPECT_THAT(cu.reset("eager"), HasSubstr("key=value"));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
}

TEST_F(Schedules, TheEnvironmentGivesTheDefaults) {
  setenv("LOCKSTEP_SIM_DEVICE_COUNT", "3", 1);
  setenv("LOCKSTEP_SIM_SCHEDULE", "lazy", 1);
  EXPECT_EQ(cu.reset("schedule=eager"), nullptr);
  int count = 0;
  EXPECT_OK(cu.cuInit(0));
  EXPECT_OK(cu.cuDeviceGetCount(&count));
  EXPECT_EQ(count, 3);
  setenv("LOCKSTEP_SIM_SCHEDULE", "wrong", 1);
  EXPECT_THAT(cu.reset(nullptr), HasSubstr("environment variable LOCKSTEP_SIM_SCHEDULE"));
  unsetenv("LOCKSTEP_SIM_DEVICE_COUNT");
  unsetenv("LOCKSTEP_SIM_SCHEDULE");
}

TEST_F(Schedules, NoDevice) {
  EXPECT_EQ(cu.reset("device_count=0"), nullptr);
  EXPECT_EQ(cu.cuInit(0), CUDA_ERROR_NO_DEVICE);
}

TEST_F(Schedules, CallsBeforeInitAreRefused) {
  EXPECT_EQ(cu.reset(nullptr), nullptr);
  int count;
  EXPECT_EQ(cu.cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
}

TEST_F(Schedules, FinishReportsWhatWasNotReleased) {
  CUmodule module;
  void *pinned;
  CUdeviceptr pooled, freed;
  createStream();
  createEvent();
  ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  allocate(64);
  ASSERT_OK(cu.cuMemHostAlloc(&pinned, 32, 0));
  ASSERT_OK(cu.cuMemAllocAsync(&pooled, 16, nullptr));
  ASSERT_OK(cu.cuMemAllocAsync(&freed, 16, nullptr));
  ASSERT_OK(cu.cuMemFreeAsync(freed, nullptr));
  EXPECT_EQ(cu.finish(), 6u);
  EXPECT_THAT(listFindings(),
              ElementsAre(HasSubstr("a stream was created and not destroyed (S1)"),
                          HasSubstr("an event was created and not destroyed (E1)"),
                          HasSubstr("a module was created and not destroyed (M1)"),
                          HasSubstr("of 64 bytes by cuMemAlloc_v2"), HasSubstr("of 32 bytes by cuMemHostAlloc"),
                          HasSubstr("of 16 bytes by cuMemAllocAsync")));
  LockstepSimFinding finding;
  ASSERT_EQ(cu.finding(0, &finding), 0);
  EXPECT_STREQ(finding.oracle, "leak");
  EXPECT_EQ(cu.finding(6, &finding), 1);
}

TEST_F(Schedules, FinishOfATidyProgramFindsNothing) {
  CUstream stream = createStream();
  CUdeviceptr device = allocate(64);
  EXPECT_OK(cu.cuMemFree_v2(device));
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  EXPECT_EQ(cu.finish(), 0u);
}

TEST_F(Schedules, TheTraceHasALineForEachOperation) {
  cu.setOp("program.mlir:1:1 memset");
  EXPECT_OK(cu.cuMemsetD8Async(allocate(64), 1, 64, createStream()));
  cu.setOp(nullptr);
  std::string path = ::testing::TempDir() + "/lockstep-sim-trace.txt";
  ASSERT_EQ(cu.traceWrite(path.c_str()), 0);
  std::ifstream file(path);
  std::string line, more;
  std::getline(file, line);
  EXPECT_THAT(line,
              ::testing::MatchesRegex(
                  "#1 fill S1 size=64 start_ns=[0-9]+ end_ns=[0-9]+ \\[device\\] cuMemsetD8Async \"program.*memset\""));
  EXPECT_FALSE(std::getline(file, more));
  EXPECT_NE(cu.traceWrite("/no/such/folder/file"), 0);
}

TEST_F(Schedules, ParallelRunsIndependentWorkAtTheSameTime) {
  start("parallel:2");
  static std::barrier<> *meeting;
  std::barrier<> both(2);
  meeting = &both;
  for (unsigned i = 0; i < 2; ++i) // Each waits for the other: one thread would wait for ever.
    EXPECT_OK(cu.cuLaunchHostFunc(createStream(), [](void *) { meeting->arrive_and_wait(); }, nullptr));
  EXPECT_OK(cu.cuCtxSynchronize());
}

TEST_F(Schedules, ManyThreadsMayCallAtTheSameTime) {
  for (const char *schedule : {"eager", "lazy", "random:1", "parallel:2"}) {
    start(schedule);
    std::vector<std::thread> threads;
    std::vector<uint32_t> values(4);
    for (uint32_t number = 0; number < values.size(); ++number)
      threads.emplace_back([&, number] {
        EXPECT_OK(cu.cuCtxSetCurrent(context));
        CUstream stream = createStream();
        for (unsigned round = 0; round < 50; ++round) {
          CUdeviceptr device = allocate(256);
          EXPECT_OK(cu.cuMemsetD32Async(device, number + 1, 64, stream));
          EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(&values[number], device + 252, 4, stream));
          EXPECT_OK(cu.cuStreamSynchronize(stream));
          EXPECT_EQ(values[number], number + 1);
          EXPECT_OK(cu.cuMemFree_v2(device));
        }
        EXPECT_OK(cu.cuStreamDestroy_v2(stream));
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_THAT(listFindings(), IsEmpty());
  }
}

TEST_F(Schedules, ParallelKeepsTheEdges) {
  for (unsigned run = 0; run < 20; ++run) {
    start("parallel:4");
    CUmodule module;
    CUfunction add;
    ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
    ASSERT_OK(cu.cuModuleGetFunction(&add, module, "add"));
    CUdeviceptr device = allocate(1024);
    ASSERT_OK(cu.cuMemsetD32_v2(device, 0, 256));
    ASSERT_OK(cu.cuCtxSynchronize());
    CUstream streams[] = {createStream(), createStream()};
    CUevent event = createEvent();
    int value = 1;
    void *arguments[] = {&device, &value};
    for (unsigned i = 0; i < 20; ++i) {
      EXPECT_OK(cu.cuStreamWaitEvent(streams[i % 2], event, 0));
      EXPECT_OK(cu.cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, streams[i % 2], arguments, nullptr));
      EXPECT_OK(cu.cuEventRecord(event, streams[i % 2]));
    }
    EXPECT_OK(cu.cuEventSynchronize(event));
    EXPECT_EQ(read(device, 1)[0], 20);
    EXPECT_THAT(listFindings(), IsEmpty());
  }
}

} // namespace
} // namespace lockstep::simgpu::test
