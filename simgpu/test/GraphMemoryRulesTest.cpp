// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules GRAPH-5 to GRAPH-7: memory of graphs.

#include "simgpu/test/GraphProbe.h"

namespace lockstep::simgpu::test {
namespace {

using GraphMemoryRules = GraphTest;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(GraphMemoryRules, GRAPH_5_OneInstanceNoCloneNoDeletion) {
  CUgraph graph = createGraph(), clone = nullptr, outer = createGraph();
  CUdeviceptr address = 0;
  CUgraphNode allocation = addAllocation(graph, address), fill = addFill(graph, address, 1, {allocation});
  addFree(graph, address, {fill});
  CUgraphExec exec = instantiate(graph), second = nullptr;
  CUgraphNode node = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&second, graph, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphClone(&clone, graph), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroyNode(fill), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphRemoveDependencies(graph, &allocation, &fill, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphAddChildGraphNode(&node, outer, nullptr, 0, graph), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), Each("GRAPH-5"));
  EXPECT_EQ(listRules().size(), 5u);
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuGraphExecDestroy(instantiate(graph)));
}

TEST_F(GraphMemoryRules, GRAPH_5_TheAddressIsFixedAndTheContentIsFresh) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr address = 0, out = allocate(16);
    CUgraph graph = createGraph();
    CUgraphNode allocation = addAllocation(graph, address);
    CUgraphNode before = addCopy(graph, out, address, 16, {allocation});
    CUgraphNode fill = addFill(graph, address, 1, {before});
    addFree(graph, address, {fill});
    CUgraphExec exec = instantiate(graph);
    for (unsigned launch = 0; launch < 3; ++launch) {
      EXPECT_OK(cu.cuGraphLaunch(exec, createStream()));
      EXPECT_EQ(readWord(out), 0xA5A5A5A5u);
    }
    EXPECT_THAT(listFindings(), IsEmpty());
  }
}

TEST_F(GraphMemoryRules, GRAPH_5_AUseWithoutAnEdgeIsFoundInSomeSchedule) {
  bool isEarlySeen = false, isLateSeen = false;
  for (const std::string &schedule : listSchedules(40)) {
    start(schedule);
    CUdeviceptr early = 0;
    CUgraph graph = createGraph();
    addFill(graph, allocate(16), 1);
    CUgraphNode first = addAllocation(graph, early);
    addFill(graph, early, 1);
    addFree(graph, early, {first});
    EXPECT_OK(cu.cuGraphLaunch(instantiate(graph), createStream()));
    EXPECT_OK(cu.cuCtxSynchronize());
    for (const std::string &rule : listRules()) {
      isEarlySeen |= rule == "MEM-3";
      isLateSeen |= rule == "MEM-1";
    }
  }
  EXPECT_TRUE(isEarlySeen) << "the use never ran before the allocation";
  EXPECT_TRUE(isLateSeen) << "the use never ran after the free";
}

TEST_F(GraphMemoryRules, GRAPH_5_AMovedChildKeepsItsMemory) {
  CUgraph inner = createGraph(), outer = createGraph();
  CUdeviceptr address = 0, out = allocate(16);
  CUgraphNode allocation = addAllocation(inner, address), fill = addFill(inner, address, 6, {allocation});
  addFree(inner, address, {addCopy(inner, out, address, 16, {fill})});
  CUgraphNodeParams child{};
  child.type = CU_GRAPH_NODE_TYPE_GRAPH;
  child.graph = {inner, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE};
  CUgraphNode node = nullptr;
  EXPECT_OK(cu.cuGraphAddNode_v2(&node, outer, nullptr, nullptr, 0, &child));
  EXPECT_EQ(child.graph.graph, inner);
  EXPECT_EQ(cu.cuGraphDestroy(inner), CUDA_ERROR_INVALID_VALUE); // It belongs to the node.
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, inner, 0), CUDA_ERROR_INVALID_VALUE);
  CUDA_MEM_ALLOC_NODE_PARAMS more = allocationOf(16);
  EXPECT_EQ(cu.cuGraphAddMemAllocNode(&node, inner, nullptr, 0, &more), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuGraphLaunch(instantiate(outer), createStream()));
  EXPECT_EQ(readWord(out), 6u);
  EXPECT_THAT(listRules(), ElementsAre("GRAPH-15", "GRAPH-5", "GRAPH-5"));
}

TEST_F(GraphMemoryRules, GRAPH_6_ARelaunchNeedsItsAllocationsFreed) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr address = 0;
    CUgraph graph = createGraph();
    CUgraphNode allocation = addAllocation(graph, address);
    addFill(graph, address, 3, {allocation});
    CUgraphExec exec = instantiate(graph);
    CUstream stream = createStream();
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_EQ(cu.cuGraphLaunch(exec, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT_OK(cu.cuMemFreeAsync(address, stream));
    EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_OK(cu.cuMemFree_v2(address));
    EXPECT_THAT(listRules(), ElementsAre("GRAPH-6"));
  }
}

TEST_F(GraphMemoryRules, GRAPH_6_AutoFreeFreesBeforeTheNextLaunch) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUdeviceptr address = 0;
    CUgraph graph = createGraph();
    CUgraphNode allocation = addAllocation(graph, address);
    addFill(graph, address, 3, {allocation});
    CUgraphExec exec = instantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    CUstream stream = createStream();
    uint64_t used = 0;
    for (unsigned launch = 0; launch < 3; ++launch)
      EXPECT_OK(cu.cuGraphLaunch(exec, stream));
    EXPECT_EQ(readWord(address), 3u);
    EXPECT_OK(cu.cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    EXPECT_EQ(used, 16u);
    EXPECT_OK(cu.cuMemFree_v2(address));
    EXPECT_OK(cu.cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    EXPECT_EQ(used, 0u);
    EXPECT_OK(cu.cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    EXPECT_EQ(used, 16u);
    EXPECT_OK(cu.cuDeviceGraphMemTrim(0));
    EXPECT_OK(cu.cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    EXPECT_EQ(used, 0u);
    uint64_t flags = 0;
    EXPECT_OK(cu.cuGraphExecGetFlags(exec, &flags));
    EXPECT_EQ(flags, uint64_t(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    EXPECT_THAT(listFindings(), IsEmpty());
  }
}

TEST_F(GraphMemoryRules, GRAPH_6_AutoFreeExcludesDeviceLaunch) {
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, createGraph(),
                                           CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                               CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ElementsAre("GRAPH-6"));
}

TEST_F(GraphMemoryRules, GRAPH_6_MemoryOutlivesItsGraphAndIsALeak) {
  CUdeviceptr address = 0;
  CUgraph graph = createGraph();
  CUgraphNode allocation = addAllocation(graph, address);
  addFill(graph, address, 3, {allocation});
  CUgraphExec exec = instantiate(graph);
  CUstream stream = createStream();
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_EQ(readWord(address), 3u);
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  cu.finish();
  EXPECT_THAT(listFindings(), ElementsAre(" : allocation 1 of 16 bytes by cuGraphAddMemAllocNode was not freed"));
  EXPECT_OK(cu.cuMemFree_v2(address));
}

TEST_F(GraphMemoryRules, GRAPH_7_WrongFreesAreRefused) {
  CUdeviceptr address = 0, kept = 0, plain = allocate(16);
  CUgraph graph = createGraph(), other = createGraph();
  CUgraphNode allocation = addAllocation(graph, address), node = nullptr;
  addAllocation(graph, kept);
  auto addFreeTo = [&](CUgraph target, CUdeviceptr what) {
    return cu.cuGraphAddMemFreeNode(&node, target, nullptr, 0, what);
  };
  EXPECT_EQ(addFreeTo(graph, plain), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(addFreeTo(graph, address + 4), CUDA_ERROR_INVALID_VALUE);
  addFree(graph, address, {allocation});
  EXPECT_EQ(addFreeTo(graph, address), CUDA_ERROR_INVALID_VALUE); // Twice.
  EXPECT_EQ(addFreeTo(other, address), CUDA_ERROR_INVALID_VALUE); // Its own graph frees it.
  addFree(other, kept, {});
  EXPECT_EQ(addFreeTo(graph, kept), CUDA_ERROR_INVALID_VALUE); // The other graph frees it.
  EXPECT_EQ(cu.cuMemFree_v2(kept), CUDA_ERROR_INVALID_VALUE);  // Not allocated yet.
  CUgraphExec exec = instantiate(graph), freeing = instantiate(other);
  CUstream stream = createStream();
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_EQ(cu.cuMemFreeAsync(address, stream), CUDA_ERROR_INVALID_VALUE); // Its own graph freed it.
  EXPECT_OK(cu.cuGraphLaunch(freeing, stream));
  EXPECT_EQ(cu.cuGraphLaunch(freeing, stream), CUDA_ERROR_INVALID_VALUE); // Freed already.
  EXPECT_THAT(listRules(), Each("GRAPH-7"));
  EXPECT_EQ(listRules().size(), 8u);
}

} // namespace
} // namespace lockstep::simgpu::test
