// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules GRAPH-11 to GRAPH-13: update of an executable graph, and the limits of its parameters.

#include "simgpu/test/GraphProbe.h"

namespace lockstep::simgpu::test {
namespace {

class GraphUpdateRules : public GraphTest {
protected:
  CUgraphExecUpdateResultInfo update(CUgraphExec exec, CUgraph graph) {
    CUgraphExecUpdateResultInfo info{};
    CUresult result = cu.cuGraphExecUpdate_v2(exec, graph, &info);
    EXPECT_EQ(result,
              info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    return info;
  }
};

using ::testing::Each;
using ::testing::IsEmpty;

TEST_F(GraphUpdateRules, GRAPH_11_ParametersComeFromTheNodeAtTheSamePlace) {
  CUdeviceptr a = allocate(16), b = allocate(16);
  auto build = [&](unsigned first, unsigned second) {
    CUgraph graph = createGraph();
    addCopy(graph, b, a, 16, {addFill(graph, a, second, {addFill(graph, a, first)})});
    return graph;
  };
  CUgraphExec exec = instantiate(build(1, 2));
  CUgraph wanted = build(3, 4);
  EXPECT_EQ(update(exec, wanted).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_OK(cu.cuGraphDestroy(wanted));
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(readWord(b), 4u);
  EXPECT_THAT(listFindings(), IsEmpty());
}

TEST_F(GraphUpdateRules, GRAPH_11_ALaunchInFlightKeepsItsParameters) {
  start("lazy");
  CUdeviceptr a = allocate(16);
  CUgraph graph = createGraph(), other = createGraph();
  addFill(graph, a, 1);
  addFill(other, a, 2);
  CUgraphExec exec = instantiate(graph);
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(update(exec, other).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_EQ(readWord(a), 1u);
}

TEST_F(GraphUpdateRules, GRAPH_11_TopologyIsComparedInCountsAndEdges) {
  CUgraph graph = createGraph();
  CUgraphNode a = addEmpty(graph), b = addEmpty(graph, {a}), c = addEmpty(graph, {a});
  addEmpty(graph, {b, c});
  CUgraphExec exec = instantiate(graph);

  CUgraph fewer = createGraph();
  addEmpty(fewer);
  CUgraphExecUpdateResultInfo info = update(exec, fewer);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_EQ(info.errorNode, nullptr);

  CUgraph sinks = createGraph();
  CUgraphNode s1 = addEmpty(sinks), s2 = addEmpty(sinks, {s1}), s3 = addEmpty(sinks, {s1}), s4 = addEmpty(sinks, {s1});
  info = update(exec, sinks);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_TRUE(info.errorNode == s2 || info.errorNode == s3 || info.errorNode == s4);

  CUgraph counts = createGraph();
  CUgraphNode n1 = addEmpty(counts), n2 = addEmpty(counts, {n1}), n3 = addEmpty(counts, {n1, n2});
  addEmpty(counts, {n2, n3});
  info = update(exec, counts);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_EQ(info.errorNode, n3);
  EXPECT_EQ(info.errorFromNode, nullptr);

  CUgraph identity = createGraph();
  CUgraphNode i1 = addEmpty(identity), i2 = addEmpty(identity), i3 = addEmpty(identity, {i1});
  addEmpty(identity, {i3, i2}); // i2 has no dependency where one is wanted.
  EXPECT_EQ(update(exec, identity).errorNode, i2);

  CUgraphNode node = nullptr;
  CUgraphExecUpdateResult result{};
  EXPECT_EQ(cu.cuGraphExecUpdate(exec, counts, &node, &result), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(node, n3);
  EXPECT_EQ(result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(GraphUpdateRules, GRAPH_11_ADependencyPairedOtherwiseNamesTheEdge) {
  // Two roots, and two sinks that depend on both of them: in the instance in the same order, in the graph not.
  auto build = [&](bool isCrossed, Nodes &sinks, Nodes &roots) {
    CUgraph graph = createGraph();
    roots = {addEmpty(graph), addEmpty(graph)};
    sinks = {addEmpty(graph, roots)};
    sinks.push_back(addEmpty(graph, isCrossed ? Nodes{roots[1], roots[0]} : roots));
    return graph;
  };
  Nodes sinks, roots;
  CUgraphExec exec = instantiate(build(false, sinks, roots));
  EXPECT_EQ(update(exec, build(false, sinks, roots)).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CUgraphExecUpdateResultInfo info = update(exec, build(true, sinks, roots));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_TRUE(info.errorNode == sinks[0] || info.errorNode == sinks[1]);
  EXPECT_TRUE(info.errorFromNode == roots[0] || info.errorFromNode == roots[1]);
}

TEST_F(GraphUpdateRules, GRAPH_11_AFailedUpdateChangesNothing) {
  CUdeviceptr a = allocate(16), b = allocate(16);
  CUgraph graph = createGraph(), other = createGraph();
  addMark(graph, 'h', {addFill(graph, a, 1)});
  addFill(graph, b, 1);
  addMark(other, 'h', {addFill(other, a, 2)});
  CUgraphNode wrong = addCopy(other, b, a, 16); // A fill was here.
  CUgraphExec exec = instantiate(graph);
  CUgraphExecUpdateResultInfo info = update(exec, other);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
  EXPECT_EQ(info.errorNode, wrong);
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(readWord(a), 1u);
  EXPECT_EQ(readWord(b), 1u);
}

TEST_F(GraphUpdateRules, GRAPH_11_ChildGraphsAreUpdatedToo) {
  CUdeviceptr a = allocate(16);
  auto build = [&](unsigned value) {
    CUgraph inner = createGraph(), graph = createGraph();
    addFill(inner, a, value);
    addChild(graph, inner);
    return graph;
  };
  CUgraph graph = build(1);
  CUgraphExec exec = instantiate(graph);
  EXPECT_EQ(update(exec, build(2)).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(readWord(a), 2u);
  CUgraphNode node = nullptr;
  size_t count = 1;
  EXPECT_OK(cu.cuGraphGetNodes(graph, &node, &count));
  CUgraph replacement = createGraph();
  addFill(replacement, a, 3);
  EXPECT_OK(cu.cuGraphExecChildGraphNodeSetParams(exec, node, replacement));
  EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
  EXPECT_EQ(readWord(a), 3u);
  EXPECT_EQ(cu.cuGraphExecChildGraphNodeSetParams(exec, node, createGraph()), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphUpdateRules, GRAPH_12_MemoryKeepsItsKindAndItsContext) {
  CUdeviceptr a = allocate(16), b = allocate(16), pooled = 0;
  CUstream stream = createStream();
  EXPECT_OK(cu.cuMemAllocAsync(&pooled, 16, stream));
  EXPECT_OK(cu.cuCtxSynchronize());
  void *pinned = nullptr;
  EXPECT_OK(cu.cuMemAllocHost_v2(&pinned, 16));
  CUgraph graph = createGraph();
  CUgraphNode copy = addCopy(graph, b, a, 16), fill = addFill(graph, a, 1);
  CUgraphExec exec = instantiate(graph);
  CUDA_MEMCPY3D wrong[] = {copyOf(b, pooled, 16), copyOf(b, reinterpret_cast<CUdeviceptr>(pinned), 16),
                           copyOf(b, a, 8)};
  wrong[2].Height = 2;
  for (const CUDA_MEMCPY3D &params : wrong)
    EXPECT_EQ(cu.cuGraphExecMemcpyNodeSetParams(exec, copy, &params, context), CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMSET_NODE_PARAMS elsewhere = fillOf(reinterpret_cast<CUdeviceptr>(pinned), 1);
  EXPECT_EQ(cu.cuGraphExecMemsetNodeSetParams(exec, fill, &elsewhere, context), CUDA_ERROR_INVALID_VALUE);
  CUDA_HOST_NODE_PARAMS host = markFor('h');
  EXPECT_EQ(cu.cuGraphExecHostNodeSetParams(exec, fill, &host), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), Each("GRAPH-12"));
  CUDA_MEMCPY3D right = copyOf(a, b, 8);
  EXPECT_OK(cu.cuGraphExecMemcpyNodeSetParams(exec, copy, &right, context));
  CUgraph other = createGraph();
  CUgraphNode moved = addCopy(other, b, pooled, 16);
  addFill(other, a, 1);
  CUgraphExecUpdateResultInfo info = update(exec, other);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
  EXPECT_EQ(info.errorNode, moved);
}

TEST_F(GraphUpdateRules, GRAPH_12_AFunctionKeepsItsContext) {
  CUdeviceptr a = allocate(16);
  CUgraph graph = createGraph(), other = createGraph();
  CUgraphNode kernel = addKernel(graph, loadFunction("add"), a, 1);
  CUgraphExec exec = instantiate(graph);
  CUcontext second = nullptr;
  EXPECT_OK(cu.cuCtxCreate_v4(&second, nullptr, 0, 0));
  CUfunction foreign = loadFunction("add");
  CUgraphNode changed = addKernel(other, foreign, a, 1);
  CUgraphExecUpdateResultInfo info = update(exec, other);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE);
  EXPECT_EQ(info.errorNode, changed);
  int value = 1;
  void *arguments[] = {&a, &value};
  CUDA_KERNEL_NODE_PARAMS params = kernelOf(foreign, arguments);
  EXPECT_EQ(cu.cuGraphExecKernelNodeSetParams_v2(exec, kernel, &params), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphUpdateRules, GRAPH_12_TwoDimensionalFillsKeepTheirShape) {
  CUdeviceptr a = allocate(64), b = allocate(64);
  CUgraph graph = createGraph();
  CUgraphNode node = nullptr;
  CUDA_MEMSET_NODE_PARAMS params = fillOf(a, 1, 2, 2, 16);
  EXPECT_OK(cu.cuGraphAddMemsetNode(&node, graph, nullptr, 0, &params, context));
  CUgraphExec exec = instantiate(graph);
  CUDA_MEMSET_NODE_PARAMS moved = fillOf(b, 7, 2, 2, 16), wider = fillOf(a, 1, 3, 2, 16),
                          pitched = fillOf(a, 1, 2, 2, 32);
  EXPECT_OK(cu.cuGraphExecMemsetNodeSetParams(exec, node, &moved, context));
  EXPECT_EQ(cu.cuGraphExecMemsetNodeSetParams(exec, node, &wider, context), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphExecMemsetNodeSetParams(exec, node, &pitched, context), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphUpdateRules, GRAPH_12_OnlySomeKindsCanBeDisabled) {
  CUgraph graph = createGraph();
  CUgraphNode empty = addEmpty(graph), host = addMark(graph, 'h');
  CUgraphExec exec = instantiate(graph);
  unsigned isEnabled = 0;
  EXPECT_EQ(cu.cuGraphNodeSetEnabled(exec, empty, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphNodeGetEnabled(exec, host, &isEnabled), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), Each("GRAPH-12"));
}

TEST_F(GraphUpdateRules, GRAPH_13_AnotherSizeOfAFillMayBeRefused) {
  bool wasTaken = false, wasRefused = false;
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr a = allocate(64);
    CUgraph graph = createGraph();
    CUgraphNode fill = addFill(graph, a, 1);
    CUgraphExec exec = instantiate(graph);
    CUDA_MEMSET_NODE_PARAMS longer = fillOf(a, 1, 16);
    CUresult result = cu.cuGraphExecMemsetNodeSetParams(exec, fill, &longer, context);
    EXPECT_TRUE(result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_VALUE);
    (result == CUDA_SUCCESS ? wasTaken : wasRefused) = true;
  }
  EXPECT_TRUE(wasTaken && wasRefused);
}

} // namespace
} // namespace lockstep::simgpu::test
