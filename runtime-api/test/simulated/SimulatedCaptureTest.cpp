// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captured graphs over the simulated driver, which forbids in a capture what the documentation forbids.

#include "runtime-api/test/simulated/SimulatedTest.h"

#include <map>
#include <thread>

using namespace lockstep::runtime::test;
using testing::Each;
using testing::HasSubstr;

namespace {
class SimulatedCaptureTest : public SimulatedTest {
protected:
  void SetUp() override {
    SimulatedTest::SetUp();
    calls.clear();
    MgpuRecorder recorder = {this, nullptr, [](void *context, const MgpuCallRecord *record) {
                               ++static_cast<SimulatedCaptureTest *>(context)->calls[record->call];
                             }};
    mgpuSetRecorder(&recorder);
    module = mgpuModuleLoad(image.data(), image.size());
    addValue = mgpuModuleGetFunction(module, "add_value");
    stream = mgpuStreamPoolAcquire();
    memory = mgpuMemAlloc(sizeof(Values), stream, false);
    mgpuMemset32(memory, 0, kCount, stream);
  }

  void TearDown() override {
    mgpuSetRecorder(nullptr);
    SimulatedTest::TearDown();
  }

  void addOn(MgpuStream on, int32_t value) { launch(addValue, on, {&memory, &value}); }

  Values read() {
    Values values{};
    mgpuMemcpy(values.data(), memory, sizeof(values), stream);
    mgpuStreamSynchronize(stream);
    return values;
  }

  void expectClean() {
    mgpuMemFree(memory, stream);
    mgpuStreamPoolRelease(stream);
    mgpuGraphRelease(&slot);
    mgpuModuleUnload(module);
    expectCleanRun();
  }

  std::map<std::string, int> calls;
  MgpuModule module = nullptr;
  MgpuFunction addValue = nullptr;
  MgpuStream stream = nullptr;
  void *memory = nullptr, *slot = nullptr;
};

TEST_P(SimulatedCaptureTest, Graphabi10ALoopIsInstantiatedOnceAndUpdated) {
  for (int32_t round = 1; round <= 4; ++round) {
    mgpuGraphCaptureBegin(&slot, stream);
    addOn(stream, round);
    mgpuGraphCaptureLaunch(&slot, stream);
  }
  EXPECT_THAT(read(), Each(10));
  EXPECT_EQ(calls[nameOf("cuGraphInstantiate", "hipGraphInstantiateWithFlags")], 1);
  EXPECT_EQ(calls[nameOf("cuGraphExecUpdate", "hipGraphExecUpdate")], 3);
  expectClean();
}

TEST_P(SimulatedCaptureTest, Graphabi10ForksAreJoined) {
  MgpuStream fork = mgpuStreamPoolAcquire();
  mgpuGraphCaptureBegin(&slot, stream);
  MgpuEvent event = mgpuEventPoolAcquire();
  addOn(stream, 1);
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(fork, event);
  mgpuEventPoolRelease(event);
  addOn(fork, 2);
  event = mgpuEventPoolAcquire();
  mgpuEventRecord(event, fork);
  mgpuStreamWaitEvent(stream, event);
  mgpuEventPoolRelease(event);
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_THAT(read(), Each(3));
  mgpuStreamPoolRelease(fork);
  expectClean();
}

TEST_P(SimulatedCaptureTest, Graphabi10AForkThatIsNotJoinedIsNamed) {
  MgpuStream fork = mgpuStreamPoolAcquire();
  mgpuGraphCaptureBegin(&slot, stream);
  MgpuEvent event = mgpuEventPoolAcquire();
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(fork, event);
  addOn(fork, 2);
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_EQ(status().code, 904);
  EXPECT_THAT(message(), HasSubstr(nameOf("mgpuGraphCaptureLaunch: cuStreamEndCapture failed",
                                          "mgpuGraphCaptureLaunch: hipStreamEndCapture failed")));
}

TEST_P(SimulatedCaptureTest, Graphabi11AGraphThatIsLaunchedInsideIsPartOfIt) {
  MgpuStream other = mgpuStreamPoolAcquire();
  void *inner = nullptr;
  auto setAndLaunch = [&](MgpuStream on, uint64_t value) {
    MgpuGraph graph = mgpuGraphBegin(&inner);
    mgpuGraphAddMemsetNode(graph, nullptr, 0, memory, sizeof(int32_t), value, kCount);
    mgpuGraphLaunch(graph, on);
  };
  mgpuStreamSynchronize(stream);
  setAndLaunch(other, 1);
  mgpuStreamSynchronize(other);
  for (int32_t round = 0; round < 3; ++round) {
    mgpuGraphCaptureBegin(&slot, stream);
    setAndLaunch(stream, 10 * round);
    addOn(stream, 5);
    mgpuGraphCaptureLaunch(&slot, stream);
    EXPECT_THAT(read(), Each(10 * round + 5));
  }
  setAndLaunch(other, 7);
  mgpuStreamSynchronize(other);
  EXPECT_THAT(read(), Each(7));
  mgpuStreamPoolRelease(other);
  mgpuGraphRelease(&inner);
  expectClean();
}

TEST_P(SimulatedCaptureTest, Graphabi11AWaitInsideIsRefusedAndNamed) {
  mgpuGraphCaptureBegin(&slot, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(status().code, 900);
  EXPECT_STREQ(status().function, "mgpuStreamSynchronize");
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_EQ(calls[nameOf("cuGraphLaunch", "hipGraphLaunch")], 0);
}

TEST_P(SimulatedCaptureTest, Graphabi11PoolsAndHostSharedMemoryWork) {
  mgpuGraphCaptureBegin(&slot, stream);
  MgpuEvent event = mgpuEventPoolAcquire();
  MgpuStream fork = mgpuStreamPoolAcquire();
  void *shared = mgpuMemAlloc(sizeof(Values), stream, true);
  mgpuMemcpy(shared, memory, sizeof(Values), stream);
  mgpuMemFree(shared, stream);
  mgpuEventPoolRelease(event);
  mgpuStreamPoolRelease(fork);
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_THAT(read(), Each(0));
  expectClean();
}

TEST_P(SimulatedCaptureTest, Graphabi11OtherThreadsAreNotConcerned) {
  mgpuGraphCaptureBegin(&slot, stream);
  std::thread([&] {
    MgpuStream other = mgpuStreamPoolAcquire();
    mgpuStreamSynchronize(other);
    mgpuStreamPoolRelease(other);
  }).join();
  addOn(stream, 5);
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_THAT(read(), Each(5));
  expectClean();
}

LOCKSTEP_UNDER_ALL_SCHEDULES(SimulatedCaptureTest);
} // namespace
