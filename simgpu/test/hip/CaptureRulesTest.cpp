// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture where HIP differs: HIP-9, HIP-10.

#include "simgpu/test/hip/HipUnderTest.h"

#include <thread>

namespace lockstep::simgpu::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class HipCaptureTest : public HipTest {
protected:
  void SetUp() override {
    HipTest::SetUp();
    origin = createStream();
    side = createStream();
  }

  void begin(hipStream_t stream, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
    EXPECT_OK(hip.hipStreamBeginCapture(stream, mode));
  }

  hipStreamCaptureStatus statusOf(hipStream_t stream) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    EXPECT_OK(hip.hipStreamIsCapturing(stream, &status));
    return status;
  }

  /// Lets `stream` come after what `other` has so far.
  void join(hipStream_t stream, hipStream_t other) {
    hipEvent_t event = createEvent();
    EXPECT_OK(hip.hipEventRecord(event, other));
    EXPECT_OK(hip.hipStreamWaitEvent(stream, event, 0));
  }

  hipError_t end(hipStream_t stream) { return hip.hipStreamEndCapture(stream, &graph); }

  /// What the call of another thread in that capture mode gives.
  hipError_t elsewhere(hipStreamCaptureMode mode, const std::function<hipError_t()> &call) {
    hipError_t result = hipErrorUnknown;
    std::thread([&] {
      EXPECT_OK(hip.hipThreadExchangeStreamCaptureMode(&mode));
      result = call();
    }).join();
    return result;
  }

  hipStream_t origin = nullptr, side = nullptr;
  hipGraph_t graph = nullptr;
};
LOCKSTEP_HIP_FIXTURE(HipCaptureRules, HipCaptureTest);

TEST_P(HipCaptureRules, HIP_9_ANestedBeginIsRefusedAndChangesNothing) {
  begin(origin);
  EXPECT_EQ(hip.hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  EXPECT_EQ(statusOf(origin), hipStreamCaptureStatusActive);
  EXPECT_OK(end(origin));
}

TEST_P(HipCaptureRules, HIP_9_AnUnjoinedCaptureGoesOn) {
  begin(origin);
  mark(origin, 'a');
  join(side, origin);
  mark(side, 'b');
  mark(origin, 'c');
  EXPECT_EQ(end(origin), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(statusOf(origin), hipStreamCaptureStatusActive);
  EXPECT_EQ(statusOf(side), hipStreamCaptureStatusActive);
  EXPECT_THAT(listRules(), ElementsAre("CAPTURE-5"));
  join(origin, side);
  EXPECT_OK(end(origin));
  EXPECT_EQ(statusOf(side), hipStreamCaptureStatusNone);
  EXPECT_EQ(order, "");
}

TEST_P(HipCaptureRules, HIP_9_ASideStreamWithoutWorkNeedsNoJoin) {
  begin(origin);
  mark(origin, 'a');
  join(side, origin);
  mark(origin, 'b');
  EXPECT_OK(end(origin));
  EXPECT_THAT(listRules(), IsEmpty());
}

TEST_P(HipCaptureRules, HIP_9_WorkBehindTheOriginsLastNodeIsUnjoined) {
  begin(origin);
  mark(origin, 'a');
  join(side, origin);
  mark(side, 'b');
  EXPECT_EQ(end(origin), hipErrorStreamCaptureUnjoined);
}

TEST_P(HipCaptureRules, HIP_9_RemovedDependenciesNeedNoJoin) {
  begin(origin);
  mark(origin, 'a');
  EXPECT_OK(hip.hipStreamUpdateCaptureDependencies(origin, nullptr, 0, hipStreamSetCaptureDependencies));
  mark(origin, 'b');
  EXPECT_OK(end(origin));
  EXPECT_THAT(listRules(), IsEmpty());
}

TEST_P(HipCaptureRules, HIP_9_ANodeThatWasAddedByHandIsALeafToo) {
  begin(origin);
  mark(origin, 'a');
  hipStreamCaptureStatus status;
  hipGraph_t captured = nullptr;
  hipGraphNode_t node = nullptr;
  EXPECT_OK(hip.hipStreamGetCaptureInfo_v2(origin, &status, nullptr, &captured, nullptr, nullptr));
  EXPECT_OK(hip.hipGraphAddEmptyNode(&node, captured, nullptr, 0));
  EXPECT_EQ(end(origin), hipErrorStreamCaptureUnjoined);
  EXPECT_OK(hip.hipStreamUpdateCaptureDependencies(origin, &node, 1, hipStreamAddCaptureDependencies));
  EXPECT_OK(end(origin));
}

TEST_P(HipCaptureRules, HIP_10_AWaitOfAnotherThreadInvalidatesGlobalCapturesUpToVersion6) {
  for (hipStreamCaptureMode mode : {hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    start("eager");
    hipStream_t captured = createStream(), unrelated = createStream();
    begin(captured);
    EXPECT_EQ(elsewhere(mode, [&] { return hip.hipStreamSynchronize(unrelated); }),
              is7() ? hipSuccess : hipErrorStreamCaptureUnsupported);
    EXPECT_EQ(end(captured), is7() ? hipSuccess : hipErrorStreamCaptureInvalidated);
    EXPECT_EQ(hip.listRules(), is7() ? std::vector<std::string>{} : std::vector<std::string>{"CAPTURE-2"});
  }
}

TEST_P(HipCaptureRules, HIP_10_OtherModesOfCaptureAreLeftAlone) {
  for (hipStreamCaptureMode mode : {hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    start("eager");
    hipStream_t captured = createStream(), unrelated = createStream();
    begin(captured, mode);
    EXPECT_OK(elsewhere(hipStreamCaptureModeGlobal, [&] { return hip.hipStreamSynchronize(unrelated); }));
    EXPECT_OK(end(captured));
  }
}

} // namespace
} // namespace lockstep::simgpu::test
