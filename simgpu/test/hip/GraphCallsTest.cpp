// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asking graphs and nodes: what was given comes back.

#include "simgpu/test/hip/HipGraphProbe.h"

#include <fstream>
#include <iterator>

namespace lockstep::simgpu::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

LOCKSTEP_HIP_FIXTURE(HipGraphCalls, HipGraphTest);

TEST_P(HipGraphCalls, EdgesAndEnds) {
  hipGraph_t graph = createGraph();
  hipGraphNode_t a = addMark(graph, 'a'), b = addMark(graph, 'b', {a}), c = addMark(graph, 'c', {a, b});
  size_t count = 0;
  EXPECT_OK(hip.hipGraphGetEdges(graph, nullptr, nullptr, &count));
  ASSERT_EQ(count, 3u);
  Nodes from(3), to(3);
  EXPECT_OK(hip.hipGraphGetEdges(graph, from.data(), to.data(), &count));
  EXPECT_THAT(from, ElementsAre(a, a, b));
  EXPECT_THAT(to, ElementsAre(b, c, c));
  Nodes ends(3);
  EXPECT_OK(hip.hipGraphNodeGetDependencies(c, ends.data(), &count));
  EXPECT_EQ(count, 2u);
  EXPECT_THAT(ends, ElementsAre(a, b, nullptr));
  count = 1;
  EXPECT_OK(hip.hipGraphNodeGetDependentNodes(a, ends.data(), &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(ends[0], b);
  EXPECT_EQ(hip.hipGraphGetEdges(graph, from.data(), nullptr, &count), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipGraphNodeGetDependencies(c, nullptr, nullptr), hipErrorInvalidValue);
}

TEST_P(HipGraphCalls, NodesOfAClone) {
  hipGraph_t graph = createGraph(), clone = nullptr;
  hipGraphNode_t node = addMark(graph, 'a'), found = nullptr, later = nullptr;
  EXPECT_OK(hip.hipGraphClone(&clone, graph));
  later = addMark(graph, 'b');
  EXPECT_OK(hip.hipGraphNodeFindInClone(&found, node, clone));
  EXPECT_NE(found, node);
  EXPECT_EQ(hip.hipGraphNodeFindInClone(&found, later, clone), hipErrorInvalidValue);
}

TEST_P(HipGraphCalls, DotText) {
  hipGraph_t graph = createGraph();
  addMark(graph, 'b', {addMark(graph, 'a')});
  std::string path = ::testing::TempDir() + "/lockstep-hip-graph.dot";
  EXPECT_OK(hip.hipGraphDebugDotPrint(graph, path.c_str(), 0));
  std::ifstream file(path);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), HasSubstr("->"));
}

TEST_P(HipGraphCalls, ParametersOfKernels) {
  void *memory = allocate(16);
  int value = 3;
  void *arguments[] = {&memory, &value};
  hipKernelNodeParams params{}, seen{};
  params.func = loadFunction("set");
  params.gridDim = {1, 1, 1};
  params.blockDim = {4, 1, 1};
  params.kernelParams = arguments;
  hipGraph_t graph = createGraph();
  hipGraphNode_t node = nullptr;
  EXPECT_OK(hip.hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  EXPECT_OK(hip.hipGraphKernelNodeGetParams(node, &seen));
  EXPECT_EQ(seen.func, params.func);
  EXPECT_EQ(seen.blockDim.x, 4u);
  EXPECT_EQ(*static_cast<int *>(seen.kernelParams[1]), 3);
  value = 4;
  EXPECT_OK(hip.hipGraphKernelNodeSetParams(node, &params));
  launch(instantiate(graph));
  EXPECT_THAT(read(memory, 4), Each(4u));
}

TEST_P(HipGraphCalls, ParametersOfFillsInTheLayoutOfTheVersion) {
  void *memory = allocate(16);
  hipGraph_t graph = createGraph();
  hipGraphNode_t node = addFill(graph, memory, 5);
  const hipMemsetParams wanted6 = {memory, 4, 1, 0, 6, 4};
  const hipMemsetParams7 wanted7 = {memory, 0, 6, 4, 4, 1};
  EXPECT_OK(hip.hipGraphMemsetNodeSetParams(node, choose(wanted6, wanted7)));
  alignas(8) char seen[sizeof(hipMemsetParams7)] = {};
  EXPECT_OK(hip.hipGraphMemsetNodeGetParams(node, reinterpret_cast<hipMemsetParamsOfVersion *>(seen)));
  if (is7()) {
    const auto &p = reinterpret_cast<const hipMemsetParams7 &>(seen);
    EXPECT_EQ(std::tuple(p.dst, p.value, p.elementSize, p.width, p.height), std::tuple(memory, 6u, 4u, 4u, 1u));
  } else {
    const auto &p = reinterpret_cast<const hipMemsetParams &>(seen);
    EXPECT_EQ(std::tuple(p.dst, p.value, p.elementSize, p.width, p.height), std::tuple(memory, 6u, 4u, 4u, 1u));
  }
  launch(instantiate(graph));
  EXPECT_THAT(read(memory, 4), Each(6u));
}

TEST_P(HipGraphCalls, ParametersOfCopies) {
  uint32_t source[4] = {1, 2, 3, 4}, other[4] = {5, 6, 7, 8};
  void *memory = allocate(16);
  hipGraph_t graph = createGraph();
  hipGraphNode_t node = nullptr;
  EXPECT_OK(hip.hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory, source, 16, hipMemcpyHostToDevice));
  hipMemcpy3DParms seen{};
  EXPECT_OK(hip.hipGraphMemcpyNodeGetParams(node, &seen));
  EXPECT_EQ(seen.srcPtr.ptr, source);
  EXPECT_EQ(seen.dstPtr.ptr, memory);
  EXPECT_EQ(seen.extent.width, 16u);
  EXPECT_EQ(seen.kind, hipMemcpyHostToDevice);
  hipGraphExec_t exec = instantiate(graph);
  launch(exec);
  EXPECT_THAT(read(memory, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_OK(hip.hipGraphExecMemcpyNodeSetParams1D(exec, node, memory, other, 16, hipMemcpyHostToDevice));
  launch(exec);
  EXPECT_THAT(read(memory, 4), ElementsAre(5, 6, 7, 8));
  EXPECT_OK(hip.hipGraphMemcpyNodeSetParams1D(node, memory, other, 8, hipMemcpyHostToDevice));
  EXPECT_OK(hip.hipGraphMemcpyNodeGetParams(node, &seen));
  EXPECT_EQ(seen.extent.width, 8u);
  EXPECT_OK(hip.hipGraphMemcpyNodeSetParams(node, &seen));
  EXPECT_EQ(hip.hipGraphMemcpyNodeSetParams1D(node, memory, other, 0, hipMemcpyHostToDevice), hipErrorInvalidValue);
}

TEST_P(HipGraphCalls, ParametersOfHostFunctionsAndEvents) {
  hipGraph_t graph = createGraph(), child = createGraph(), seenGraph = nullptr;
  hipHostNodeParams other = markFor('z'), seen{};
  hipGraphNode_t host = addMark(graph, 'a'), record = nullptr, wait = nullptr, whole = nullptr;
  EXPECT_OK(hip.hipGraphHostNodeSetParams(host, &other));
  EXPECT_OK(hip.hipGraphHostNodeGetParams(host, &seen));
  EXPECT_EQ(seen.userData, other.userData);
  hipEvent_t event = createEvent(), second = createEvent(), seenEvent = nullptr;
  EXPECT_OK(hip.hipGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
  EXPECT_OK(hip.hipGraphEventRecordNodeSetEvent(record, second));
  EXPECT_OK(hip.hipGraphEventRecordNodeGetEvent(record, &seenEvent));
  EXPECT_EQ(seenEvent, second);
  EXPECT_OK(hip.hipGraphAddEventWaitNode(&wait, graph, nullptr, 0, second));
  EXPECT_OK(hip.hipGraphEventWaitNodeSetEvent(wait, event));
  EXPECT_OK(hip.hipGraphEventWaitNodeGetEvent(wait, &seenEvent));
  EXPECT_EQ(seenEvent, event);
  EXPECT_OK(hip.hipGraphAddChildGraphNode(&whole, graph, nullptr, 0, child));
  EXPECT_OK(hip.hipGraphChildGraphNodeGetGraph(whole, &seenGraph));
  EXPECT_NE(seenGraph, child);
  EXPECT_EQ(hip.hipGraphEventWaitNodeGetEvent(host, &seenEvent), hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("GRAPH-15"));
}

TEST_P(HipGraphCalls, ParametersOfMemoryNodes) {
  hipGraph_t graph = createGraph();
  hipGraphNode_t allocation = nullptr, free = nullptr;
  hipMemAllocNodeParams params{}, seen{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location.type = hipMemLocationTypeDevice;
  params.bytesize = 32;
  EXPECT_OK(hip.hipGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params));
  EXPECT_OK(hip.hipGraphAddMemFreeNode(&free, graph, &allocation, 1, params.dptr));
  EXPECT_OK(hip.hipGraphMemAllocNodeGetParams(allocation, &seen));
  EXPECT_EQ(seen.bytesize, 32u);
  EXPECT_EQ(seen.dptr, params.dptr);
  void *address = nullptr;
  EXPECT_OK(hip.hipGraphMemFreeNodeGetParams(free, &address));
  EXPECT_EQ(address, params.dptr);
}

TEST_P(HipGraphCalls, InstantiationWithParameters) {
  hipGraph_t graph = createGraph();
  hipGraphNode_t a = addMark(graph, 'a'), b = addMark(graph, 'b', {a});
  hipGraphExec_t exec = nullptr;
  hipGraphInstantiateParams params{};
  params.flags = hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload;
  params.uploadStream = createStream();
  EXPECT_OK(hip.hipGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(params.result_out, hipGraphInstantiateSuccess);
  unsigned long long flags = 0;
  EXPECT_OK(hip.hipGraphExecGetFlags(exec, &flags));
  EXPECT_EQ(flags, hipGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_OK(hip.hipGraphAddDependencies(graph, &b, &a, 1));
  EXPECT_EQ(hip.hipGraphInstantiateWithParams(&exec, graph, &params), hipErrorInvalidValue);
  EXPECT_EQ(params.result_out, hipGraphInstantiateInvalidStructure);
  EXPECT_NE(params.errNode_out, nullptr);
  params.flags = 4; // Launches from the device.
  EXPECT_EQ(hip.hipGraphInstantiateWithParams(&exec, graph, &params), hipErrorNotSupported);
}

TEST_P(HipGraphCalls, CaptureIntoAGraphBehindANode) {
  hipGraph_t graph = createGraph(), same = nullptr;
  hipGraphNode_t node = addMark(graph, 'a');
  hipStream_t stream = createStream();
  const hipGraphEdgeData ordinary{}, other{1, {}, 0, 0};
  EXPECT_EQ(hip.hipStreamBeginCaptureToGraph(stream, graph, &node, &other, 1, hipStreamCaptureModeGlobal),
            hipErrorNotSupported);
  EXPECT_OK(hip.hipStreamBeginCaptureToGraph(stream, graph, &node, &ordinary, 1, hipStreamCaptureModeGlobal));
  mark(stream, 'b');
  EXPECT_OK(hip.hipStreamEndCapture(stream, &same));
  EXPECT_EQ(same, graph);
  launch(instantiate(graph));
  waitForAll();
  EXPECT_EQ(order, "ab");
}

TEST_P(HipGraphCalls, ExternalRecordsBecomeNodes) {
  hipStream_t stream = createStream();
  hipEvent_t event = createEvent();
  EXPECT_OK(hip.hipEventRecordWithFlags(event, stream, hipEventRecordDefault));
  EXPECT_EQ(hip.hipEventRecordWithFlags(event, stream, hipEventRecordExternal), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipEventRecordWithFlags(event, stream, 2), hipErrorInvalidValue);
  EXPECT_OK(hip.hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_OK(hip.hipEventRecordWithFlags(event, stream, hipEventRecordExternal));
  hipGraph_t graph = nullptr;
  EXPECT_OK(hip.hipStreamEndCapture(stream, &graph));
  size_t count = 0;
  EXPECT_OK(hip.hipGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u);
}

TEST_P(HipGraphCalls, UserObjectsLiveAsLongAsTheirGraph) {
  bool isGone = false;
  auto destroy = [](void *flag) { *static_cast<bool *>(flag) = true; };
  hipUserObject_t object = nullptr;
  hipGraph_t graph = createGraph();
  EXPECT_EQ(hip.hipUserObjectCreate(&object, &isGone, destroy, 1, 0), hipErrorInvalidValue);
  EXPECT_OK(hip.hipUserObjectCreate(&object, &isGone, destroy, 1, hipUserObjectNoDestructorSync));
  EXPECT_OK(hip.hipUserObjectRetain(object, 1));
  EXPECT_OK(hip.hipGraphRetainUserObject(graph, object, 2, hipGraphUserObjectMove));
  EXPECT_OK(hip.hipGraphReleaseUserObject(graph, object, 1));
  EXPECT_FALSE(isGone);
  EXPECT_OK(hip.hipGraphDestroy(graph));
  waitForAll();
  EXPECT_TRUE(isGone);
  EXPECT_EQ(hip.hipUserObjectRelease(object, 1), hipErrorInvalidValue);
}

} // namespace
} // namespace lockstep::simgpu::test
