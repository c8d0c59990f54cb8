// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

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

/// Every driver call of a program, made to fail, must reach the record.
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
  program();
  expectOk();
  std::set<std::string> names;
  for (const Seen &call : seen)
    names.insert(call.call);
  EXPECT_GT(names.size(), 20u);
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

TEST_F(RecorderTest, Abi12NothingIsSeenOnceRemoved) {
  mgpuSetRecorder(nullptr);
  mgpuStreamCreate();
  EXPECT_TRUE(seen.empty());
}
} // namespace
