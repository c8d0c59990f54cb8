// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules GRAPH-1 to GRAPH-4, GRAPH-8 to GRAPH-10 and GRAPH-14 to GRAPH-17: structure, launch, lifetime.

#include "simgpu/test/GraphProbe.h"

#include <fstream>
#include <set>

namespace lockstep::simgpu::test {
namespace {

using GraphRules = GraphTest;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST_F(GraphRules, GRAPH_1_ALaunchIsOrderedInItsStream) {
  auto program = [&] {
    CUgraph graph = createGraph();
    addMark(graph, 'x');
    addMark(graph, 'y');
    CUstream stream = createStream();
    mark(stream, 'a');
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), stream));
    mark(stream, 'b');
  };
  for (char inner : {'x', 'y'}) {
    expectAlwaysBefore('a', inner, program);
    expectAlwaysBefore(inner, 'b', program);
  }
}

TEST_F(GraphRules, GRAPH_1_LaunchesOfOneExecFollowEachOtherOnAnyStream) {
  for (const std::string &seen : ordersOf([&] {
         CUgraph graph = createGraph();
         addMark(graph, 'y', {addMark(graph, 'x')});
         CUgraphExec exec = instantiate(graph);
         for (unsigned i = 0; i < 3; ++i)
           EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
       }))
    EXPECT_EQ(seen, "xyxyxy");
}

TEST_F(GraphRules, GRAPH_1_TwoExecsOfOneGraphAreIndependent) {
  std::set<std::string> orders;
  for (const std::string &seen : ordersOf([&] {
         CUgraph graph = createGraph();
         addMark(graph, 'y', {addMark(graph, 'x')});
         EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
         EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
       }))
    orders.insert(seen);
  EXPECT_TRUE(orders.count("xxyy")) << "two instances never overlapped";
}

TEST_F(GraphRules, GRAPH_1_ALaunchCountsForTheLegacyStream) {
  expectAlwaysBefore('x', 'b', [&] {
    CUgraph graph = createGraph();
    addMark(graph, 'x');
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream(CU_STREAM_DEFAULT)));
    mark(nullptr, 'b');
  });
}

TEST_F(GraphRules, GRAPH_2_NodesRunInAnyOrderThatTheEdgesAllow) {
  std::set<std::string> orders;
  for (const std::string &seen : ordersOf(
           [&] {
             CUgraph graph = createGraph();
             CUgraphNode a = addMark(graph, 'a');
             CUgraphNode b = addMark(graph, 'b', {a}), c = addMark(graph, 'c', {a});
             addMark(graph, 'd', {b, c});
             EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
           },
           60))
    orders.insert(seen);
  EXPECT_EQ(orders, (std::set<std::string>{"abcd", "acbd"}));
}

TEST_F(GraphRules, GRAPH_2_LazyRunsTheNewestNodeFirst) {
  start("lazy");
  CUgraph graph = createGraph();
  for (char letter : {'a', 'b', 'c'})
    addMark(graph, letter);
  EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
  EXPECT_EQ(order, "");
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(order, "cba");
}

/// a = 1; b = copy of a; c = copy of b; a = 9; with one of the edges left out.
class MissingEdge : public GraphTest {
protected:
  static constexpr unsigned edgeCount = 4;

  unsigned resultWithout(unsigned missing, const std::string &schedule) {
    start(schedule);
    CUdeviceptr a = allocate(16), b = allocate(16), c = allocate(16);
    CUgraph graph = createGraph();
    CUgraphNode fill = addFill(graph, a, 1);
    CUgraphNode first = addCopy(graph, b, a, 16), second = addCopy(graph, c, b, 16);
    CUgraphNode again = addFill(graph, a, 9), last = addCopy(graph, b, a, 16);
    std::pair<CUgraphNode, CUgraphNode> edges[edgeCount] = {
        {fill, first}, {first, second}, {second, again}, {again, last}};
    for (unsigned i = 0; i < edgeCount; ++i)
      if (i != missing)
        EXPECT_OK(cu.cuGraphAddDependencies(graph, &edges[i].first, &edges[i].second, 1));
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
    return readWord(c) * 100 + readWord(b);
  }
};

TEST_F(MissingEdge, GRAPH_2_ShowsInSomeSchedule) {
  for (const std::string &schedule : listSchedules(40))
    EXPECT_EQ(resultWithout(edgeCount, schedule), 109u) << schedule;
  for (unsigned missing = 0; missing < edgeCount; ++missing) {
    bool isSeen = false;
    for (const std::string &schedule : listSchedules(40))
      isSeen |= resultWithout(missing, schedule) != 109;
    EXPECT_TRUE(isSeen) << "edge " << missing << " was missing and every schedule gave the right result";
  }
}

TEST_F(GraphRules, GRAPH_2_ChildGraphsKeepTheEdgesAroundThem) {
  for (const std::string &seen : ordersOf([&] {
         CUgraph inner = createGraph();
         addMark(inner, 'x');
         addMark(inner, 'y');
         CUgraph graph = createGraph();
         CUgraphNode a = addMark(graph, 'a');
         addMark(graph, 'p');
         addMark(graph, 'b', {addChild(graph, inner, {a})});
         EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
       }))
    for (char letter : {'x', 'y'})
      EXPECT_TRUE(isBefore(seen, 'a', letter) && isBefore(seen, letter, 'b')) << seen;
}

TEST_F(GraphRules, GRAPH_2_AnEmptyChildGraphStillOrders) {
  expectAlwaysBefore('a', 'b', [&] {
    CUgraph graph = createGraph();
    CUgraphNode a = addMark(graph, 'a');
    addMark(graph, 'b', {addChild(graph, createGraph(), {a})});
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
  });
}

TEST_F(GraphRules, GRAPH_3_SettersAffectOnlyLaterLaunches) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr out = allocate(16), sum = allocate(16);
    EXPECT_OK(cu.cuMemsetD32_v2(sum, 0, 4));
    CUfunction add = loadFunction("add");
    CUgraph graph = createGraph();
    CUgraphNode fill = addFill(graph, out, 1), kernel = addKernel(graph, add, sum, 1);
    CUgraphExec exec = instantiate(graph);
    CUstream stream = createStream();
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    CUDA_MEMSET_NODE_PARAMS changed = fillOf(out, 2);
    EXPECT_OK(cu.cuGraphExecMemsetNodeSetParams(exec, fill, &changed, context));
    int value = 10;
    void *arguments[] = {&sum, &value};
    CUDA_KERNEL_NODE_PARAMS ten = kernelOf(add, arguments);
    EXPECT_OK(cu.cuGraphExecKernelNodeSetParams_v2(exec, kernel, &ten));
    value = 1000; // Was copied.
    EXPECT_EQ(readWord(out), 1u) << schedule;
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_EQ(readWord(out), 2u) << schedule;
    EXPECT_EQ(readWord(sum), 11u) << schedule;
    EXPECT_OK(cu.cuGraphNodeSetEnabled(exec, kernel, 0));
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_EQ(readWord(sum), 11u) << schedule;
    // The graph is as it was: a new instance does what the first one did.
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), stream));
    EXPECT_EQ(readWord(out), 1u) << schedule;
    EXPECT_EQ(readWord(sum), 12u) << schedule;
    EXPECT_THAT(listFindings(), IsEmpty());
  }
}

TEST_F(GraphRules, GRAPH_3_ADisabledNodeStillOrders) {
  expectAlwaysBefore('a', 'b', [&] {
    CUgraph graph = createGraph();
    CUgraphNode a = addMark(graph, 'a');
    CUgraphNode fill = addFill(graph, allocate(16), 1, {a});
    addMark(graph, 'b', {fill});
    CUgraphExec exec = instantiate(graph);
    unsigned isEnabled = 9;
    EXPECT_OK(cu.cuGraphNodeGetEnabled(exec, fill, &isEnabled));
    EXPECT_EQ(isEnabled, 1u);
    EXPECT_OK(cu.cuGraphNodeSetEnabled(exec, fill, 0));
    EXPECT_OK(cu.cuGraphNodeGetEnabled(exec, fill, &isEnabled));
    EXPECT_EQ(isEnabled, 0u);
    EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  });
}

TEST_F(GraphRules, GRAPH_3_EditsOfTheGraphLeaveTheExecAlone) {
  CUdeviceptr out = allocate(16);
  CUgraph graph = createGraph();
  CUgraphNode fill = addFill(graph, out, 1);
  CUgraphExec exec = instantiate(graph);
  CUDA_MEMSET_NODE_PARAMS changed = fillOf(out, 2);
  EXPECT_OK(cu.cuGraphMemsetNodeSetParams(fill, &changed));
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(readWord(out), 1u);
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_OK(cu.cuCtxSynchronize());
}

TEST_F(GraphRules, GRAPH_4_ADestroyedExecCompletes) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr out = allocate(16);
    CUgraph graph = createGraph();
    addFill(graph, out, 5);
    CUgraphExec exec = instantiate(graph);
    EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
    EXPECT_OK(cu.cuGraphExecDestroy(exec));
    EXPECT_OK(cu.cuGraphDestroy(graph));
    EXPECT_EQ(readWord(out), 5u);
  }
}

TEST_F(GraphRules, GRAPH_8_ARecordNodeHoldsItsDependenciesAtEachLaunch) {
  auto program = [&] {
    CUevent event = createEvent();
    CUgraph graph = createGraph();
    CUgraphNode record = nullptr, a = addMark(graph, 'a');
    EXPECT_OK(cu.cuGraphAddEventRecordNode(&record, graph, &a, 1, event));
    addMark(graph, 'z', {record});
    addMark(graph, 'p');
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
    CUstream other = createStream();
    EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0));
    mark(other, 'b');
  };
  expectAlwaysBefore('a', 'b', program);
  expectSometimesAfter('z', 'b', program);
  expectSometimesAfter('p', 'b', program);
}

TEST_F(GraphRules, GRAPH_8_AWaitNodeWaitsForWhatTheEventHoldsAtTheLaunch) {
  auto program = [&] {
    CUevent event = createEvent();
    CUgraph graph = createGraph();
    CUgraphNode wait = nullptr;
    EXPECT_OK(cu.cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
    addMark(graph, 'w', {wait});
    addMark(graph, 'p');
    CUgraphExec exec = instantiate(graph);
    CUstream producer = createStream();
    mark(producer, 'a');
    EXPECT_OK(cu.cuEventRecord(event, producer));
    EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
    mark(producer, 'z');
    EXPECT_OK(cu.cuEventRecord(event, producer)); // Too late for the launch.
  };
  expectAlwaysBefore('a', 'w', program);
  expectSometimesAfter('a', 'p', program);
  expectSometimesAfter('z', 'w', program);
}

TEST_F(GraphRules, GRAPH_8_EventsOfNodesCanBeReplaced) {
  CUevent first = createEvent(), second = createEvent(), seen = nullptr;
  CUgraph graph = createGraph();
  CUgraphNode record = nullptr, wait = nullptr;
  EXPECT_OK(cu.cuGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  EXPECT_OK(cu.cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, first));
  CUgraphExec exec = instantiate(graph);
  EXPECT_OK(cu.cuGraphExecEventRecordNodeSetEvent(exec, record, second));
  EXPECT_OK(cu.cuGraphExecEventWaitNodeSetEvent(exec, wait, second));
  start("lazy"); // The handles are stale now, which is what a wrong use looks like.
  EXPECT_EQ(cu.cuGraphEventRecordNodeGetEvent(record, &seen), CUDA_ERROR_INVALID_VALUE);
  graph = createGraph();
  first = createEvent();
  second = createEvent();
  EXPECT_OK(cu.cuGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  EXPECT_OK(cu.cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, first));
  exec = instantiate(graph);
  EXPECT_OK(cu.cuGraphExecEventRecordNodeSetEvent(exec, record, second));
  EXPECT_OK(cu.cuGraphEventRecordNodeGetEvent(record, &seen));
  EXPECT_EQ(seen, first);
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(cu.cuEventQuery(second), CUDA_ERROR_NOT_READY);
  EXPECT_OK(cu.cuEventQuery(first));
  EXPECT_OK(cu.cuGraphEventWaitNodeSetEvent(wait, second));
  EXPECT_OK(cu.cuGraphEventWaitNodeGetEvent(wait, &seen));
  EXPECT_EQ(seen, second);
}

TEST_F(GraphRules, GRAPH_9_WrongEdgesAreRefusedAsAWhole) {
  CUgraph graph = createGraph(), other = createGraph();
  CUgraphNode a = addEmpty(graph), b = addEmpty(graph, {a}), c = addEmpty(graph), foreign = addEmpty(other);
  auto addEdges = [&](Nodes from, Nodes to) {
    return cu.cuGraphAddDependencies(graph, from.data(), to.data(), from.size());
  };
  EXPECT_EQ(addEdges({b, a}, {c, b}), CUDA_ERROR_INVALID_VALUE); // The second exists.
  EXPECT_EQ(addEdges({b}, {b}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(addEdges({b}, {foreign}), CUDA_ERROR_INVALID_VALUE);
  CUgraphNode twice[] = {a, a}, node = nullptr;
  EXPECT_EQ(cu.cuGraphAddEmptyNode(&node, graph, twice, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphAddEmptyNode(&node, graph, &foreign, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphRemoveDependencies(graph, &a, &c, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ::testing::Each("GRAPH-9"));
  EXPECT_EQ(listRules().size(), 6u);
  size_t count = 0;
  EXPECT_OK(cu.cuGraphGetEdges(graph, nullptr, nullptr, &count));
  EXPECT_EQ(count, 1u);
}

TEST_F(GraphRules, GRAPH_9_ACycleIsFoundAtInstantiation) {
  CUgraph graph = createGraph();
  CUgraphNode a = addEmpty(graph), b = addEmpty(graph, {a});
  EXPECT_OK(cu.cuGraphAddDependencies(graph, &b, &a, 1));
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithParams(&exec, graph, &params), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
  EXPECT_TRUE(params.hErrNode_out == a || params.hErrNode_out == b);
  CUgraphNode errorNode = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiate_v2(&exec, graph, &errorNode, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(errorNode, params.hErrNode_out);
  EXPECT_THAT(listRules(), ElementsAre("GRAPH-9", "GRAPH-9"));
  EXPECT_OK(cu.cuGraphRemoveDependencies(graph, &b, &a, 1));
  EXPECT_OK(cu.cuGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
  EXPECT_EQ(params.hErrNode_out, nullptr);
}

TEST_F(GraphRules, GRAPH_9_EdgeDataAreKeptAndNeverLost) {
  CUgraph graph = createGraph();
  CUfunction add = loadFunction("add");
  CUdeviceptr sum = allocate(16);
  CUgraphNode a = addKernel(graph, add, sum, 1), b = addKernel(graph, add, sum, 1), e = addEmpty(graph);
  CUgraphEdgeData programmatic{1, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}}, seen{};
  EXPECT_EQ(cu.cuGraphAddDependencies_v2(graph, &a, &e, &programmatic, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuGraphAddDependencies_v2(graph, &a, &b, &programmatic, 1));
  CUgraphNode from = nullptr, to = nullptr;
  size_t count = 1;
  EXPECT_EQ(cu.cuGraphGetEdges(graph, &from, &to, &count), CUDA_ERROR_LOSSY_QUERY);
  EXPECT_OK(cu.cuGraphGetEdges_v2(graph, &from, &to, &seen, &count));
  EXPECT_EQ(from, a);
  EXPECT_EQ(to, b);
  EXPECT_EQ(seen.from_port, 1);
  EXPECT_EQ(cu.cuGraphNodeGetDependencies(b, &from, &count), CUDA_ERROR_LOSSY_QUERY);
  EXPECT_EQ(cu.cuGraphNodeGetDependentNodes(a, &to, &count), CUDA_ERROR_LOSSY_QUERY);
  EXPECT_EQ(cu.cuGraphRemoveDependencies(graph, &a, &b, 1), CUDA_ERROR_INVALID_VALUE); // Other data.
  EXPECT_OK(cu.cuGraphRemoveDependencies_v2(graph, &a, &b, &programmatic, 1));
}

TEST_F(GraphRules, GRAPH_10_AnUploadIsOrderedBehindLaunchesAndItsStream) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUgraph graph = createGraph();
    addMark(graph, 'x');
    CUgraphExec exec = instantiate(graph);
    CUstream first = createStream(), second = createStream();
    CUevent launched = createEvent(), uploaded = createEvent();
    EXPECT_OK(cu.cuGraphLaunch(exec, first));
    EXPECT_OK(cu.cuEventRecord(launched, first));
    EXPECT_OK(cu.cuGraphUpload(exec, second));
    EXPECT_OK(cu.cuEventRecord(uploaded, second));
    EXPECT_OK(cu.cuEventSynchronize(uploaded));
    EXPECT_EQ(order, "x");
    float milliseconds = -1;
    EXPECT_OK(cu.cuEventSynchronize(launched));
    EXPECT_OK(cu.cuEventElapsedTime_v2(&milliseconds, launched, uploaded));
    EXPECT_GT(milliseconds, 0);
    order.clear();
  }
}

TEST_F(GraphRules, GRAPH_10_AnUploadIsOrderedBehindItsStreamAndEarlierUploads) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    order.clear();
    CUgraphExec exec = instantiate(createGraph());
    CUstream first = createStream(), second = createStream();
    CUevent uploaded = createEvent();
    mark(first, 'a');
    EXPECT_OK(cu.cuGraphUpload(exec, first));
    mark(second, 'b');
    EXPECT_OK(cu.cuGraphUpload(exec, second));
    EXPECT_OK(cu.cuEventRecord(uploaded, second));
    EXPECT_OK(cu.cuEventSynchronize(uploaded));
    EXPECT_THAT(order, UnorderedElementsAre('a', 'b'));
  }
}

TEST_F(GraphRules, GRAPH_14_ParametersAreCopiedWhenANodeIsAdded) {
  CUdeviceptr sum = allocate(16);
  EXPECT_OK(cu.cuMemsetD32_v2(sum, 0, 4));
  CUfunction add = loadFunction("add");
  CUgraph graph = createGraph();
  int value = 7;
  void *arguments[] = {&sum, &value};
  CUDA_KERNEL_NODE_PARAMS params = kernelOf(add, arguments);
  CUgraphNode node = nullptr;
  EXPECT_OK(cu.cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &params));
  value = 100;
  arguments[0] = nullptr;
  EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
  EXPECT_EQ(readWord(sum), 7u);
  CUDA_KERNEL_NODE_PARAMS kept{};
  EXPECT_OK(cu.cuGraphKernelNodeGetParams_v2(node, &kept));
  EXPECT_EQ(kept.func, add);
  EXPECT_EQ(kept.blockDimX, 4u);
  EXPECT_EQ(*static_cast<int *>(kept.kernelParams[1]), 7);
  EXPECT_OK(cu.cuGraphKernelNodeSetParams_v2(node, &kept)); // What a query gave can be given back.
}

TEST_F(GraphRules, GRAPH_14_EveryKindOfNodeGivesItsParametersBack) {
  CUdeviceptr a = allocate(64), b = allocate(64);
  CUgraph graph = createGraph();
  CUgraphNode copy = addCopy(graph, b, a, 12), fill = addFill(graph, a, 3), host = addMark(graph, 'h');
  CUDA_MEMCPY3D copied{};
  EXPECT_OK(cu.cuGraphMemcpyNodeGetParams(copy, &copied));
  EXPECT_EQ(copied.srcDevice, a);
  EXPECT_EQ(copied.WidthInBytes, 12u);
  EXPECT_OK(cu.cuGraphMemcpyNodeSetParams(copy, &copied));
  CUDA_MEMSET_NODE_PARAMS filled{};
  EXPECT_OK(cu.cuGraphMemsetNodeGetParams(fill, &filled));
  EXPECT_EQ(filled.dst, a);
  EXPECT_EQ(filled.width, 4u);
  EXPECT_EQ(filled.elementSize, 4u);
  CUDA_HOST_NODE_PARAMS called{};
  EXPECT_OK(cu.cuGraphHostNodeGetParams(host, &called));
  EXPECT_OK(cu.cuGraphHostNodeSetParams(host, &called));
  CUgraphNodeType type{};
  EXPECT_OK(cu.cuGraphNodeGetType(host, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_HOST);
  EXPECT_EQ(cu.cuGraphMemsetNodeGetParams(copy, &filled), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("argument hNode is a copy (N1), a fill is expected")));
}

TEST_F(GraphRules, GRAPH_14_CopiesOfTwoAndThreeDimensions) {
  std::vector<uint8_t> host(4 * 8 * 2), back(3 * 2 * 2);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<uint8_t>(i);
  CUdeviceptr device = allocate(host.size());
  EXPECT_OK(cu.cuMemcpyHtoD_v2(device, host.data(), host.size()));
  CUgraph graph = createGraph();
  CUDA_MEMCPY3D params{};
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  params.srcDevice = device;
  params.srcXInBytes = 2;
  params.srcY = 1;
  params.srcPitch = 8;
  params.srcHeight = 4;
  params.dstMemoryType = CU_MEMORYTYPE_HOST;
  params.dstHost = back.data();
  params.WidthInBytes = 3;
  params.Height = params.Depth = 2;
  CUgraphNode node = nullptr;
  EXPECT_OK(cu.cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &params, context));
  EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_THAT(back, ElementsAre(10, 11, 12, 18, 19, 20, 42, 43, 44, 50, 51, 52));
}

TEST_F(GraphRules, GRAPH_14_TheGenericCallAddsEveryKind) {
  CUdeviceptr a = allocate(16), b = allocate(16);
  CUgraph graph = createGraph();
  auto addNode = [&](CUgraphNodeParams &params, const Nodes &after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_OK(cu.cuGraphAddNode_v2(&node, graph, after.data(), nullptr, after.size(), &params));
    CUgraphNodeType type{};
    EXPECT_OK(cu.cuGraphNodeGetType(node, &type));
    EXPECT_EQ(type, params.type);
    return node;
  };
  CUgraphNodeParams fill{}, copy{}, host{}, empty{}, kernel{}, child{}, allocation{}, release{};
  fill.type = CU_GRAPH_NODE_TYPE_MEMSET;
  fill.memset = {a, 0, 4, 4, 4, 1, context};
  copy.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  copy.memcpy = {0, 0, context, copyOf(b, a, 16)};
  host.type = CU_GRAPH_NODE_TYPE_HOST;
  host.host = markFor('h');
  empty.type = CU_GRAPH_NODE_TYPE_EMPTY;
  kernel.type = CU_GRAPH_NODE_TYPE_KERNEL;
  int value = 2;
  void *arguments[] = {&b, &value};
  kernel.kernel = kernelOf(loadFunction("add"), arguments);
  CUgraph inner = createGraph();
  addMark(inner, 'c');
  child.type = CU_GRAPH_NODE_TYPE_GRAPH;
  child.graph = {inner, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
  allocation.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  allocation.alloc = allocationOf(16);
  CUgraphNode last = addNode(child, {addNode(kernel, {addNode(copy, {addNode(fill)})}), addNode(host), addNode(empty)});
  EXPECT_NE(child.graph.graph, inner); // The copy that the node owns.
  CUgraphNode allocated = addNode(allocation, {last});
  release.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  release.free = {allocation.alloc.dptr};
  addNode(release, {allocated});
  EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
  EXPECT_EQ(readWord(b), 6u);
  EXPECT_EQ(order, "hc");
  EXPECT_THAT(listFindings(), IsEmpty());
}

TEST_F(GraphRules, GRAPH_15_WrongHandlesAreFindings) {
  CUstream stream = createStream();
  CUgraph graph = createGraph();
  CUgraphNode node = addEmpty(graph), made = nullptr;
  CUgraphExec exec = instantiate(graph);
  EXPECT_EQ(cu.cuGraphAddEmptyNode(&made, reinterpret_cast<CUgraph>(stream), nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphLaunch(reinterpret_cast<CUgraphExec>(graph), stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroyNode(reinterpret_cast<CUgraphNode>(graph)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphNodeSetEnabled(exec, addEmpty(createGraph()), 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroyNode(node), CUDA_ERROR_INVALID_VALUE); // Went with its graph.
  EXPECT_EQ(cu.cuGraphLaunch(exec, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ::testing::Each("GRAPH-15"));
  EXPECT_THAT(listFindings(), Contains(HasSubstr("hGraph is a stream (S")));
  EXPECT_THAT(listFindings(), Contains(HasSubstr("hGraphExec is a graph (G1), an executable graph is expected")));
  EXPECT_THAT(listFindings(), Contains(HasSubstr("hNode is a node of a graph that was destroyed (N1)")));
}

TEST_F(GraphRules, GRAPH_15_LeaksAtTheEndAreFindings) {
  CUgraph graph = createGraph(), inner = createGraph();
  addChild(graph, inner);
  instantiate(graph);
  EXPECT_OK(cu.cuGraphDestroy(inner));
  cu.finish();
  EXPECT_THAT(listFindings(), ElementsAre(" : a graph was created and not destroyed (G1)",
                                          " : an executable graph was created and not destroyed (X1)"));
}

TEST_F(GraphRules, GRAPH_15_FindingsNameTheOpOfTheNode) {
  CUdeviceptr out = allocate(16);
  CUgraph graph = createGraph();
  cu.setOp("fill.mlir:3:1 memset");
  addFill(graph, out, 1);
  cu.setOp("launch.mlir:9:9 launch");
  EXPECT_OK(cu.cuMemFree_v2(out));
  EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
  EXPECT_OK(cu.cuCtxSynchronize());
  LockstepSimFinding finding{};
  ASSERT_EQ(cu.findingCount(), 1u);
  ASSERT_EQ(cu.finding(0, &finding), 0);
  EXPECT_STREQ(finding.op, "fill.mlir:3:1 memset");
  EXPECT_STREQ(finding.rule, "MEM-1");
  std::string path = ::testing::TempDir() + "/lockstep-graph-trace.txt";
  ASSERT_EQ(cu.traceWrite(path.c_str()), 0);
  std::string text((std::istreambuf_iterator<char>(std::ifstream(path).rdbuf())), {});
  EXPECT_THAT(text, HasSubstr("[device, node 1 of X1] cuGraphLaunch \"fill.mlir:3:1 memset\""));
  cu.setOp(nullptr);
}

TEST_F(GraphRules, GRAPH_16_UserObjectsGoWithTheirLastReference) {
  static int destroyed = 0;
  destroyed = 0;
  CUgraph graph = createGraph();
  CUuserObject object = nullptr;
  auto destroy = [](void *) { ++destroyed; };
  EXPECT_OK(cu.cuUserObjectCreate(&object, nullptr, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  EXPECT_OK(cu.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  EXPECT_EQ(cu.cuUserObjectRelease(object, 1), CUDA_ERROR_INVALID_VALUE); // The graph has it now.
  CUgraph clone = nullptr;
  EXPECT_OK(cu.cuGraphClone(&clone, graph));
  CUgraphExec exec = instantiate(graph);
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_OK(cu.cuGraphDestroy(clone));
  EXPECT_EQ(destroyed, 0);
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(destroyed, 1);
  EXPECT_THAT(listRules(), ElementsAre("GRAPH-16"));
}

TEST_F(GraphRules, GRAPH_16_AnExecInFlightKeepsItsReferences) {
  start("lazy");
  static int destroyed = 0;
  destroyed = 0;
  CUgraph graph = createGraph();
  addEmpty(graph);
  CUuserObject object = nullptr;
  EXPECT_OK(cu.cuUserObjectCreate(&object, nullptr, [](void *) { ++destroyed; }, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  EXPECT_OK(cu.cuGraphRetainUserObject(graph, object, 1, 0));
  EXPECT_OK(cu.cuUserObjectRelease(object, 1));
  CUgraphExec exec = instantiate(graph);
  CUstream stream = createStream();
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_EQ(destroyed, 0);
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuCtxSynchronize()); // The first made it known that the object can go.
  EXPECT_EQ(destroyed, 1);
}

TEST_F(GraphRules, ClonesAreIndependent) {
  CUdeviceptr out = allocate(16);
  CUgraph graph = createGraph(), clone = nullptr;
  CUgraphNode fill = addFill(graph, out, 1), again = nullptr, found = nullptr;
  EXPECT_OK(cu.cuGraphClone(&clone, graph));
  CUDA_MEMSET_NODE_PARAMS changed = fillOf(out, 2);
  EXPECT_OK(cu.cuGraphMemsetNodeSetParams(fill, &changed));
  EXPECT_OK(cu.cuGraphNodeFindInClone(&found, fill, clone));
  EXPECT_NE(found, fill);
  EXPECT_OK(cu.cuGraphLaunch(instantiate(clone), createStream()));
  EXPECT_EQ(readWord(out), 1u);
  EXPECT_OK(cu.cuGraphDestroyNode(found));
  EXPECT_EQ(cu.cuGraphNodeFindInClone(&again, fill, clone), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphRules, QueriesFillTheRoomTheyAreGiven) {
  CUgraph graph = createGraph();
  CUgraphNode a = addEmpty(graph), b = addEmpty(graph, {a}), c = addEmpty(graph, {a, b});
  size_t count = 0;
  EXPECT_OK(cu.cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 3u);
  CUgraphNode nodes[4] = {c, c, c, c};
  count = 4;
  EXPECT_OK(cu.cuGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(count, 3u);
  EXPECT_THAT(nodes, ElementsAre(a, b, c, nullptr));
  count = 4;
  EXPECT_OK(cu.cuGraphGetRootNodes(graph, nodes, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], a);
  count = 1;
  EXPECT_OK(cu.cuGraphNodeGetDependencies(c, nodes, &count));
  EXPECT_EQ(count, 1u);
  count = 2;
  EXPECT_OK(cu.cuGraphNodeGetDependentNodes(a, nodes, &count));
  EXPECT_THAT((Nodes{nodes[0], nodes[1]}), ElementsAre(b, c));
  EXPECT_OK(cu.cuGraphDestroyNode(b));
  EXPECT_OK(cu.cuGraphGetEdges(graph, nullptr, nullptr, &count));
  EXPECT_EQ(count, 1u);
}

TEST_F(GraphRules, DotNamesNodesAndEdges) {
  CUgraph graph = createGraph();
  addEmpty(graph, {addFill(graph, allocate(16), 1)});
  std::string path = ::testing::TempDir() + "/lockstep-graph.dot";
  EXPECT_OK(cu.cuGraphDebugDotPrint(graph, path.c_str(), CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "digraph \"G1\" {\n  \"N1\" [label=\"N1: a fill of 16 bytes\"];\n"
                  "  \"N2\" [label=\"N2: an empty node\"];\n  \"N1\" -> \"N2\";\n}\n");
  EXPECT_EQ(cu.cuGraphDebugDotPrint(graph, "/no/such/folder/x.dot", 0), CUDA_ERROR_OPERATING_SYSTEM);
}

/// Were anything of it quadratic, this would take many minutes.
TEST_F(GraphRules, TwentyThousandNodesAreNoTrouble) {
  constexpr unsigned nodeCount = 20000;
  CUgraph graph = createGraph();
  Nodes nodes;
  for (unsigned i = 0; i < nodeCount; ++i)
    nodes.push_back(addEmpty(graph));
  addMark(graph, 'j', nodes);
  CUgraphExec exec = instantiate(graph);
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_OK(cu.cuGraphExecUpdate_v2(exec, graph, nullptr));
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_EQ(order, "jj");
}

} // namespace
} // namespace lockstep::simgpu::test
