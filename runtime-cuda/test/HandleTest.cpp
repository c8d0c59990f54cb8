// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

#include <functional>

using namespace lockstep::cuda;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {
class HandleTest : public RuntimeTest {
protected:
  void TearDown() override {
    if (mgpuStatusGet(nullptr) != kMgpuStatusOk) {
      EXPECT_EQ(fake().badHandleUses, 0) << "the driver saw a bad handle";
    }
    RuntimeTest::TearDown();
  }

  /// Expects a refused handle with the given end of the message.
  void expectRefused(const char *function, const std::string &text) {
    EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle);
    EXPECT_STREQ(status().function, function);
    EXPECT_THAT(message(), HasSubstr(text));
    EXPECT_STREQ(status().call, "");
  }

  char image = 0;
};

TEST_F(HandleTest, Abi3StreamPassedAsEvent) {
  MgpuStream stream = mgpuStreamCreate();
  fake().clearCalls();
  mgpuStreamWaitEvent(stream, reinterpret_cast<MgpuEvent>(stream));
  expectRefused("mgpuStreamWaitEvent", "argument 'event' must be an event, but ");
  EXPECT_THAT(message(), HasSubstr(" is a stream"));
  EXPECT_EQ(fake().count("cuStreamWaitEvent"), 0);
}

TEST_F(HandleTest, Abi3StreamSynchronisedAsEvent) {
  MgpuStream stream = mgpuStreamCreate();
  mgpuEventSynchronize(reinterpret_cast<MgpuEvent>(stream));
  expectRefused("mgpuEventSynchronize", " is a stream");
}

TEST_F(HandleTest, Abi3EventPassedAsStream) {
  MgpuEvent event = mgpuEventCreate();
  mgpuStreamSynchronize(reinterpret_cast<MgpuStream>(event));
  expectRefused("mgpuStreamSynchronize", "must be a stream, but ");
  EXPECT_THAT(message(), HasSubstr(" is an event"));
}

TEST_F(HandleTest, Abi3ModulePassedAsFunction) {
  MgpuModule module = mgpuModuleLoad(&image, 1);
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchKernel(reinterpret_cast<MgpuFunction>(module), 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
  expectRefused("mgpuLaunchKernel", " is a module");
}

TEST_F(HandleTest, Abi4DoubleDestroyOfAStream) {
  MgpuStream stream = mgpuStreamCreate();
  mgpuStreamDestroy(stream);
  expectOk();
  mgpuStreamDestroy(stream);
  expectRefused("mgpuStreamDestroy", " was destroyed");
}

TEST_F(HandleTest, Abi4UseAfterDestroyOfAnEvent) {
  MgpuEvent event = mgpuEventCreate();
  mgpuEventDestroy(event);
  mgpuEventSynchronize(event);
  expectRefused("mgpuEventSynchronize", " was destroyed");
}

TEST_F(HandleTest, Abi4DestroyedStreamAsEventNamesBoth) {
  MgpuStream stream = mgpuStreamCreate();
  mgpuStreamDestroy(stream);
  mgpuEventSynchronize(reinterpret_cast<MgpuEvent>(stream));
  expectRefused("mgpuEventSynchronize", " is a destroyed handle, once a stream");
}

TEST_F(HandleTest, Abi4FunctionsDieWithTheirModule) {
  MgpuModule module = mgpuModuleLoad(&image, 1);
  MgpuFunction function = mgpuModuleGetFunction(module, "kernel");
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
  expectOk();
  mgpuModuleUnload(module);
  mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
  expectRefused("mgpuLaunchKernel", "argument 'function' must be a function, but ");
}

TEST_F(HandleTest, Abi4AnAddressUsedAgainIsANewObject) {
  MgpuStream stream = mgpuStreamCreate();
  mgpuStreamDestroy(stream);
  ASSERT_EQ(mgpuStreamCreate(), stream) << "the fake hands out the same address again";
  mgpuStreamSynchronize(stream);
  expectOk();
  mgpuStreamDestroy(stream);
  ASSERT_EQ(reinterpret_cast<MgpuStream>(mgpuEventCreate()), stream);
  mgpuStreamSynchronize(stream);
  expectRefused("mgpuStreamSynchronize", " is an event");
}

TEST_F(HandleTest, Abi5ForeignHandle) {
  int foreign = 0;
  mgpuStreamSynchronize(reinterpret_cast<MgpuStream>(&foreign));
  expectRefused("mgpuStreamSynchronize", " is no handle that this library gave out");
}

TEST_F(HandleTest, Abi6NullStreamIsRefusedEverywhereButAllocAndFree) {
  MgpuEvent event = mgpuEventCreate();
  MgpuFunction function = mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "kernel");
  expectOk();
  char buffer[64] = {};
  int64_t one = 1;
  struct Descriptor {
    char *allocated, *aligned;
    int64_t offset;
  } descriptor = {buffer, buffer, 0};
  auto *memref = reinterpret_cast<MgpuMemRef *>(&descriptor);
  std::vector<std::function<void()>> calls = {
      [&] { mgpuStreamDestroy(nullptr); },
      [&] { mgpuStreamSynchronize(nullptr); },
      [&] { mgpuStreamWaitEvent(nullptr, event); },
      [&] { mgpuStreamWaitChain(nullptr, event); },
      [&] { mgpuStreamWaitChain(nullptr, nullptr); },
      [&] { mgpuEventRecord(event, nullptr); },
      [&] { mgpuMemcpy(buffer, buffer + 8, 8, nullptr); },
      [&] { mgpuMemset8(buffer, 1, 1, nullptr); },
      [&] { mgpuMemset16(buffer, 1, 1, nullptr); },
      [&] { mgpuMemset32(buffer, 1, 1, nullptr); },
      [&] { mgpuMemset64(buffer, 1, 1, nullptr); },
      [&] { mgpuMemcpyStrided(buffer, buffer + 8, 1, &one, &one, &one, 1, nullptr); },
      [&] { mgpuMemsetStrided(buffer, 1, &one, &one, 1, 0, nullptr); },
      [&] { mgpuMemcpyMemRef(0, memref, 0, memref, 1, nullptr); },
      [&] { mgpuMemsetMemRef(0, memref, 1, 0, nullptr); },
      [&] { mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr, 0); },
      [&] { mgpuLaunchClusterKernel(function, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr, 0); },
      [&] { mgpuLaunchHostFunc(nullptr, [](void *) {}, nullptr, 0); },
      [&] { mgpuStreamPoolRelease(nullptr); },
  };
  for (size_t index = 0; index < calls.size(); ++index) {
    mgpuReset();
    event = mgpuEventCreate();
    function = mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "kernel");
    calls[index]();
    EXPECT_EQ(status().kind, kMgpuStatusInvalidHandle) << "call " << index;
    EXPECT_THAT(message(), HasSubstr("argument 'stream' must be a stream, but is null")) << "call " << index;
  }
  EXPECT_EQ(fake().nullStreamUses, 0);
}

TEST_F(HandleTest, Abi4DestroyingAPooledObjectIsRefused) {
  mgpuStreamDestroy(mgpuStreamPoolAcquire());
  expectRefused("mgpuStreamDestroy", "is a stream of the pool; release it");
}

TEST_F(HandleTest, LaunchSizesThatDoNotFitAreRefused) {
  MgpuFunction function = mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "kernel");
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchKernel(function, 1, intptr_t(1) << 33, 1, 1, 1, 1, 0, stream, nullptr, nullptr, 0);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
  EXPECT_THAT(message(), HasSubstr("the grid size in y is 8589934592"));
}

TEST_F(HandleTest, MissingKernelIsNamed) {
  EXPECT_EQ(mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "missing"), nullptr);
  EXPECT_THAT(message(), HasSubstr("the kernel asked for is 'missing'"));
}

TEST_F(HandleTest, CompilerLogIsInTheRecord) {
  failCall("cuModuleLoadDataEx", static_cast<CUresult>(218));
  EXPECT_EQ(mgpuModuleLoadJIT(&image, 2), nullptr);
  EXPECT_THAT(message(), testing::EndsWith("the compiler says: line 3: bad opcode"));
}

TEST_F(HandleTest, UnloadAfterTheDriverEndedIsNoFailure) {
  MgpuModule module = mgpuModuleLoad(&image, 1);
  failCall("cuModuleUnload", CUDA_ERROR_DEINITIALIZED);
  mgpuModuleUnload(module);
  expectOk();
}

TEST_F(HandleTest, MoreSharedMemoryThanTheDefaultIsAskedFor) {
  MgpuFunction function = mgpuModuleGetFunction(mgpuModuleLoad(&image, 1), "kernel");
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 48 * 1024, stream, nullptr, nullptr, 0);
  EXPECT_EQ(fake().count("cuFuncSetAttribute"), 0);
  mgpuLaunchClusterKernel(function, 2, 1, 1, 2, 1, 1, 1, 1, 1, 48 * 1024 + 1, stream, nullptr, nullptr, 0);
  EXPECT_EQ(fake().count("cuFuncSetAttribute"), 1);
  EXPECT_EQ(fake().count("cuLaunchKernelEx"), 1);
  expectOk();
}
} // namespace
