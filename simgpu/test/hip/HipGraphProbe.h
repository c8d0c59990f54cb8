// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short words for tests with graphs.

#ifndef LOCKSTEP_SIMGPU_TEST_HIP_HIPGRAPHPROBE_H
#define LOCKSTEP_SIMGPU_TEST_HIP_HIPGRAPHPROBE_H

#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {

class HipGraphTest : public HipTest {
protected:
  using Nodes = std::vector<hipGraphNode_t>;

  hipGraph_t createGraph() {
    hipGraph_t graph = nullptr;
    EXPECT_OK(hip.hipGraphCreate(&graph, 0));
    return graph;
  }

  hipGraphNode_t addMark(hipGraph_t graph, char letter, const Nodes &after = {}) {
    hipGraphNode_t node = nullptr;
    hipHostNodeParams params = markFor(letter);
    EXPECT_OK(hip.hipGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
    return node;
  }

  hipGraphNode_t addFill(hipGraph_t graph, void *address, unsigned value, const Nodes &after = {}) {
    hipGraphNode_t node = nullptr;
    const hipMemsetParams params6 = {address, 4, 1, 0, value, 4};
    const hipMemsetParams7 params7 = {address, 0, value, 4, 4, 1};
    EXPECT_OK(hip.hipGraphAddMemsetNode(&node, graph, after.data(), after.size(), choose(params6, params7)));
    return node;
  }

  hipGraphExec_t instantiate(hipGraph_t graph) {
    hipGraphExec_t exec = nullptr;
    EXPECT_OK(hip.hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    return exec;
  }

  /// What the update says; the call's result must agree with it.
  hipGraphExecUpdateResult update(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *where = nullptr) {
    hipGraphNode_t node = nullptr;
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    EXPECT_EQ(hip.hipGraphExecUpdate(exec, graph, where ? where : &node, &result),
              result == hipGraphExecUpdateSuccess ? hipSuccess : hipErrorGraphExecUpdateFailure);
    return result;
  }

  void launch(hipGraphExec_t exec, hipStream_t stream = nullptr) { EXPECT_OK(hip.hipGraphLaunch(exec, stream)); }
};

} // namespace lockstep::simgpu::test

#endif // LOCKSTEP_SIMGPU_TEST_HIP_HIPGRAPHPROBE_H
