// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short words for tests with graphs.

#ifndef LOCKSTEP_SIMGPU_TEST_GRAPHPROBE_H
#define LOCKSTEP_SIMGPU_TEST_GRAPHPROBE_H

#include "simgpu/test/DriverUnderTest.h"

namespace lockstep::simgpu::test {

class GraphTest : public OrderTest {
protected:
  using Nodes = std::vector<CUgraphNode>;

  CUgraph createGraph() {
    CUgraph graph = nullptr;
    EXPECT_OK(cu.cuGraphCreate(&graph, 0));
    return graph;
  }

  CUgraphNode addMark(CUgraph graph, char letter, const Nodes &after = {}) {
    CUgraphNode node = nullptr;
    CUDA_HOST_NODE_PARAMS params = markFor(letter);
    EXPECT_OK(cu.cuGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
    return node;
  }

  CUgraphNode addEmpty(CUgraph graph, const Nodes &after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_OK(cu.cuGraphAddEmptyNode(&node, graph, after.data(), after.size()));
    return node;
  }

  static CUDA_MEMSET_NODE_PARAMS fillOf(CUdeviceptr address, unsigned value, size_t count = 4, size_t height = 1,
                                        size_t pitch = 0) {
    return {address, pitch, value, 4, count, height};
  }

  CUgraphNode addFill(CUgraph graph, CUdeviceptr address, unsigned value, const Nodes &after = {}) {
    CUgraphNode node = nullptr;
    CUDA_MEMSET_NODE_PARAMS params = fillOf(address, value);
    EXPECT_OK(cu.cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params, context));
    return node;
  }

  static CUDA_MEMCPY3D copyOf(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
    CUDA_MEMCPY3D params{};
    params.srcMemoryType = params.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    params.srcDevice = source;
    params.dstDevice = destination;
    params.WidthInBytes = bytes;
    params.Height = params.Depth = 1;
    return params;
  }

  CUgraphNode addCopy(CUgraph graph, CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                      const Nodes &after = {}) {
    CUgraphNode node = nullptr;
    CUDA_MEMCPY3D params = copyOf(destination, source, bytes);
    EXPECT_OK(cu.cuGraphAddMemcpyNode(&node, graph, after.data(), after.size(), &params, context));
    return node;
  }

  CUfunction loadFunction(const char *name) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_OK(cu.cuModuleLoadData(&module, testModule().data()));
    EXPECT_OK(cu.cuModuleGetFunction(&function, module, name));
    return function;
  }

  /// A kernel over four threads; `arguments` is read by the call that gets the result.
  static CUDA_KERNEL_NODE_PARAMS kernelOf(CUfunction function, void **arguments) {
    CUDA_KERNEL_NODE_PARAMS params{};
    params.func = function;
    params.gridDimX = params.gridDimY = params.gridDimZ = 1;
    params.blockDimX = 4;
    params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = arguments;
    return params;
  }

  CUgraphNode addKernel(CUgraph graph, CUfunction function, CUdeviceptr address, int value, const Nodes &after = {}) {
    void *arguments[] = {&address, &value};
    CUDA_KERNEL_NODE_PARAMS params = kernelOf(function, arguments);
    CUgraphNode node = nullptr;
    EXPECT_OK(cu.cuGraphAddKernelNode_v2(&node, graph, after.data(), after.size(), &params));
    return node;
  }

  static CUDA_MEM_ALLOC_NODE_PARAMS allocationOf(size_t bytes) {
    CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    params.bytesize = bytes;
    return params;
  }

  CUgraphNode addAllocation(CUgraph graph, CUdeviceptr &address, size_t bytes = 16, const Nodes &after = {}) {
    CUDA_MEM_ALLOC_NODE_PARAMS params = allocationOf(bytes);
    CUgraphNode node = nullptr;
    EXPECT_OK(cu.cuGraphAddMemAllocNode(&node, graph, after.data(), after.size(), &params));
    address = params.dptr;
    return node;
  }

  CUgraphNode addFree(CUgraph graph, CUdeviceptr address, const Nodes &after) {
    CUgraphNode node = nullptr;
    EXPECT_OK(cu.cuGraphAddMemFreeNode(&node, graph, after.data(), after.size(), address));
    return node;
  }

  CUgraphNode addChild(CUgraph graph, CUgraph child, const Nodes &after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_OK(cu.cuGraphAddChildGraphNode(&node, graph, after.data(), after.size(), child));
    return node;
  }

  CUgraphExec instantiate(CUgraph graph, unsigned long long flags = 0) {
    CUgraphExec exec = nullptr;
    EXPECT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, flags));
    return exec;
  }

  /// What the four words at `address` hold, where they are equal; waits for everything.
  unsigned readWord(CUdeviceptr address) {
    std::vector<uint8_t> bytes = read(address, 16);
    const unsigned *words = reinterpret_cast<const unsigned *>(bytes.data());
    for (unsigned i = 1; i < 4; ++i)
      EXPECT_EQ(words[i], words[0]);
    return words[0];
  }

  /// Rules of the findings, and no findings are left behind for the next look.
  std::vector<std::string> rulesSince(size_t &seen) {
    std::vector<std::string> rules = listRules();
    std::vector<std::string> fresh(rules.begin() + static_cast<ptrdiff_t>(seen), rules.end());
    seen = rules.size();
    return fresh;
  }
};

} // namespace lockstep::simgpu::test

#endif // LOCKSTEP_SIMGPU_TEST_GRAPHPROBE_H
