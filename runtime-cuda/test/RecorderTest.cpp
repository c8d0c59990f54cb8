// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

#include <algorithm>
#include <thread>

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
struct Seen {
  std::string call, op;
  std::vector<uint64_t> arguments;
  int32_t code = -1;
  uint64_t thread = 0, sequence = 0, output = 0;
  bool isFinished = false;
};

class RecorderTest : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(mgpuInitialize(), kMgpuStatusOk);
    fake().clearCalls();
    MgpuRecorder recorder = {this, before, after};
    mgpuSetRecorder(&recorder);
  }

  static int32_t before(void *context, const MgpuCallRecord *record) {
    auto *self = static_cast<RecorderTest *>(context);
    Seen seen;
    seen.call = record->call;
    seen.op = record->op;
    seen.arguments.assign(record->arguments, record->arguments + record->argument_count);
    seen.thread = record->thread;
    seen.sequence = record->sequence;
    self->seen.push_back(seen);
    return record->call == self->faultCall ? self->faultCode : 0;
  }

  static void after(void *context, const MgpuCallRecord *record) {
    auto *self = static_cast<RecorderTest *>(context);
    for (Seen &seen : self->seen)
      if (seen.sequence == record->sequence) {
        seen.arguments.assign(record->arguments, record->arguments + record->argument_count);
        seen.code = record->code;
        seen.output = record->output;
        seen.isFinished = true;
      }
  }

  const Seen &find(const std::string &call) {
    for (const Seen &candidate : seen)
      if (candidate.call == call)
        return candidate;
    ADD_FAILURE() << call << " was not recorded";
    static Seen none;
    return none;
  }

  /// The newest call of that name.
  std::vector<Seen>::reverse_iterator findLast(const std::string &call) {
    return std::find_if(seen.rbegin(), seen.rend(), [&](const Seen &candidate) { return candidate.call == call; });
  }

  /// Every driver call of `program`, made to fail, must reach the record. It makes more than `atLeast` different ones.
  template <typename Program> void expectEveryFaultReported(Program program, size_t atLeast) {
    program();
    expectOk();
    std::set<std::string> names;
    for (const Seen &call : seen)
      names.insert(call.call);
    EXPECT_GT(names.size(), atLeast);
    for (const std::string &name : names) {
      mgpuSetRecorder(nullptr);
      mgpuReset();
      fake().registered.clear();
      MgpuRecorder recorder = {this, before, after};
      mgpuSetRecorder(&recorder);
      faultCall = name;
      faultCode = 999;
      // A thread of its own: a failed pop leaves the context current, and then nothing pushes.
      std::thread(program).join();
      EXPECT_EQ(status().code, 999) << name;
      EXPECT_EQ(status().call, name);
    }
  }

  std::vector<Seen> seen;
  std::string faultCall;
  int32_t faultCode = 0;
};

TEST_F(RecorderTest, Abi12SeesEveryCallInOrderWithItsArguments) {
  mgpuSetOp("op one");
  MgpuStream stream = mgpuStreamCreate();
  void *memory = mgpuMemAlloc(256, stream, false);
  mgpuSetOp("op two");
  mgpuMemset32(memory, 7, 64, stream);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  expectOk();
  std::vector<std::string> names;
  for (size_t index = 0; index < seen.size(); ++index) {
    names.push_back(seen[index].call);
    EXPECT_TRUE(seen[index].isFinished) << seen[index].call;
    EXPECT_EQ(seen[index].code, CUDA_SUCCESS);
    EXPECT_EQ(seen[index].sequence, seen[0].sequence + index);
    EXPECT_EQ(seen[index].thread, seen[0].thread);
  }
  EXPECT_EQ(names, fake().calls) << "the recorder and the driver must have seen the same";
  EXPECT_EQ(find("cuStreamCreate").output, reinterpret_cast<uintptr_t>(stream));
  EXPECT_EQ(find("cuStreamCreate").op, "op one");
  const Seen &alloc = find("cuMemAllocAsync");
  EXPECT_EQ(alloc.output, reinterpret_cast<uintptr_t>(memory));
  ASSERT_EQ(alloc.arguments.size(), 3u);
  EXPECT_EQ(alloc.arguments[1], 256u);
  EXPECT_EQ(alloc.arguments[2], reinterpret_cast<uintptr_t>(stream));
  const Seen &set = find("cuMemsetD32Async");
  EXPECT_THAT(set.arguments,
              testing::ElementsAre(reinterpret_cast<uintptr_t>(memory), 7, 64, reinterpret_cast<uintptr_t>(stream)));
  EXPECT_EQ(set.op, "op two");
}

TEST_F(RecorderTest, Abi12StructuresAreShownFieldByField) {
  MgpuStream stream = mgpuStreamCreate();
  char source[64], destination[64];
  int64_t sizes[] = {2, 3}, dstStrides[] = {8, 1}, srcStrides[] = {5, 1};
  mgpuMemcpyStrided(destination, source, 2, sizes, dstStrides, srcStrides, 1, stream);
  const Seen &copy = find("cuMemcpy2DAsync");
  ASSERT_EQ(copy.arguments.size(), 18u);
  EXPECT_EQ(copy.arguments[1 + 4], reinterpret_cast<uintptr_t>(source));       // srcDevice
  EXPECT_EQ(copy.arguments[1 + 6], 5u);                                        // srcPitch
  EXPECT_EQ(copy.arguments[1 + 11], reinterpret_cast<uintptr_t>(destination)); // dstDevice
  EXPECT_EQ(copy.arguments[1 + 13], 8u);                                       // dstPitch
  EXPECT_EQ(copy.arguments[1 + 14], 3u);                                       // WidthInBytes
  EXPECT_EQ(copy.arguments[1 + 15], 2u);                                       // Height
  EXPECT_EQ(copy.arguments[17], reinterpret_cast<uintptr_t>(stream));
}

TEST_F(RecorderTest, Abi13AnInjectedFaultStandsForTheDriversResult) {
  MgpuStream stream = mgpuStreamCreate();
  faultCall = "cuMemAllocAsync";
  faultCode = CUDA_ERROR_OUT_OF_MEMORY;
  EXPECT_EQ(mgpuMemAlloc(16, stream, false), nullptr);
  EXPECT_EQ(fake().count("cuMemAllocAsync"), 0) << "the driver must not be called";
  EXPECT_EQ(find("cuMemAllocAsync").code, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(status().code, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_STREQ(status().code_name, "CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(RecorderTest, Graphabi12NodesAndEdgesAreSeen) {
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = mgpuEventCreate();
  void *slot = nullptr, *memory = nullptr;
  mgpuSetOp("the region");
  MgpuGraph graph = mgpuGraphBegin(&slot);
  mgpuSetOp("alloc");
  int32_t allocated = mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memory);
  mgpuSetOp("fill");
  int32_t filled = mgpuGraphAddMemsetNode(graph, &allocated, 1, memory, 4, 7, 16);
  int32_t both[] = {filled, allocated};
  mgpuGraphAddEventRecordNode(graph, both, 2, event);
  mgpuGraphAddHostNode(graph, nullptr, 0, [](void *) {}, nullptr, 0);
  mgpuGraphLaunch(graph, stream);
  expectOk();
  const Seen &alloc = find("cuGraphAddMemAllocNode");
  EXPECT_EQ(alloc.op, "alloc");
  // Node, graph, no dependencies, then the structure: what the driver wrote is its last field.
  ASSERT_EQ(alloc.arguments.size(), 4u + 12);
  EXPECT_EQ(alloc.arguments[3], 0u);
  EXPECT_EQ(alloc.arguments[14], 64u);
  EXPECT_EQ(alloc.arguments[15], reinterpret_cast<uintptr_t>(memory));
  const Seen &empty = find("cuGraphAddEmptyNode");
  const Seen &fill = find("cuGraphAddMemsetNode");
  EXPECT_EQ(fill.op, "fill");
  ASSERT_EQ(fill.arguments.size(), 4u + 1 + 7 + 1);
  EXPECT_EQ(fill.arguments[1], empty.arguments[1]) << "the graph";
  EXPECT_EQ(fill.arguments[3], 1u) << "how many dependencies";
  EXPECT_EQ(fill.arguments[4], empty.output);
  EXPECT_EQ(fill.arguments[6], reinterpret_cast<uintptr_t>(memory));
  EXPECT_EQ(fill.arguments[8], 7u);
  EXPECT_EQ(fill.arguments[10], 16u);
  const Seen &record = find("cuGraphAddEventRecordNode");
  ASSERT_EQ(record.arguments.size(), 4u + 2 + 1);
  EXPECT_EQ(record.arguments[4], empty.output);
  EXPECT_EQ(record.arguments[5], fill.output);
  EXPECT_EQ(record.arguments[6], reinterpret_cast<uintptr_t>(event));
  EXPECT_EQ(find("cuGraphAddHostNode").arguments.size(), 4u + 3);
  const Seen &instantiated = *findLast("cuGraphInstantiate");
  EXPECT_EQ(instantiated.arguments[1], fill.arguments[1]);
  EXPECT_EQ(findLast("cuGraphLaunch")->arguments[0], instantiated.output);
  EXPECT_EQ(findLast("cuGraphLaunch")->arguments[1], reinterpret_cast<uintptr_t>(stream));
}

TEST_F(RecorderTest, Graphabi12CapturesAreSeen) {
  MgpuStream stream = mgpuStreamCreate();
  void *slot = nullptr;
  for (int round = 0; round < 2; ++round) {
    mgpuGraphCaptureBegin(&slot, stream);
    mgpuGraphCaptureLaunch(&slot, stream);
  }
  expectOk();
  EXPECT_EQ(find("cuStreamBeginCapture").arguments[0], reinterpret_cast<uintptr_t>(stream));
  EXPECT_EQ(find("cuStreamBeginCapture").arguments[1], uint64_t(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_NE(find("cuStreamEndCapture").output, 0u) << "the graph";
  EXPECT_EQ(find("cuGraphInstantiate").arguments[1], find("cuStreamEndCapture").output);
  const Seen &update = find("cuGraphExecUpdate");
  ASSERT_EQ(update.arguments.size(), 3u + 3);
  EXPECT_EQ(update.arguments[0], find("cuGraphInstantiate").output);
}

TEST_F(RecorderTest, Abi13AFaultAtEveryCallIsReported) {
  auto program = [] {
    char host[64] = {};
    int64_t sizes[] = {2, 2, 2}, strides[] = {16, 4, 1}, otherStrides[] = {32, 8, 1};
    MgpuModule module = mgpuModuleLoad(host, sizeof(host));
    MgpuFunction function = mgpuModuleGetFunction(module, "kernel");
    MgpuStream stream = mgpuStreamCreate();
    MgpuEvent event = mgpuEventCreate();
    auto *memory = static_cast<char *>(mgpuMemAlloc(64, stream, false));
    void *shared = mgpuMemAlloc(64, stream, true);
    mgpuMemHostRegister(host, sizeof(host));
    mgpuMemcpy(memory, host, 64, stream);
    mgpuMemcpyStrided(memory, host, 3, sizes, strides, otherStrides, 1, stream);
    mgpuMemset64(memory, 0x0000000100000002, 2, stream);
    mgpuMemsetStrided(memory, 2, sizes, strides, 1, 0, stream);
    mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
    mgpuEventRecord(event, stream);
    mgpuStreamWaitEvent(stream, event);
    mgpuLaunchHostFunc(stream, [](void *) {}, nullptr, 0);
    mgpuMemFree(shared, stream);
    mgpuMemFree(memory, stream);
    mgpuEventSynchronize(event);
    mgpuStreamSynchronize(stream);
    mgpuMemHostUnregister(host);
    mgpuEventDestroy(event);
    mgpuStreamDestroy(stream);
    mgpuModuleUnload(module);
  };
  expectEveryFaultReported(program, 20);
}

TEST_F(RecorderTest, Graphabi12AFaultAtEveryCallIsReported) {
  auto program = [] {
    char host[64] = {};
    int64_t sizes[] = {4}, strides[] = {1};
    void *slot = nullptr, *captured = nullptr;
    MgpuModule module = mgpuModuleLoad(host, sizeof(host));
    MgpuFunction function = mgpuModuleGetFunction(module, "kernel");
    MgpuStream streams[] = {mgpuStreamCreate(), mgpuStreamCreate()};
    MgpuEvent events[] = {mgpuEventCreate(), mgpuEventCreate()};
    for (int round : {0, 1}) {
      void *memory = nullptr, *params[] = {&round};
      int64_t bytes[] = {sizeof(round)};
      MgpuGraph graph = mgpuGraphBegin(&slot);
      int32_t allocated = mgpuGraphAddMemAllocNode(graph, nullptr, 0, 64, &memory);
      mgpuGraphAddKernelNode(graph, nullptr, 0, function, 1, 1, 1, 1, 1, 1, 64 * 1024, params, bytes, 1);
      mgpuGraphAddMemcpyNode(graph, nullptr, 0, host + 8 * round, host + 32, 8);
      mgpuGraphAddMemcpyStridedNode(graph, nullptr, 0, host + 41, host + 40, 1, sizes, strides, strides, 1);
      mgpuGraphAddMemsetNode(graph, nullptr, 0, host + 16 + 8 * round, 4, 1, 2);
      mgpuGraphAddHostNode(graph, nullptr, 0, [](void *) {}, &round, sizeof(round));
      mgpuGraphAddEventRecordNode(graph, nullptr, 0, events[round]);
      mgpuGraphAddEventWaitNode(graph, nullptr, 0, events[1 - round]);
      mgpuGraphAddMemFreeNode(graph, &allocated, 1, memory);
      mgpuGraphLaunch(graph, streams[round]);
      mgpuGraphCaptureBegin(&captured, streams[0]);
      mgpuMemFree(mgpuMemAlloc(8, streams[0], true), streams[0]);
      mgpuGraphCaptureLaunch(&captured, streams[0]);
    }
    mgpuGraphRelease(&slot);
    mgpuGraphRelease(&captured);
  };
  expectEveryFaultReported(program, 30);
}

TEST_F(RecorderTest, Abi12NothingIsSeenOnceRemoved) {
  mgpuSetRecorder(nullptr);
  mgpuStreamCreate();
  EXPECT_TRUE(seen.empty());
}
} // namespace
