// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules CAPTURE-1 to CAPTURE-17 and HOSTFN-4: stream capture.

#include "simgpu/test/GraphProbe.h"

#include <thread>

namespace lockstep::simgpu::test {
namespace {

class CaptureRules : public GraphTest {
protected:
  void begin(CUstream stream, CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    EXPECT_OK(cu.cuStreamBeginCapture_v2(stream, mode));
  }

  CUgraph end(CUstream stream, CUresult expected = CUDA_SUCCESS) {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuStreamEndCapture(stream, &graph), expected);
    EXPECT_EQ(graph != nullptr, expected == CUDA_SUCCESS);
    return graph;
  }

  /// Ends a capture that must have been invalidated.
  void endInvalidated(CUstream stream) {
    EXPECT_EQ(statusOf(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    end(stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(statusOf(stream), CU_STREAM_CAPTURE_STATUS_NONE);
  }

  CUstreamCaptureStatus statusOf(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    EXPECT_OK(cu.cuStreamIsCapturing(stream, &status));
    return status;
  }

  void launch(CUgraph graph, CUstream stream) {
    CUgraphExec exec = instantiate(graph);
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
    EXPECT_OK(cu.cuGraphExecDestroy(exec));
    EXPECT_OK(cu.cuGraphDestroy(graph));
  }

  /// Makes `joining` take part in the capture of `captured`.
  CUevent fork(CUstream captured, CUstream joining) {
    CUevent event = createEvent();
    EXPECT_OK(cu.cuEventRecord(event, captured));
    EXPECT_OK(cu.cuStreamWaitEvent(joining, event, 0));
    return event;
  }

  size_t nodeCount(CUgraph graph) {
    size_t count = 0;
    EXPECT_OK(cu.cuGraphGetNodes(graph, nullptr, &count));
    return count;
  }

  /// Runs `body` on a thread of its own, with the same context.
  template <typename Body> void onOtherThread(Body body) {
    std::thread thread([&] {
      EXPECT_OK(cu.cuCtxSetCurrent(context));
      body();
    });
    thread.join();
  }
};

TEST_F(CaptureRules, CAPTURE_1_TheLegacyStreamAndASecondBeginAreRefused) {
  EXPECT_EQ(cu.cuStreamBeginCapture_v2(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUstream stream = createStream();
  EXPECT_EQ(cu.cuStreamBeginCapture_v2(stream, static_cast<CUstreamCaptureMode>(3)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuStreamBeginCapture(stream));
  EXPECT_EQ(cu.cuStreamBeginCapture(stream), CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(nodeCount(end(stream)), 0u);
}

TEST_F(CaptureRules, CAPTURE_2_CallsThatWaitAndAskInvalidate) {
  CUstream stream = createStream();
  CUstream other = createStream();
  CUevent event = createEvent();
  CUdeviceptr memory = allocate(16);
  CUdeviceptr more = 0;
  char bytes[16] = {};
  std::vector<std::function<CUresult()>> calls = {
      [&] { return cu.cuStreamSynchronize(stream); },
      [&] { return cu.cuStreamQuery(stream); },
      [&] { return cu.cuStreamSynchronize(other); },
      [&] { return cu.cuEventSynchronize(event); },
      [&] { return cu.cuEventQuery(event); },
      [&] { return cu.cuCtxSynchronize(); },
      [&] { return cu.cuMemAlloc_v2(&more, 16); },
      [&] { return cu.cuMemFree_v2(memory); },
      [&] { return cu.cuMemcpyHtoD_v2(memory, bytes, 16); },
      [&] { return cu.cuMemsetD8_v2(memory, 0, 16); },
      [&] { return cu.cuMemHostRegister_v2(bytes, 16, 0); },
      [&] { return cu.cuStreamAddCallback(stream, [](CUstream, CUresult, void *) {}, nullptr, 0); },
      [&] {
        CUmodule module = nullptr;
        return cu.cuModuleLoadData(&module, testModule().data());
      },
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    begin(stream);
    EXPECT_EQ(calls[i](), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    endInvalidated(stream);
  }
  EXPECT_OK(cu.cuMemFree_v2(memory));
}

TEST_F(CaptureRules, CAPTURE_2_CreatingIsAllowed) {
  CUstream stream = createStream();
  begin(stream);
  createStream();
  createEvent();
  mark(stream, 'a');
  launch(end(stream), stream);
  EXPECT_EQ(order, "a");
}

TEST_F(CaptureRules, CAPTURE_3_AWaitThatJoinsTwoCaptures) {
  CUstream one = createStream(), two = createStream();
  CUevent event = createEvent();
  begin(one);
  begin(two);
  EXPECT_OK(cu.cuEventRecord(event, one));
  EXPECT_EQ(cu.cuStreamWaitEvent(two, event, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
  endInvalidated(one);
  endInvalidated(two);
}

TEST_F(CaptureRules, CAPTURE_4_OnlyTheOriginEnds) {
  CUstream origin = createStream(), joined = createStream();
  CUgraph graph = nullptr;
  EXPECT_EQ(cu.cuStreamEndCapture(origin, &graph), CUDA_ERROR_ILLEGAL_STATE);
  begin(origin);
  fork(origin, joined);
  EXPECT_EQ(cu.cuStreamEndCapture(joined, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  end(origin);
}

TEST_F(CaptureRules, CAPTURE_5_WorkThatIsNotJoined) {
  CUstream origin = createStream(), joined = createStream();
  begin(origin);
  fork(origin, joined);
  mark(joined, 'a');
  end(origin, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  EXPECT_EQ(statusOf(joined), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(CaptureRules, CAPTURE_5_AStreamWithoutWorkOfItsOwnIsJoined) {
  CUstream origin = createStream(), joined = createStream();
  begin(origin);
  mark(origin, 'a');
  fork(origin, joined);
  EXPECT_EQ(nodeCount(end(origin)), 1u);
}

TEST_F(CaptureRules, CAPTURE_5_DependencySetsCutNothingOff) {
  CUstream origin = createStream(), joined = createStream();
  begin(origin);
  fork(origin, joined);
  mark(joined, 'a');
  // The stream is told to come after nothing: what it did needs no join any more.
  EXPECT_OK(cu.cuStreamUpdateCaptureDependencies(joined, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  EXPECT_EQ(nodeCount(end(origin)), 1u);
}

TEST_F(CaptureRules, CAPTURE_5_EditsOfTheGraphCutNothingOff) {
  expectSometimesAfter('b', 'c', [&] {
    CUstream origin = createStream(), joined = createStream();
    begin(origin);
    mark(origin, 'a');
    fork(origin, joined);
    mark(joined, 'b');
    fork(joined, origin);
    mark(origin, 'c');
    CUstreamCaptureStatus status{};
    CUgraph graph = nullptr;
    EXPECT_OK(cu.cuStreamGetCaptureInfo_v2(origin, &status, nullptr, &graph, nullptr, nullptr));
    CUgraphNode nodes[3] = {};
    size_t count = 3;
    EXPECT_OK(cu.cuGraphGetNodes(graph, nodes, &count));
    EXPECT_OK(cu.cuGraphRemoveDependencies(graph, &nodes[1], &nodes[2], 1));
    EXPECT_OK(cu.cuGraphLaunch(instantiate(end(origin)), origin)); // It was joined when it was captured.
  });
}

TEST_F(CaptureRules, CAPTURE_6_NoEdgeCrossesTheBoundary) {
  CUstream stream = createStream(), outside = createStream();
  CUevent event = createEvent();
  EXPECT_OK(cu.cuEventRecord(event, outside));
  begin(stream);
  EXPECT_EQ(cu.cuStreamWaitEvent(stream, event, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  endInvalidated(stream);
  begin(stream);
  EXPECT_OK(cu.cuEventRecord(event, stream));
  CUgraph graph = end(stream);
  EXPECT_EQ(cu.cuStreamWaitEvent(outside, event, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  EXPECT_OK(cu.cuGraphDestroy(graph));
}

TEST_F(CaptureRules, CAPTURE_6_AnUnrecordedEventIsNoWork) {
  CUstream stream = createStream();
  begin(stream);
  EXPECT_OK(cu.cuStreamWaitEvent(stream, createEvent(), 0));
  EXPECT_EQ(nodeCount(end(stream)), 0u);
}

TEST_F(CaptureRules, CAPTURE_6_EarlierWorkOfTheStreamStaysOutside) {
  // Only in-stream order crosses: the launch comes after what the stream did before.
  expectAlwaysBefore('a', 'b', [&] {
    CUstream stream = createStream();
    mark(stream, 'a');
    begin(stream);
    mark(stream, 'b');
    CUgraph graph = end(stream);
    CUgraphExec exec = instantiate(graph);
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  });
}

TEST_F(CaptureRules, CAPTURE_7_TheLegacyStreamBesideABlockingCapture) {
  CUstream blocking = createStream(CU_STREAM_DEFAULT);
  CUdeviceptr memory = allocate(16);
  begin(blocking);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  EXPECT_EQ(cu.cuStreamIsCapturing(nullptr, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(statusOf(blocking), CU_STREAM_CAPTURE_STATUS_ACTIVE) << "the query alone invalidates nothing";
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 0, 16, nullptr), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  endInvalidated(blocking);
  begin(blocking);
  CUevent event = createEvent();
  EXPECT_OK(cu.cuEventRecord(event, blocking));
  EXPECT_EQ(cu.cuStreamWaitEvent(nullptr, event, 0), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  endInvalidated(blocking);
  CUstream free = createStream();
  begin(free);
  EXPECT_OK(cu.cuMemsetD8Async(memory, 0, 16, nullptr)) << "a non-blocking stream does not concern the legacy one";
  end(free);
}

TEST_F(CaptureRules, CAPTURE_8_ACapturedEventHoldsNoWork) {
  CUstream stream = createStream();
  CUevent event = createEvent(), other = createEvent();
  EXPECT_OK(cu.cuEventRecord(other, stream));
  for (CUstreamCaptureMode mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
    begin(stream, mode);
    EXPECT_OK(cu.cuEventRecord(event, stream));
    EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_CAPTURED_EVENT);
    EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_ERROR_CAPTURED_EVENT);
    float milliseconds = 0;
    EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, other, event), CUDA_ERROR_CAPTURED_EVENT);
    EXPECT_OK(cu.cuGraphDestroy(end(stream)));
  }
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuEventSynchronize(event)) << "a record outside of a capture makes it an ordinary event again";
}

TEST_F(CaptureRules, CAPTURE_9_AnotherThreadEndsRelaxedCapturesOnly) {
  CUstream stream = createStream();
  begin(stream);
  onOtherThread([&] { end(stream, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD); });
  EXPECT_OK(cu.cuGraphDestroy(end(stream)));
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  onOtherThread([&] { EXPECT_OK(cu.cuGraphDestroy(end(stream))); });
}

TEST_F(CaptureRules, CAPTURE_10_QueriesTellWhatIsCaptured) {
  CUstream stream = createStream();
  begin(stream);
  mark(stream, 'a');
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0, same = 0;
  CUgraph graph = nullptr;
  const CUgraphNode *nodes = nullptr;
  const CUgraphEdgeData *data = nullptr;
  size_t count = 0;
  EXPECT_OK(cu.cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_EQ(count, 1u);
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  EXPECT_OK(cu.cuGraphNodeGetType(nodes[0], &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_HOST);
  EXPECT_OK(cu.cuStreamGetCaptureInfo(stream, &status, &same));
  EXPECT_EQ(id, same);
  EXPECT_NE(id, 0u);
  CUgraphNode node = nodes[0];
  EXPECT_EQ(end(stream), graph);
  CUstream other = createStream();
  EXPECT_OK(cu.cuStreamGetCaptureInfo_v3(other, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  // Edge data that would be lost.
  CUfunction function = loadFunction("set");
  CUgraphNode kernel = addKernel(graph, function, allocate(16), 1, {node});
  CUgraphEdgeData programmatic{1, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}};
  EXPECT_OK(cu.cuStreamBeginCaptureToGraph(other, graph, &kernel, &programmatic, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_EQ(cu.cuStreamGetCaptureInfo_v2(other, &status, &id, &graph, &nodes, &count), CUDA_ERROR_LOSSY_QUERY);
  EXPECT_OK(cu.cuStreamGetCaptureInfo_v3(other, &status, &id, &graph, &nodes, &data, &count));
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], kernel);
  EXPECT_EQ(data[0].from_port, 1);
  end(other);
}

TEST_F(CaptureRules, CAPTURE_11_DependenciesAreAddedAndReplaced) {
  CUstream stream = createStream();
  CUgraphNode none = nullptr;
  EXPECT_EQ(cu.cuStreamUpdateCaptureDependencies(stream, &none, 0, 0), CUDA_ERROR_ILLEGAL_STATE);
  expectSometimesAfter('a', 'b', [&] {
    CUstream stream = createStream();
    begin(stream);
    mark(stream, 'a');
    EXPECT_OK(cu.cuStreamUpdateCaptureDependencies(stream, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    mark(stream, 'b');
    EXPECT_OK(cu.cuGraphLaunch(instantiate(end(stream)), stream));
  });
  expectAlwaysBefore('a', 'b', [&] {
    CUgraph graph = createGraph();
    CUgraphNode first = addMark(graph, 'a');
    CUstream stream = createStream();
    EXPECT_OK(cu.cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    mark(stream, 'c');
    EXPECT_OK(cu.cuStreamUpdateCaptureDependencies(stream, &first, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    mark(stream, 'b');
    EXPECT_EQ(end(stream), graph);
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), stream));
  });
}

TEST_F(CaptureRules, CAPTURE_12_AStreamThatIsDestroyedInvalidates) {
  CUstream origin = createStream(), joined = createStream();
  begin(origin);
  fork(origin, joined);
  EXPECT_OK(cu.cuStreamDestroy_v2(joined));
  EXPECT_THAT(listRules(), ::testing::ElementsAre("CAPTURE-12"));
  endInvalidated(origin);
  begin(origin);
  mark(origin, 'a');
  EXPECT_OK(cu.cuStreamDestroy_v2(origin));
  CUdeviceptr memory = 0;
  EXPECT_OK(cu.cuMemAlloc_v2(&memory, 16)) << "nothing is captured any more";
}

TEST_F(CaptureRules, CAPTURE_13_AllocationsBecomeNodes) {
  CUstream stream = createStream();
  CUdeviceptr outside = 0, inside = 0;
  EXPECT_OK(cu.cuMemAllocAsync(&outside, 16, stream));
  begin(stream);
  EXPECT_EQ(cu.cuMemFreeAsync(outside, stream), CUDA_ERROR_INVALID_VALUE) << "no memory of a graph";
  EXPECT_OK(cu.cuMemAllocAsync(&inside, 16, stream));
  EXPECT_OK(cu.cuMemsetD32Async(inside, 7, 4, stream));
  std::vector<unsigned> words(4);
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(words.data(), inside, 16, stream));
  EXPECT_OK(cu.cuMemFreeAsync(inside, stream));
  CUgraph graph = end(stream);
  EXPECT_EQ(nodeCount(graph), 4u);
  CUgraphExec exec = instantiate(graph);
  for (unsigned round = 0; round < 2; ++round) {
    words.assign(4, 0);
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_OK(cu.cuStreamSynchronize(stream));
    EXPECT_THAT(words, ::testing::Each(7u));
  }
}

TEST_F(CaptureRules, CAPTURE_14_AGraphThatIsCapturedIntoIsInUse) {
  CUgraph graph = createGraph();
  CUstream stream = createStream();
  EXPECT_OK(cu.cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
  CUstream other = createStream();
  EXPECT_EQ(cu.cuStreamBeginCaptureToGraph(other, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_INVALID_VALUE);
  end(stream);
  EXPECT_OK(cu.cuGraphDestroy(graph));
}

TEST_F(CaptureRules, CAPTURE_14_NodesOfACaptureThatEndedAreOrdinaryNodes) {
  CUstream stream = createStream();
  begin(stream);
  mark(stream, 'a');
  mark(stream, 'b');
  CUgraph graph = end(stream);
  CUgraphNode nodes[2] = {};
  size_t count = 2;
  EXPECT_OK(cu.cuGraphGetNodes(graph, nodes, &count));
  EXPECT_OK(cu.cuGraphDestroyNode(nodes[0]));
  // What the second node came after is gone, which a later capture into the graph must not ask for.
  EXPECT_OK(cu.cuStreamBeginCaptureToGraph(stream, graph, &nodes[1], nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  mark(stream, 'c');
  EXPECT_EQ(end(stream), graph);
  launch(graph, stream);
  EXPECT_EQ(order, "bc");
}

TEST_F(CaptureRules, CAPTURE_15_AnInvalidatedCaptureTakesNothing) {
  CUstream stream = createStream(), joined = createStream();
  CUdeviceptr memory = allocate(16);
  begin(stream);
  CUevent event = fork(stream, joined);
  EXPECT_EQ(cu.cuStreamSynchronize(joined), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(cu.cuMemsetD8Async(memory, 0, 16, stream), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(cu.cuEventRecord(event, joined), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(cu.cuStreamWaitEvent(createStream(), event, 0), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  endInvalidated(stream);
  EXPECT_OK(cu.cuMemsetD8Async(memory, 0, 16, joined)) << "the end sets all streams free";
}

TEST_F(CaptureRules, CAPTURE_16_ModesOfThreadsAndCaptures) {
  CUstream stream = createStream();
  CUdeviceptr memory = 0;
  auto allocateIn = [&](CUstreamCaptureMode mode) {
    EXPECT_OK(cu.cuThreadExchangeStreamCaptureMode(&mode));
    CUresult result = cu.cuMemAlloc_v2(&memory, 16);
    EXPECT_OK(cu.cuThreadExchangeStreamCaptureMode(&mode));
    return result;
  };
  struct Case {
    CUstreamCaptureMode capture, thread;
    bool ownThread, otherThread; ///< Whether the call is refused.
  };
  constexpr auto global = CU_STREAM_CAPTURE_MODE_GLOBAL, local = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
                 relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
  for (const Case &one :
       {Case{global, global, true, true}, Case{global, local, true, false}, Case{global, relaxed, false, false},
        Case{local, global, true, false}, Case{local, local, true, false}, Case{local, relaxed, false, false},
        Case{relaxed, global, false, false}, Case{relaxed, local, false, false}}) {
    SCOPED_TRACE(testing::Message() << "capture " << one.capture << ", thread " << one.thread);
    for (bool isOther : {false, true}) {
      bool isRefused = isOther ? one.otherThread : one.ownThread;
      begin(stream, one.capture);
      CUresult result = CUDA_SUCCESS;
      if (isOther)
        onOtherThread([&] { result = allocateIn(one.thread); });
      else
        result = allocateIn(one.thread);
      EXPECT_EQ(result, isRefused ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS)
          << "other thread: " << isOther;
      if (isRefused)
        endInvalidated(stream);
      else
        EXPECT_OK(cu.cuGraphDestroy(end(stream)));
    }
  }
  CUstreamCaptureMode mode = relaxed;
  EXPECT_OK(cu.cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, global) << "the mode that a thread begins with";
}

TEST_F(CaptureRules, CAPTURE_17_ForksAndJoinsBecomeEdges) {
  auto capture = [&] {
    CUstream one = createStream(), two = createStream();
    begin(one);
    mark(one, 'a');
    fork(one, two);
    mark(one, 'b');
    mark(two, 'c');
    fork(two, one);
    mark(one, 'd');
    CUgraph graph = end(one);
    EXPECT_EQ(nodeCount(graph), 4u);
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), one));
  };
  for (auto [first, second] : {std::pair{'a', 'b'}, {'a', 'c'}, {'b', 'd'}, {'c', 'd'}})
    expectAlwaysBefore(first, second, capture);
  expectSometimesAfter('b', 'c', capture);
}

TEST_F(CaptureRules, CAPTURE_17_NothingRunsBeforeTheLaunch) {
  for (const std::string &schedule : listSchedules(5)) {
    start(schedule);
    order.clear();
    CUstream stream = createStream();
    begin(stream);
    mark(stream, 'a');
    CUgraph graph = end(stream);
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_EQ(order, "");
    launch(graph, stream);
    EXPECT_EQ(order, "a");
  }
}

TEST_F(CaptureRules, CAPTURE_17_ArgumentsAreCopiedAtTheCall) {
  CUfunction function = loadFunction("set");
  CUstream stream = createStream();
  CUdeviceptr memory = allocate(16);
  int value = 5;
  void *arguments[] = {&memory, &value};
  begin(stream);
  EXPECT_OK(cu.cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, arguments, nullptr));
  value = 6;
  launch(end(stream), stream);
  EXPECT_EQ(readWord(memory), 5u);
}

TEST_F(CaptureRules, CAPTURE_17_ALaunchBecomesAChildGraph) {
  expectAlwaysBefore('a', 'b', [&] {
    CUgraph inner = createGraph();
    addMark(inner, 'a');
    CUgraphExec exec = instantiate(inner);
    CUstream stream = createStream();
    begin(stream);
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    mark(stream, 'b');
    CUgraph graph = end(stream);
    EXPECT_EQ(nodeCount(graph), 2u);
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), stream));
  });
}

TEST_F(CaptureRules, CAPTURE_17_ExternalEventsBecomeNodes) {
  CUstream stream = createStream();
  CUevent event = createEvent();
  begin(stream);
  EXPECT_OK(cu.cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
  EXPECT_OK(cu.cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
  CUgraph graph = end(stream);
  EXPECT_EQ(nodeCount(graph), 2u);
  EXPECT_OK(cu.cuEventSynchronize(event)) << "the event is no captured one";
  launch(graph, stream);
}

TEST_F(CaptureRules, CAPTURE_17_ACapturedGraphUpdatesAnother) {
  CUstream stream = createStream();
  CUdeviceptr memory = allocate(16);
  CUgraphExec exec = nullptr;
  for (unsigned value : {3u, 4u}) {
    begin(stream);
    EXPECT_OK(cu.cuMemsetD32Async(memory, value, 4, stream));
    CUgraph graph = end(stream);
    CUgraphExecUpdateResultInfo info{};
    if (exec)
      EXPECT_OK(cu.cuGraphExecUpdate_v2(exec, graph, &info));
    else
      exec = instantiate(graph);
    EXPECT_OK(cu.cuGraphDestroy(graph));
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_EQ(readWord(memory), value);
  }
}

TEST_F(CaptureRules, HOSTFN_4_AHostFunctionBecomesANode) {
  CUstream stream = createStream();
  begin(stream);
  mark(stream, 'a');
  CUgraph graph = end(stream);
  size_t count = 1;
  CUgraphNode node = nullptr;
  EXPECT_OK(cu.cuGraphGetNodes(graph, &node, &count));
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  EXPECT_OK(cu.cuGraphNodeGetType(node, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_HOST);
}

TEST_F(CaptureRules, HOSTFN_4_ACallbackCannotBeCaptured) {
  CUstream stream = createStream();
  begin(stream);
  EXPECT_EQ(cu.cuStreamAddCallback(
                stream, [](CUstream, CUresult, void *) {}, nullptr, 0),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  endInvalidated(stream);
}

TEST_F(CaptureRules, CAPTURE_17_ACaptureThatIsNotEndedIsALeak) {
  begin(createStream());
  cu.finish();
  EXPECT_THAT(listFindings(), ::testing::Contains(::testing::HasSubstr("capture 1 was begun and not ended")));
}

} // namespace
} // namespace lockstep::simgpu::test
