// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Explicit graphs over the fake driver: what is called, and how often.

#include "runtime-cuda/test/RuntimeTest.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>

using namespace lockstep::cuda;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
class GraphTest : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    char image[4] = {};
    MgpuModule module = mgpuModuleLoad(image, sizeof(image));
    function = mgpuModuleGetFunction(module, "kernel");
    stream = mgpuStreamCreate();
    fake().clearCalls();
  }

  void TearDown() override {
    mgpuReset();
    EXPECT_THAT(fake().graphs, IsEmpty()) << "a reset leaves no graph";
    EXPECT_THAT(fake().execs, IsEmpty());
    RuntimeTest::TearDown();
  }

  static int32_t addKernel(MgpuGraph graph, MgpuFunction function, int argument, std::vector<int32_t> after = {}) {
    void *params[] = {&argument};
    int64_t bytes[] = {sizeof(argument)};
    return mgpuGraphAddKernelNode(graph, after.data(), after.size(), function, 1, 2, 3, 4, 5, 6, 7, params, bytes, 1);
  }

  /// A program point: begin, `build`, launch.
  template <typename Build> void execute(Build build) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    build(graph);
    mgpuGraphLaunch(graph, stream);
  }

  const std::vector<FakeNode> &lastLaunch() { return fake().launches.back().nodes; }

  /// Positions of the dependencies of the last launch's node.
  std::vector<size_t> dependenciesOf(size_t node) {
    const auto &nodes = fake().launches.back().exec->nodes;
    std::vector<size_t> result;
    for (const FakeNode *dependency : nodes[node].second.dependencies)
      for (size_t index = 0; index < nodes.size(); ++index)
        if (nodes[index].first == dependency)
          result.push_back(index);
    return result;
  }

  /// Driver calls about graphs since the last clearCalls().
  std::vector<std::string> graphCalls() {
    std::vector<std::string> result;
    for (const std::string &call : fake().calls)
      if (call.rfind("cuGraph", 0) == 0)
        result.push_back(call);
    return result;
  }

  void *slot = nullptr;
  MgpuFunction function = nullptr;
  MgpuStream stream = nullptr;
};

TEST_F(GraphTest, Graphabi1NodesAreNumberedInOrderAndKeepTheirDependencies) {
  execute([&](MgpuGraph graph) {
    EXPECT_EQ(mgpuGraphAddEmptyNode(graph, nullptr, 0), 0);
    EXPECT_EQ(addKernel(graph, function, 5), 1);
    EXPECT_EQ(addKernel(graph, function, 6, {0}), 2);
    EXPECT_EQ(addKernel(graph, function, 7, {2, 1, 2}), 3) << "a dependency may be named twice";
  });
  expectOk();
  ASSERT_EQ(lastLaunch().size(), 4u);
  EXPECT_THAT(dependenciesOf(0), IsEmpty());
  EXPECT_THAT(dependenciesOf(1), IsEmpty());
  EXPECT_THAT(dependenciesOf(2), ElementsAre(0));
  EXPECT_THAT(dependenciesOf(3), ElementsAre(1, 2));
}

TEST_F(GraphTest, Graphabi1DependenciesAreChecked) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphAddEmptyNode(graph, nullptr, 0);
  int32_t later[] = {1};
  EXPECT_EQ(mgpuGraphAddEmptyNode(graph, later, 1), -1);
  EXPECT_THAT(message(), HasSubstr("mgpuGraphAddEmptyNode: dependency 0 is 1, but the graph has 1 nodes so far"));
  std::string first = message();
  int32_t refused[] = {-1};
  EXPECT_EQ(mgpuGraphAddEmptyNode(graph, refused, 1), -1);
  mgpuGraphLaunch(graph, stream);
  EXPECT_EQ(message(), first) << "a consequence is not reported";
  EXPECT_EQ(fake().count("cuGraphLaunch"), 0);
}

TEST_F(GraphTest, Graphabi1AMissingListIsRefused) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  EXPECT_EQ(mgpuGraphAddEmptyNode(graph, nullptr, 1), -1);
  EXPECT_THAT(message(), HasSubstr("argument 'dependencies' is null"));
}

TEST_F(GraphTest, Graphabi2AnUnchangedRelaunchIsOneCall) {
  char from[16] = {}, to[16];
  auto build = [&](MgpuGraph graph) {
    addKernel(graph, function, 5);
    int32_t after[] = {0};
    mgpuGraphAddMemcpyNode(graph, after, 1, to, from, sizeof(to));
  };
  execute(build);
  fake().clearCalls();
  for (int iteration = 0; iteration < 3; ++iteration)
    execute(build);
  expectOk();
  EXPECT_THAT(graphCalls(), ElementsAre("cuGraphLaunch", "cuGraphLaunch", "cuGraphLaunch"));
  for (const std::string &call : fake().calls)
    EXPECT_TRUE(call == "cuGraphLaunch" || call.rfind("cuCtx", 0) == 0) << call;
}

TEST_F(GraphTest, Graphabi2OnlyChangedParametersAreSet) {
  auto build = [&](int first, int second) {
    execute([&](MgpuGraph graph) {
      addKernel(graph, function, first);
      addKernel(graph, function, second, {0});
    });
  };
  build(1, 2);
  fake().clearCalls();
  build(1, 3);
  EXPECT_THAT(graphCalls(), ElementsAre("cuGraphExecKernelNodeSetParams", "cuGraphLaunch"));
  EXPECT_EQ(lastLaunch()[0].firstArgument, 1);
  EXPECT_EQ(lastLaunch()[1].firstArgument, 3);
  fake().clearCalls();
  build(1, 3);
  EXPECT_THAT(graphCalls(), ElementsAre("cuGraphLaunch")) << "what was set is remembered";
  expectOk();
}

TEST_F(GraphTest, Graphabi2EveryKindOfNodeCanBeChanged) {
  int values[8] = {};
  MgpuEvent events[] = {mgpuEventCreate(), mgpuEventCreate()};
  for (int round : {0, 1}) {
    fake().clearCalls();
    execute([&](MgpuGraph graph) {
      addKernel(graph, function, round);
      mgpuGraphAddMemcpyNode(graph, nullptr, 0, &values[round], &values[4], sizeof(int));
      mgpuGraphAddMemsetNode(graph, nullptr, 0, &values[round + 2], 4, 9, 1);
      mgpuGraphAddHostNode(graph, nullptr, 0, [](void *) {}, &round, sizeof(round));
      mgpuGraphAddEventRecordNode(graph, nullptr, 0, events[round]);
      mgpuGraphAddEventWaitNode(graph, nullptr, 0, events[1 - round]);
    });
  }
  expectOk();
  EXPECT_THAT(graphCalls(),
              ElementsAre("cuGraphExecKernelNodeSetParams", "cuGraphExecMemcpyNodeSetParams",
                          "cuGraphExecMemsetNodeSetParams", "cuGraphExecHostNodeSetParams",
                          "cuGraphExecEventRecordNodeSetEvent", "cuGraphExecEventWaitNodeSetEvent", "cuGraphLaunch"));
  EXPECT_EQ(values[3], 9);
  EXPECT_EQ(lastLaunch()[4].event, reinterpret_cast<CUevent>(events[1]));
  EXPECT_EQ(lastLaunch()[5].event, reinterpret_cast<CUevent>(events[0]));
}

TEST_F(GraphTest, Graphabi2AChangedShapeIsBuiltAnew) {
  auto build = [&](std::vector<int32_t> after) {
    execute([&](MgpuGraph graph) {
      addKernel(graph, function, 1);
      addKernel(graph, function, 2);
      addKernel(graph, function, 3, after);
    });
  };
  build({0});
  fake().clearCalls();
  build({1});
  EXPECT_THAT(dependenciesOf(2), ElementsAre(1));
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 1);
  EXPECT_EQ(fake().count("cuGraphExecDestroy"), 1);
  EXPECT_EQ(fake().count("cuGraphDestroy"), 1);
  EXPECT_EQ(fake().execs.size(), 1u);
  expectOk();
}

TEST_F(GraphTest, Graphabi2ARefusedChangeIsBuiltAnew) {
  int from = 7, to = 0, other = 0;
  auto build = [&](int *destination) {
    execute([&](MgpuGraph graph) { mgpuGraphAddMemcpyNode(graph, nullptr, 0, destination, &from, sizeof(from)); });
  };
  for (CUresult refusal : {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE}) {
    other = 0;
    build(&to);
    failCall("cuGraphExecMemcpyNodeSetParams", refusal);
    build(&other);
    expectOk();
    EXPECT_EQ(other, 7);
    EXPECT_EQ(fake().count("cuGraphInstantiate"), 1);
  }
}

TEST_F(GraphTest, Graphabi2AnErrorIsNoRefusal) {
  int from = 7, to[2];
  auto build = [&](int *destination) {
    execute([&](MgpuGraph graph) { mgpuGraphAddMemcpyNode(graph, nullptr, 0, destination, &from, sizeof(from)); });
  };
  build(&to[0]);
  failCall("cuGraphExecMemcpyNodeSetParams", CUresult(700));
  build(&to[1]);
  EXPECT_EQ(status().code, 700);
  EXPECT_STREQ(status().call, "cuGraphExecMemcpyNodeSetParams");
  EXPECT_STREQ(status().function, "mgpuGraphLaunch");
  EXPECT_EQ(fake().count("cuGraphLaunch"), 0) << "nothing stale is launched";
}

TEST_F(GraphTest, Graphabi2AHandleAtAnOldAddressIsAnotherObject) {
  MgpuEvent event = mgpuEventCreate();
  auto build = [&] { execute([&](MgpuGraph graph) { mgpuGraphAddEventRecordNode(graph, nullptr, 0, event); }); };
  build();
  mgpuEventDestroy(event);
  MgpuEvent again = mgpuEventCreate();
  ASSERT_EQ(again, event) << "the fake hands out the address again";
  fake().clearCalls();
  build();
  EXPECT_EQ(fake().count("cuGraphExecEventRecordNodeSetEvent"), 1);
  expectOk();
}

TEST_F(GraphTest, Graphabi3AGraphIsUsedOnceOnly) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuGraphLaunch(graph, stream);
  expectOk();
  mgpuGraphLaunch(graph, stream);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle);
  EXPECT_THAT(message(), HasSubstr("argument 'graph' must be an open graph"));
  EXPECT_THAT(message(), HasSubstr("was launched already"));
  EXPECT_EQ(fake().count("cuGraphLaunch"), 1);
}

TEST_F(GraphTest, Graphabi3ASecondBeginOnTheThreadIsRefused) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(mgpuGraphBegin(&slot), nullptr);
  EXPECT_THAT(message(), HasSubstr("open already on this thread"));
}

TEST_F(GraphTest, Graphabi3ThreadsTakeTurns) {
  constexpr int kThreads = 4, kRounds = 50;
  auto work = [&](int own) {
    for (int round = 0; round < kRounds; ++round)
      execute([&](MgpuGraph graph) {
        addKernel(graph, function, own);
        addKernel(graph, function, own, {0});
      });
  };
  std::vector<std::thread> threads;
  for (int own = 0; own < kThreads; ++own)
    threads.emplace_back(work, own);
  for (std::thread &thread : threads)
    thread.join();
  expectOk();
  EXPECT_EQ(fake().launches.size(), size_t(kThreads * kRounds));
  for (const FakeLaunch &launch : fake().launches)
    EXPECT_EQ(launch.nodes[0].firstArgument, launch.nodes[1].firstArgument) << "two executions were mixed";
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 1);
}

TEST_F(GraphTest, Graphabi3AFailureFreesTheSlotForOtherThreads) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  EXPECT_EQ(mgpuGraphAddMemcpyNode(graph, nullptr, 5, nullptr, nullptr, 1), -1);
  std::thread other([&] { EXPECT_EQ(mgpuGraphBegin(&slot), nullptr); });
  mgpuGraphLaunch(graph, stream);
  other.join();
}

TEST_F(GraphTest, Graphabi4ParametersAreCopiedAtTheAdd) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  int argument = 5;
  void *params[] = {&argument};
  int64_t bytes[] = {sizeof(argument)};
  int32_t after[] = {0};
  mgpuGraphAddEmptyNode(graph, nullptr, 0);
  mgpuGraphAddKernelNode(graph, after, 1, function, 1, 1, 1, 1, 1, 1, 0, params, bytes, 1);
  static int seen;
  mgpuGraphAddHostNode(
      graph, nullptr, 0, [](void *data) { seen = *static_cast<int *>(data); }, &argument, sizeof(argument));
  argument = 0;
  params[0] = nullptr;
  bytes[0] = 0;
  after[0] = 77;
  mgpuGraphLaunch(graph, stream);
  expectOk();
  EXPECT_EQ(lastLaunch()[1].firstArgument, 5);
  EXPECT_THAT(dependenciesOf(1), ElementsAre(0));
  EXPECT_EQ(seen, 5);
}

TEST_F(GraphTest, Graphabi4HostArgumentsLiveUntilTheLaunchesThatUseThemEnded) {
  static std::vector<int> seen;
  seen.clear();
  fake().holdsHostFunctions = true;
  for (int value : {1, 1, 2, 3})
    execute([&](MgpuGraph graph) {
      mgpuGraphAddHostNode(
          graph, nullptr, 0, [](void *data) { seen.push_back(*static_cast<int *>(data)); }, &value, sizeof(value));
    });
  mgpuGraphRelease(&slot);
  EXPECT_EQ(slot, nullptr);
  EXPECT_THAT(seen, IsEmpty());
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(seen, ElementsAre(1, 1, 2, 3)) << "a sanitizer sees a read of freed arguments";
  expectOk();
}

TEST_F(GraphTest, Graphabi4KernelParametersReachTheDriver) {
  execute([&](MgpuGraph graph) { addKernel(graph, function, 5); });
  const CUDA_KERNEL_NODE_PARAMS &params = lastLaunch()[0].kernel;
  EXPECT_EQ(params.func, reinterpret_cast<CUfunction>(function));
  EXPECT_THAT((std::vector<unsigned>{params.gridDimX, params.gridDimY, params.gridDimZ, params.blockDimX,
                                     params.blockDimY, params.blockDimZ, params.sharedMemBytes}),
              ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

TEST_F(GraphTest, Graphabi4MuchSharedMemoryIsAskedFor) {
  execute([&](MgpuGraph graph) {
    mgpuGraphAddKernelNode(graph, nullptr, 0, function, 1, 1, 1, 1, 1, 1, 64 * 1024, nullptr, nullptr, 0);
  });
  EXPECT_EQ(fake().count("cuFuncSetAttribute"), 1);
  expectOk();
}

TEST_F(GraphTest, Graphabi4BadKernelsAreRefused) {
  int64_t negative[] = {-1};
  int argument = 0;
  void *params[] = {&argument};
  for (int fault : {0, 1, 2}) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    MgpuFunction wrong = fault == 0 ? reinterpret_cast<MgpuFunction>(stream) : function;
    EXPECT_EQ(mgpuGraphAddKernelNode(graph, nullptr, 0, wrong, fault == 1 ? -1 : 1, 1, 1, 1, 1, 1, 0, params, negative,
                                     fault == 2 ? 1 : 0),
              -1);
    const char *texts[] = {"argument 'function' must be a function", "the grid size in x is -1",
                           "kernel argument 0 is null or of negative size"};
    EXPECT_THAT(message(), HasSubstr(texts[fault]));
    mgpuReset();
    SetUp();
  }
}

TEST_F(GraphTest, Graphabi5EmptyWorkIsAnEmptyNode) {
  int64_t sizes[] = {0, 4}, strides[] = {4, 1};
  void *memory = &sizes;
  execute([&](MgpuGraph graph) {
    EXPECT_EQ(mgpuGraphAddMemcpyNode(graph, nullptr, 0, nullptr, nullptr, 0), 0);
    EXPECT_EQ(mgpuGraphAddMemsetNode(graph, nullptr, 0, nullptr, 4, 1, 0), 1);
    EXPECT_EQ(mgpuGraphAddMemcpyStridedNode(graph, nullptr, 0, nullptr, nullptr, 2, sizes, strides, strides, 4), 2);
    EXPECT_EQ(mgpuGraphAddMemsetStridedNode(graph, nullptr, 0, nullptr, 2, sizes, strides, 4, 1), 3);
    EXPECT_EQ(mgpuGraphAddEventWaitNode(graph, nullptr, 0, nullptr), 4);
    EXPECT_EQ(mgpuGraphAddMemAllocNode(graph, nullptr, 0, 0, &memory), 5);
    EXPECT_EQ(memory, nullptr);
    int32_t after[] = {0, 1, 2, 3, 4, 5};
    EXPECT_EQ(mgpuGraphAddMemFreeNode(graph, after, 6, nullptr), 6);
  });
  expectOk();
  for (const FakeNode &node : lastLaunch())
    EXPECT_EQ(node.call, "cuGraphAddEmptyNode");
  EXPECT_EQ(dependenciesOf(6).size(), 6u);
}

TEST_F(GraphTest, Graphabi5FillsTakeTheElementSize) {
  alignas(8) unsigned char bytes[5][32] = {};
  int64_t sizes[] = {2, 2}, strides[] = {4, 1};
  execute([&](MgpuGraph graph) {
    mgpuGraphAddMemsetNode(graph, nullptr, 0, bytes[0], 1, 0x1122334455667788, 3);
    mgpuGraphAddMemsetNode(graph, nullptr, 0, bytes[1], 2, 0x1122334455667788, 3);
    mgpuGraphAddMemsetNode(graph, nullptr, 0, bytes[2], 4, 0x1122334455667788, 3);
    mgpuGraphAddMemsetNode(graph, nullptr, 0, bytes[3], 8, 0x1122334455667788, 3);
    mgpuGraphAddMemsetStridedNode(graph, nullptr, 0, bytes[4], 2, sizes, strides, 2, 0x8899);
  });
  expectOk();
  const uint64_t value = 0x1122334455667788;
  for (int kind : {0, 1, 2, 3})
    for (size_t index = 0; index < 3; ++index)
      EXPECT_EQ(std::memcmp(bytes[kind] + (index << kind), &value, size_t(1) << kind), 0) << kind << " " << index;
  EXPECT_EQ(bytes[0][3], 0);
  EXPECT_EQ(bytes[1][6], 0);
  EXPECT_EQ(bytes[2][12], 0);
  EXPECT_EQ(bytes[3][24], 0);
  EXPECT_THAT(std::vector<int>(bytes[4], bytes[4] + 16),
              ElementsAre(0x99, 0x88, 0x99, 0x88, 0, 0, 0, 0, 0x99, 0x88, 0x99, 0x88, 0, 0, 0, 0));
}

TEST_F(GraphTest, Graphabi5AnOperationOfSeveralNodesStandsForAll) {
  int from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {};
  int64_t sizes[] = {2, 3}, toStrides[] = {1, 2}, fromStrides[] = {3, 1};
  execute([&](MgpuGraph graph) {
    addKernel(graph, function, 1);
    int32_t first[] = {0};
    EXPECT_EQ(mgpuGraphAddMemcpyStridedNode(graph, first, 1, to, from, 2, sizes, toStrides, fromStrides, 4), 1);
    EXPECT_EQ(addKernel(graph, function, 2, {1}), 2);
  });
  expectOk();
  EXPECT_THAT(to, ElementsAre(1, 4, 2, 5, 3, 6));
  size_t last = lastLaunch().size() - 1;
  ASSERT_GT(last, 3u) << "a transpose is several copies";
  for (size_t piece = 1; piece + 1 < last; ++piece)
    EXPECT_THAT(dependenciesOf(piece), ElementsAre(0));
  EXPECT_THAT(dependenciesOf(last), ElementsAre(last - 1));
  EXPECT_EQ(dependenciesOf(last - 1).size(), last - 2) << "the node before it waits for all pieces";
}

TEST_F(GraphTest, Graphabi6OverlappingCopiesReadAllFirst) {
  std::vector<int> data(8), expected;
  std::iota(data.begin(), data.end(), 0);
  int64_t sizes[] = {7}, strides[] = {1};
  auto build = [&] {
    execute([&](MgpuGraph graph) {
      EXPECT_EQ(
          mgpuGraphAddMemcpyStridedNode(graph, nullptr, 0, data.data() + 1, data.data(), 1, sizes, strides, strides, 4),
          0);
    });
  };
  build();
  EXPECT_THAT(data, ElementsAre(0, 0, 1, 2, 3, 4, 5, 6));
  fake().clearCalls();
  build();
  EXPECT_THAT(data, ElementsAre(0, 0, 0, 1, 2, 3, 4, 5));
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 0);
  EXPECT_THAT(fake().liveGraphMemory, IsEmpty());
  expectOk();
}

TEST_F(GraphTest, Graphabi7AllocationsKeepTheirAddress) {
  void *memories[3];
  for (void *&memory : memories)
    execute([&](MgpuGraph graph) {
      int32_t node = mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memory);
      int32_t filled = mgpuGraphAddMemsetNode(graph, &node, 1, memory, 1, 7, 64);
      mgpuGraphAddMemFreeNode(graph, &filled, 1, memory);
    });
  expectOk();
  EXPECT_NE(memories[0], nullptr);
  EXPECT_EQ(memories[1], memories[0]);
  EXPECT_EQ(memories[2], memories[0]);
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 2) << "one for the memory, one for the rest";
  EXPECT_EQ(fake().count("cuGraphLaunch"), 6);
  EXPECT_THAT(fake().liveGraphMemory, IsEmpty());
}

TEST_F(GraphTest, Graphabi7TheShapeMayChangeAfterTheAddressWasGiven) {
  for (size_t count : {64, 0, 64}) {
    void *memory = nullptr;
    execute([&](MgpuGraph graph) {
      int32_t node = mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memory);
      int32_t filled = mgpuGraphAddMemsetNode(graph, &node, 1, memory, 1, 7, count);
      mgpuGraphAddMemFreeNode(graph, &filled, 1, memory);
    });
    expectOk();
  }
  EXPECT_EQ(fake().count("cuGraphAddMemAllocNode"), 1);
  EXPECT_EQ(fake().launches.size(), 6u);
}

TEST_F(GraphTest, Graphabi7AnotherSizeIsOtherMemory) {
  for (uint64_t size : {64, 32, 64}) {
    void *memory = nullptr;
    execute([&](MgpuGraph graph) {
      int32_t node = mgpuGraphAddMemAllocNode(graph, nullptr, 0, size, &memory);
      mgpuGraphAddMemFreeNode(graph, &node, 1, memory);
    });
    expectOk();
  }
  EXPECT_EQ(fake().count("cuGraphAddMemAllocNode"), 3);
  EXPECT_EQ(fake().execs.size(), 2u) << "replaced memory is given back";
}

TEST_F(GraphTest, Graphabi7MemoryThatTheGraphDoesNotFreeIsNewEachTime) {
  std::vector<void *> memories;
  for (int round = 0; round < 2; ++round)
    execute([&](MgpuGraph graph) {
      memories.push_back(nullptr);
      mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memories.back());
    });
  expectOk();
  EXPECT_NE(memories[0], memories[1]) << "both live at once";
  EXPECT_EQ(fake().liveGraphMemory.size(), 2u);
  EXPECT_EQ(fake().execs.size(), 1u);
  for (void *memory : memories)
    mgpuMemFree(memory, stream);
  EXPECT_THAT(fake().liveGraphMemory, IsEmpty());
  expectOk();
}

TEST_F(GraphTest, Graphabi7MemoryIsReusedBehindTheLaunchBefore) {
  auto build = [&](MgpuStream on) {
    void *memory = nullptr;
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t node = mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memory);
    mgpuGraphAddMemFreeNode(graph, &node, 1, memory);
    mgpuGraphLaunch(graph, on);
  };
  build(stream);
  fake().clearCalls();
  build(stream);
  EXPECT_EQ(fake().count("cuStreamWaitEvent"), 0) << "the stream's own order is enough";
  MgpuStream other = mgpuStreamCreate();
  fake().clearCalls();
  build(other);
  auto wait = std::find(fake().calls.begin(), fake().calls.end(), "cuStreamWaitEvent");
  EXPECT_EQ(std::count(wait, fake().calls.end(), "cuGraphLaunch"), 2) << "before the memory is allocated again";
  expectOk();
}

TEST_F(GraphTest, Graphabi7MemoryIsReusedOnStreamsOfOtherDevices) {
  mgpuSetDefaultDevice(1);
  MgpuStream other = mgpuStreamCreate();
  mgpuSetDefaultDevice(0);
  for (MgpuStream on : {stream, other, stream}) {
    void *memory = nullptr;
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t node = mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memory);
    mgpuGraphAddMemFreeNode(graph, &node, 1, memory);
    mgpuGraphLaunch(graph, on);
    expectOk();
  }
  EXPECT_EQ(fake().count("cuStreamWaitEvent"), 2);
  EXPECT_EQ(fake().count("cuGraphAddMemAllocNode"), 1);
}

TEST_F(GraphTest, Graphabi2AnotherDefaultDeviceIsBuiltAnew) {
  for (int32_t device : {0, 1, 1}) {
    mgpuSetDefaultDevice(device);
    int from = 7, to = 0;
    execute([&](MgpuGraph graph) { mgpuGraphAddMemcpyNode(graph, nullptr, 0, &to, &from, sizeof(to)); });
    EXPECT_EQ(lastLaunch()[0].context, reinterpret_cast<CUcontext>(uintptr_t(0x1000 + device)));
  }
  expectOk();
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 2);
}

TEST_F(GraphTest, Graphabi8ReleaseGivesAllBack) {
  execute([&](MgpuGraph graph) { addKernel(graph, function, 1); });
  EXPECT_NE(slot, nullptr);
  mgpuGraphRelease(&slot);
  EXPECT_EQ(slot, nullptr);
  EXPECT_THAT(fake().graphs, IsEmpty());
  EXPECT_THAT(fake().execs, IsEmpty());
  mgpuGraphRelease(&slot);
  expectOk();
}

TEST_F(GraphTest, Graphabi8ASlotFromBeforeAResetIsAsGoodAsNull) {
  execute([&](MgpuGraph graph) { addKernel(graph, function, 1); });
  void *before = slot;
  mgpuReset();
  SetUp();
  EXPECT_EQ(slot, before);
  execute([&](MgpuGraph graph) { addKernel(graph, function, 1); });
  expectOk();
  EXPECT_NE(slot, before);
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 1);
  void *stale = before;
  mgpuGraphRelease(&stale);
  expectOk();
  EXPECT_EQ(fake().execs.size(), 1u) << "the number of another slot frees nothing";
}

TEST_F(GraphTest, Graphabi8AVariableAtTheAddressOfAnotherIsAnotherSlot) {
  execute([&](MgpuGraph graph) { addKernel(graph, function, 1); });
  slot = nullptr; // A module was unloaded without a release, and another loaded.
  execute([&](MgpuGraph graph) { addKernel(graph, function, 1); });
  expectOk();
  EXPECT_EQ(fake().count("cuGraphInstantiate"), 2);
  EXPECT_EQ(fake().execs.size(), 1u);
}

TEST_F(GraphTest, Graphabi8ResetWithAGraphInFlight) {
  static int sum;
  sum = 0;
  fake().holdsHostFunctions = true;
  for (int value : {1, 2})
    execute([&](MgpuGraph graph) {
      mgpuGraphAddHostNode(
          graph, nullptr, 0, [](void *data) { sum += *static_cast<int *>(data); }, &value, sizeof(value));
    });
  mgpuReset();
  EXPECT_EQ(sum, 3) << "a reset waits for what is in flight before it frees the arguments";
}

TEST_F(GraphTest, Graphabi8ResetWithAnOpenGraph) {
  MgpuGraph graph = mgpuGraphBegin(&slot);
  addKernel(graph, function, 1);
  mgpuReset();
  SetUp();
  EXPECT_EQ(mgpuGraphAddEmptyNode(graph, nullptr, 0), -1);
  EXPECT_THAT(message(), HasSubstr("no handle that this library gave out"));
}

TEST_F(GraphTest, Graphabi9FailuresNameTheNodesOp) {
  mgpuSetOp("op one");
  MgpuGraph graph = mgpuGraphBegin(&slot);
  addKernel(graph, function, 1);
  mgpuSetOp("op two");
  int32_t after[] = {0};
  mgpuGraphAddMemcpyNode(graph, after, 1, &after, &slot, 4);
  mgpuSetOp("the launch");
  failCall("cuGraphAddMemcpyNode", CUDA_ERROR_OUT_OF_MEMORY);
  mgpuGraphLaunch(graph, stream);
  EXPECT_STREQ(status().op, "op two");
  EXPECT_STREQ(status().function, "mgpuGraphLaunch");
  EXPECT_STREQ(status().call, "cuGraphAddMemcpyNode");
}
} // namespace
