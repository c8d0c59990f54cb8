// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs over the simulated driver: right programs give right values under every schedule, with nothing to find, and
// loops instantiate nothing.

#include "runtime-api/test/simulated/SimulatedTest.h"

#include <atomic>
#include <thread>

using namespace lockstep::runtime::test;
using testing::Each;
using testing::ElementsAre;

namespace {
class SimulatedGraphTest : public SimulatedTest {
protected:
  void SetUp() override {
    SimulatedTest::SetUp();
    instantiations = 0;
    MgpuRecorder recorder = {this, nullptr, [](void *context, const MgpuCallRecord *record) {
                               if (std::string(record->call) ==
                                   nameOf("cuGraphInstantiate", "hipGraphInstantiateWithFlags"))
                                 ++static_cast<SimulatedGraphTest *>(context)->instantiations;
                             }};
    mgpuSetRecorder(&recorder);
    module = mgpuModuleLoad(image.data(), image.size());
    addValue = mgpuModuleGetFunction(module, "add_value");
    addArray = mgpuModuleGetFunction(module, "add_array");
    stream = mgpuStreamPoolAcquire();
  }

  void TearDown() override {
    mgpuSetRecorder(nullptr);
    SimulatedTest::TearDown();
  }

  /// Ends the program: what is left is the library's to clean up.
  void expectClean() {
    mgpuStreamPoolRelease(stream);
    mgpuModuleUnload(module);
    expectCleanRun();
  }

  using After = std::vector<int32_t>;

  int32_t addKernel(MgpuGraph graph, const After &after, void *memory, int32_t value) {
    void *params[] = {&memory, &value};
    int64_t bytes[] = {sizeof(memory), sizeof(value)};
    return mgpuGraphAddKernelNode(graph, after.data(), after.size(), addValue, 1, 1, 1, kCount, 1, 1, 0, params, bytes,
                                  2);
  }

  int32_t addSum(MgpuGraph graph, const After &after, void *left, void *right) {
    void *params[] = {&left, &right};
    int64_t bytes[] = {sizeof(left), sizeof(right)};
    return mgpuGraphAddKernelNode(graph, after.data(), after.size(), addArray, 1, 1, 1, kCount, 1, 1, 0, params, bytes,
                                  2);
  }

  static int32_t addCopy(MgpuGraph graph, const After &after, void *to, void *from, size_t bytes = sizeof(Values)) {
    return mgpuGraphAddMemcpyNode(graph, after.data(), after.size(), to, from, bytes);
  }

  static int32_t addAlloc(MgpuGraph graph, const After &after, void **memory) {
    return mgpuGraphAddMemAllocNode(graph, after.data(), after.size(), sizeof(Values), memory);
  }

  static int32_t addFree(MgpuGraph graph, const After &after, void *memory) {
    return mgpuGraphAddMemFreeNode(graph, after.data(), after.size(), memory);
  }

  /// host += value on the device, with memory of the graph.
  void runAdd(void **slot, MgpuStream on, Values *host, int32_t value) {
    void *memory = nullptr;
    MgpuGraph graph = mgpuGraphBegin(slot);
    int32_t allocated = addAlloc(graph, {}, &memory);
    int32_t copied = addCopy(graph, {allocated}, memory, host->data());
    int32_t added = addKernel(graph, {copied}, memory, value);
    int32_t back = addCopy(graph, {added}, host->data(), memory);
    addFree(graph, {back}, memory);
    mgpuGraphLaunch(graph, on);
  }

  std::atomic<int> instantiations = 0;
  MgpuModule module = nullptr;
  MgpuFunction addValue = nullptr, addArray = nullptr;
  MgpuStream stream = nullptr;
};

TEST_P(SimulatedGraphTest, Graphabi1ForkAndJoin) {
  Values host = {42, 42, 42, 42};
  void *slot = nullptr;
  for (int round = 0; round < 3; ++round) {
    void *source = nullptr, *left = nullptr, *right = nullptr;
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t a = addAlloc(graph, {}, &source), b = addAlloc(graph, {}, &left), c = addAlloc(graph, {}, &right);
    int32_t in = addCopy(graph, {a}, source, host.data());
    int32_t toLeft = addCopy(graph, {in, b}, left, source), toRight = addCopy(graph, {in, c}, right, source);
    int32_t sum = addSum(graph, {toLeft, toRight}, left, right);
    int32_t out = addCopy(graph, {sum}, host.data(), left);
    addFree(graph, {toLeft, toRight}, source);
    addFree(graph, {out}, left);
    addFree(graph, {sum}, right);
    mgpuGraphLaunch(graph, stream);
  }
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, Each(42 * 8));
  EXPECT_EQ(instantiations, 3 + 1) << "three allocations and the graph";
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi2ParametersChangeInALoopWithoutInstantiation) {
  Values host = {};
  void *slot = nullptr;
  for (int32_t value : {1, 20, 300})
    runAdd(&slot, stream, &host, value);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, Each(321));
  EXPECT_EQ(instantiations, 2);
  mgpuGraphRelease(&slot);
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi2TheShapeChangesWhileTheLaunchBeforeIsInFlight) {
  Values host = {}, other = {1, 2, 3, 4};
  void *slot = nullptr;
  void *memory = mgpuMemAlloc(sizeof(Values), stream, false);
  mgpuMemset32(memory, 0, kCount, stream);
  for (bool isLong : {true, false, true}) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t copied = addCopy(graph, {}, memory, other.data(), isLong ? sizeof(Values) : 0);
    int32_t added = addKernel(graph, {copied}, memory, 10);
    addCopy(graph, {added}, host.data(), memory);
    mgpuGraphLaunch(graph, stream);
  }
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, ElementsAre(11, 12, 13, 14));
  EXPECT_EQ(instantiations, 3);
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi2AnotherKindOfMemoryIsCopiedFrom) {
  Values host = {1, 2, 3, 4}, seen = {};
  void *slot = nullptr;
  void *memory = mgpuMemAlloc(sizeof(Values), stream, false), *to = mgpuMemAlloc(sizeof(Values), stream, false);
  mgpuMemset32(memory, 9, kCount, stream);
  for (void *source : {static_cast<void *>(host.data()), memory}) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t copied = addCopy(graph, {}, to, source);
    addCopy(graph, {copied}, seen.data(), to);
    mgpuGraphLaunch(graph, stream);
    mgpuStreamSynchronize(stream);
    EXPECT_EQ(seen[3], source == memory ? 9 : 4);
  }
  mgpuMemFree(memory, stream);
  mgpuMemFree(to, stream);
  // Whether a driver that refuses the change says so to somebody else too is its own affair.
  EXPECT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message();
}

TEST_P(SimulatedGraphTest, Graphabi3ThreadsLaunchOneSlotOnStreamsOfTheirOwn) {
  constexpr int kThreads = 3, kRounds = 4;
  static Values hosts[kThreads];
  void *slot = nullptr;
  std::vector<std::thread> threads;
  for (int own = 0; own < kThreads; ++own)
    threads.emplace_back([&, own] {
      hosts[own] = {};
      MgpuStream mine = mgpuStreamPoolAcquire();
      for (int round = 0; round < kRounds; ++round)
        runAdd(&slot, mine, &hosts[own], own + 1);
      mgpuStreamSynchronize(mine);
      mgpuStreamPoolRelease(mine);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int own = 0; own < kThreads; ++own)
    EXPECT_THAT(hosts[own], Each((own + 1) * kRounds));
  EXPECT_EQ(instantiations, 2);
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi4HostCallsSeeTheArgumentsOfTheirLaunch) {
  static std::vector<int32_t> seen;
  seen.clear();
  void *slot = nullptr;
  for (int32_t value : {1, 1, 2, 3}) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    mgpuGraphAddHostNode(
        graph, nullptr, 0, [](void *data) { seen.push_back(*static_cast<int32_t *>(data)); }, &value, sizeof(value));
    mgpuGraphLaunch(graph, stream);
  }
  mgpuGraphRelease(&slot);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(seen, ElementsAre(1, 1, 2, 3));
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi5StridedWorkAndFills) {
  std::array<int32_t, 6> host = {1, 2, 3, 4, 5, 6}, back = {};
  std::array<uint64_t, 2> wide = {};
  int64_t sizes[] = {2, 3}, transposed[] = {1, 2}, dense[] = {3, 1};
  void *slot = nullptr;
  void *memory = mgpuMemAlloc(sizeof(host), stream, false), *filled = mgpuMemAlloc(sizeof(wide), stream, false);
  for (int round = 0; round < 2; ++round) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t in = mgpuGraphAddMemcpyStridedNode(graph, nullptr, 0, memory, host.data(), 2, sizes, transposed, dense, 4);
    addCopy(graph, {in}, back.data(), memory, sizeof(host));
    int32_t fill = mgpuGraphAddMemsetNode(graph, nullptr, 0, filled, 8, 0x0123456789abcdef, 2);
    addCopy(graph, {fill}, wide.data(), filled, sizeof(wide));
    mgpuGraphLaunch(graph, stream);
  }
  mgpuMemFree(memory, stream);
  mgpuMemFree(filled, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(back, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(wide, Each(0x0123456789abcdef));
  EXPECT_EQ(instantiations, 1);
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi6OverlappingCopy) {
  std::array<int32_t, 6> host = {0, 1, 2, 3, 4, 5};
  int64_t sizes[] = {5}, strides[] = {1};
  void *slot = nullptr;
  auto *memory = static_cast<int32_t *>(mgpuMemAlloc(sizeof(host), stream, false));
  mgpuMemcpy(memory, host.data(), sizeof(host), stream);
  for (int round = 0; round < 2; ++round) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    mgpuGraphAddMemcpyStridedNode(graph, nullptr, 0, memory + 1, memory, 1, sizes, strides, strides, 4);
    mgpuGraphLaunch(graph, stream);
  }
  mgpuMemcpy(host.data(), memory, sizeof(host), stream);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, ElementsAre(0, 0, 0, 1, 2, 3));
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi7MemoryOutlivesItsGraph) {
  Values host = {};
  void *slot = nullptr, *last = nullptr, *lastSlot = nullptr;
  for (int32_t round = 0; round < 3; ++round) {
    void *memory = nullptr;
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int32_t allocated = addAlloc(graph, {}, &memory);
    int32_t filled = mgpuGraphAddMemsetNode(graph, &allocated, 1, memory, 4, round, kCount);
    int32_t added = last ? addSum(graph, {filled}, memory, last) : filled;
    addFree(graph, {added}, last);
    mgpuGraphLaunch(graph, stream);
    last = memory;
  }
  MgpuGraph graph = mgpuGraphBegin(&lastSlot);
  int32_t copied = addCopy(graph, {}, host.data(), last);
  addFree(graph, {copied}, last);
  mgpuGraphLaunch(graph, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, Each(0 + 1 + 2));
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi2EventsJoinGraphsOnTwoStreams) {
  Values host = {};
  void *first = nullptr, *second = nullptr;
  MgpuStream other = mgpuStreamPoolAcquire();
  void *memory = mgpuMemAlloc(sizeof(Values), stream, false);
  mgpuMemset32(memory, 0, kCount, stream);
  for (int32_t round = 1; round <= 3; ++round) {
    MgpuEvent event = mgpuEventPoolAcquire(), back = mgpuEventPoolAcquire();
    MgpuGraph graph = mgpuGraphBegin(&first);
    int32_t added = addKernel(graph, {}, memory, round);
    mgpuGraphAddEventRecordNode(graph, &added, 1, event);
    mgpuGraphLaunch(graph, stream);
    graph = mgpuGraphBegin(&second);
    int32_t waited = mgpuGraphAddEventWaitNode(graph, nullptr, 0, event);
    int32_t copied = addCopy(graph, {waited}, host.data(), memory);
    mgpuGraphAddEventRecordNode(graph, &copied, 1, back);
    mgpuGraphLaunch(graph, other);
    mgpuStreamWaitEvent(stream, back);
    mgpuEventPoolRelease(event);
    mgpuEventPoolRelease(back);
  }
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_THAT(host, Each(6));
  EXPECT_EQ(instantiations, 2);
  mgpuStreamPoolRelease(other);
  expectClean();
}

TEST_P(SimulatedGraphTest, Graphabi8ResetWithALaunchInFlight) {
  static Values host;
  host = {};
  void *slot = nullptr;
  runAdd(&slot, stream, &host, 1);
  runAdd(&slot, stream, &host, 2);
  mgpuModuleUnload(module);
  mgpuStreamPoolRelease(stream);
  EXPECT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message();
  // That nothing waits for the launches is the program's fault, and the one thing to find.
  EXPECT_THAT(finish(), testing::Each(testing::HasSubstr("has not run at the end: nothing waits for it")));
}

TEST_P(SimulatedGraphTest, Graphabi9DriverErrorsNameTheNodesOp) {
  void *slot = nullptr;
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuSetOp("the free");
  addFree(graph, {}, reinterpret_cast<void *>(0x1000));
  mgpuSetOp("the launch");
  mgpuGraphLaunch(graph, stream);
  mgpuSetOp(nullptr);
  EXPECT_STREQ(status().call, nameOf("cuGraphAddMemFreeNode", "hipGraphAddMemFreeNode"));
  EXPECT_STREQ(status().op, "the free");
}

LOCKSTEP_UNDER_ALL_SCHEDULES(SimulatedGraphTest);
} // namespace
