// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs where HIP differs: HIP-7, HIP-8, HIP-14.

#include "simgpu/test/hip/HipGraphProbe.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

LOCKSTEP_HIP_FIXTURE(HipGraphRules, HipGraphTest);

TEST_P(HipGraphRules, HIP_7_LaunchesOnTwoStreamsAreInNoOrder) {
  expectSometimesAfter('a', 'b', [&] {
    hipGraph_t graph = createGraph();
    addMark(graph, 'x');
    hipGraphExec_t exec = instantiate(graph);
    hipStream_t stream = createStream(), other = createStream();
    mark(stream, 'a');
    launch(exec, stream);
    launch(exec, other);
    mark(other, 'b');
  });
}

TEST_P(HipGraphRules, HIP_7_LaunchesOnOneStreamAreInOrder) {
  expectAlwaysBefore('a', 'b', [&] {
    hipGraph_t graph = createGraph();
    addMark(graph, 'x');
    hipGraphExec_t exec = instantiate(graph);
    hipStream_t stream = createStream();
    mark(stream, 'a');
    launch(exec, stream);
    launch(exec, stream);
    mark(stream, 'b');
  });
}

TEST_P(HipGraphRules, HIP_8_AFailedUpdateLeavesEarlierNodesChanged) {
  void *memory = allocate(16);
  hipGraph_t graph = createGraph(), wanted = createGraph();
  addFill(graph, memory, 1);
  addMark(graph, 'a');
  hipGraphExec_t exec = instantiate(graph);
  addFill(wanted, memory, 2);
  hipGraphNode_t misfit = addFill(wanted, memory, 3), where = nullptr;
  EXPECT_EQ(update(exec, wanted, &where), hipGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(where, misfit);
  launch(exec);
  EXPECT_THAT(read(memory, 4), Each(2u));
  EXPECT_EQ(order, "a");
}

TEST_P(HipGraphRules, HIP_8_AFailedUpdateLeavesLaterNodesAlone) {
  void *memory = allocate(16);
  hipGraph_t graph = createGraph(), wanted = createGraph();
  addMark(graph, 'a');
  addFill(graph, memory, 1);
  hipGraphExec_t exec = instantiate(graph);
  addFill(wanted, memory, 3);
  addFill(wanted, memory, 2);
  EXPECT_EQ(update(exec, wanted), hipGraphExecUpdateErrorNodeTypeChanged);
  launch(exec);
  EXPECT_THAT(read(memory, 4), Each(1u));
}

// The same numbers of dependencies along other edges: accepted, and the old edges stay.
TEST_P(HipGraphRules, HIP_8_EdgesAreComparedByTheirNumber) {
  auto program = [&] {
    hipGraph_t graph = createGraph(), wanted = createGraph();
    hipGraphNode_t a = addMark(graph, 'a'), b = addMark(graph, 'b');
    addMark(graph, 'c', {a});
    addMark(graph, 'd', {b});
    hipGraphExec_t exec = instantiate(graph);
    hipGraphNode_t x = addMark(wanted, 'x');
    addMark(wanted, 'w');
    addMark(wanted, 'y', {x});
    addMark(wanted, 'z', {x});
    EXPECT_EQ(update(exec, wanted), hipGraphExecUpdateSuccess);
    launch(exec);
  };
  expectAlwaysBefore('x', 'y', program);
  expectAlwaysBefore('w', 'z', program);
  expectSometimesAfter('x', 'z', program);
}

TEST_P(HipGraphRules, HIP_8_AnotherNumberOfDependenciesIsRefused) {
  hipGraph_t graph = createGraph(), wanted = createGraph();
  hipGraphNode_t a = addMark(graph, 'a');
  addMark(graph, 'b', {a});
  hipGraphExec_t exec = instantiate(graph);
  addMark(wanted, 'a');
  addMark(wanted, 'b');
  EXPECT_EQ(update(exec, wanted), hipGraphExecUpdateErrorTopologyChanged);
}

// The layout of one version read as the other's gives another element size, which is refused.
TEST_P(HipGraphRules, HIP_14_TheLayoutOfMemsetParamsIsTheVersions) {
  void *memory = allocate(16);
  hipGraph_t graph = createGraph();
  addFill(graph, memory, 0x01020304);
  launch(instantiate(graph));
  EXPECT_THAT(read(memory, 4), Each(0x01020304u));
  const hipMemsetParams params6 = {memory, 4, 1, 0, 5, 4};
  const hipMemsetParams7 params7 = {memory, 0, 5, 4, 4, 1};
  const auto *ofTheOther =
      choose(reinterpret_cast<const hipMemsetParams &>(params7), reinterpret_cast<const hipMemsetParams7 &>(params6));
  hipGraphNode_t node = nullptr;
  EXPECT_EQ(hip.hipGraphAddMemsetNode(&node, graph, nullptr, 0, ofTheOther), hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("GRAPH-14"));
}

} // namespace
} // namespace lockstep::simgpu::test
