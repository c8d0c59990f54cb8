// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Captured graphs over the fake driver, which refuses the calls that a capture forbids.

#include "runtime-cuda/test/RuntimeTest.h"

#include <algorithm>
#include <thread>

using namespace lockstep::cuda;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
class CaptureTest : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    stream = mgpuStreamPoolAcquire();
    fake().clearCalls();
  }

  void TearDown() override {
    mgpuReset();
    EXPECT_THAT(fake().graphs, IsEmpty()) << "a reset leaves no graph";
    EXPECT_THAT(fake().execs, IsEmpty());
    EXPECT_THAT(fake().capturing, IsEmpty()) << "every capture is ended";
    RuntimeTest::TearDown();
  }

  template <typename Work> void capture(Work work) {
    mgpuGraphCaptureBegin(&slot, stream);
    work();
    mgpuGraphCaptureLaunch(&slot, stream);
  }

  void *slot = nullptr;
  MgpuStream stream = nullptr;
};

TEST_F(CaptureTest, Graphabi10AnExecutableIsUpdatedByTheNextCapture) {
  for (int round = 0; round < 3; ++round)
    capture([] {});
  expectOk();
  EXPECT_EQ(fake().count("cuStreamBeginCapture"), 3);
  EXPECT_EQ(fake().count("cuStreamEndCapture"), 3);
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 1);
  EXPECT_EQ(fake().count("cuGraphExecUpdate"), 2);
  EXPECT_EQ(fake().count("cuGraphLaunch"), 3);
  EXPECT_EQ(fake().graphs.size(), 1u) << "the graphs that an update was taken from are gone";
}

TEST_F(CaptureTest, Graphabi10ARefusedUpdateIsInstantiatedAnew) {
  capture([] {});
  failCall("cuGraphExecUpdate", CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  capture([] {});
  expectOk();
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 1);
  EXPECT_EQ(fake().count("cuGraphExecDestroy"), 1);
  EXPECT_EQ(fake().count("cuGraphLaunch"), 1);
}

TEST_F(CaptureTest, Graphabi10AFailureOfTheUpdateIsRecorded) {
  capture([] {});
  failCall("cuGraphExecUpdate", CUresult(700));
  capture([] {});
  EXPECT_EQ(status().code, 700);
  EXPECT_STREQ(status().function, "mgpuGraphCaptureLaunch");
  EXPECT_EQ(fake().count("cuGraphLaunch"), 0);
}

TEST_F(CaptureTest, Graphabi10AFailureInsideEndsTheCapture) {
  failCall("cuMemcpyAsync", CUDA_ERROR_INVALID_VALUE);
  char bytes[8] = {};
  capture([&] { mgpuMemcpy(bytes, bytes + 4, 4, stream); });
  EXPECT_STREQ(status().call, "cuMemcpyAsync") << "the first failure is kept";
  EXPECT_EQ(fake().count("cuStreamEndCapture"), 1);
  EXPECT_EQ(fake().count("cuGraphLaunch"), 0);
  EXPECT_THAT(fake().graphs, IsEmpty());
}

TEST_F(CaptureTest, Graphabi10AnInvalidatedCaptureIsNotLaunched) {
  failCall("cuStreamEndCapture", CUresult(901));
  capture([] {});
  EXPECT_EQ(status().code, 901);
  EXPECT_STREQ(status().call, "cuStreamEndCapture");
  EXPECT_EQ(fake().count("cuGraphLaunch"), 0);
}

TEST_F(CaptureTest, Graphabi10ACaptureThatDoesNotBeginLeavesTheSlotFree) {
  failCall("cuStreamBeginCapture", CUresult(900));
  mgpuGraphCaptureBegin(&slot, stream);
  EXPECT_STREQ(status().call, "cuStreamBeginCapture");
  mgpuReset();
  SetUp();
  capture([] {});
  expectOk();
}

TEST_F(CaptureTest, Graphabi10WithoutABeginThereIsNothingToLaunch) {
  mgpuGraphCaptureLaunch(&slot, stream);
  EXPECT_THAT(message(), HasSubstr("mgpuGraphCaptureLaunch: argument 'slot' has no capture open on this thread"));
}

TEST_F(CaptureTest, Graphabi10AnotherStreamIsRefusedButTheCaptureEnds) {
  MgpuStream other = mgpuStreamPoolAcquire();
  mgpuGraphCaptureBegin(&slot, stream);
  mgpuGraphCaptureLaunch(&slot, other);
  EXPECT_THAT(message(), HasSubstr("is not the stream on which the capture began"));
  EXPECT_THAT(fake().capturing, IsEmpty());
  EXPECT_EQ(fake().count("cuGraphLaunch"), 0);
}

TEST_F(CaptureTest, Graphabi10ResetAndReleaseEndAnOpenCapture) {
  mgpuGraphCaptureBegin(&slot, stream);
  mgpuGraphRelease(&slot);
  EXPECT_THAT(fake().capturing, IsEmpty());
  expectOk();
  mgpuGraphCaptureBegin(&slot, stream);
  mgpuReset();
  EXPECT_THAT(fake().capturing, IsEmpty());
}

TEST_F(CaptureTest, Graphabi11ForbiddenCallsAreNamed) {
  MgpuEvent event = mgpuEventPoolAcquire();
  mgpuGraphCaptureBegin(&slot, stream);
  mgpuEventSynchronize(event);
  EXPECT_STREQ(status().function, "mgpuEventSynchronize");
  EXPECT_EQ(status().code, 900);
  mgpuGraphCaptureLaunch(&slot, stream);
}

TEST_F(CaptureTest, Graphabi11PoolsWorkWhileCapturing) {
  capture([&] {
    MgpuEvent event = mgpuEventPoolAcquire();
    MgpuStream fork = mgpuStreamPoolAcquire();
    mgpuEventRecord(event, stream);
    mgpuStreamWaitEvent(fork, event);
    mgpuEventPoolRelease(event);
    mgpuStreamPoolRelease(fork);
    std::thread([&] {
      MgpuStream others = mgpuStreamPoolAcquire();
      EXPECT_NE(others, fork) << "the stream is still captured";
      mgpuStreamPoolRelease(others);
    }).join();
  });
  expectOk();
  fake().clearCalls();
  MgpuStream first = mgpuStreamPoolAcquire(), second = mgpuStreamPoolAcquire();
  EXPECT_EQ(fake().count("cuStreamCreate"), 0) << "both streams are in the pool after the capture";
  mgpuStreamPoolRelease(first);
  mgpuStreamPoolRelease(second);
  expectOk();
}

TEST_F(CaptureTest, Graphabi11HostSharedMemoryIsFreedBehindTheLaunch) {
  void *waiting = mgpuMemAlloc(8, stream, true);
  fake().eventsAreReady = false;
  mgpuMemFree(waiting, stream);
  fake().clearCalls();
  capture([&] {
    void *inside = mgpuMemAlloc(8, stream, true);
    EXPECT_NE(inside, nullptr);
    mgpuMemFree(inside, stream);
    EXPECT_EQ(fake().count("cuEventQuery"), 0) << "a query would end the capture";
    EXPECT_EQ(fake().count("cuEventRecord"), 0) << "an event recorded now could not be queried later";
  });
  expectOk();
  auto launch = std::find(fake().calls.begin(), fake().calls.end(), "cuGraphLaunch");
  EXPECT_NE(std::find(launch, fake().calls.end(), "cuEventRecord"), fake().calls.end());
  fake().eventsAreReady = true;
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(fake().managed, IsEmpty());
  expectOk();
}

TEST_F(CaptureTest, Graphabi11AStreamThatIsNotCapturedFreesAtOnce) {
  MgpuStream other = mgpuStreamPoolAcquire();
  void *memory = mgpuMemAlloc(8, other, true);
  capture([&] {
    mgpuMemFree(memory, other);
    EXPECT_EQ(fake().count("cuEventRecord"), 1);
  });
  expectOk();
}

TEST_F(CaptureTest, Graphabi11KernelsMayBeLookedUp) {
  char image[4] = {};
  MgpuModule module = mgpuModuleLoad(image, sizeof(image));
  capture([&] { EXPECT_NE(mgpuModuleGetFunction(module, "kernel"), nullptr); });
  expectOk();
}

TEST_F(CaptureTest, Graphabi11OtherThreadsAreNotConcerned) {
  MgpuEvent event = mgpuEventPoolAcquire();
  capture([&] { std::thread([&] { mgpuEventSynchronize(event); }).join(); });
  expectOk();
}

TEST_F(CaptureTest, Graphabi11CapturedHostCallsRunOnceAndAreFreed) {
  static int runs;
  runs = 0;
  fake().holdsHostFunctions = true;
  int one = 1;
  capture(
      [&] { mgpuLaunchHostFunc(stream, [](void *data) { runs += *static_cast<int *>(data); }, &one, sizeof(one)); });
  one = 0;
  mgpuReset();
  EXPECT_EQ(runs, 1) << "a reset waits for it";
}
} // namespace
