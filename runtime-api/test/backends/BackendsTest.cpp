// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two backends do the same for the same program: what their drivers are asked to do, what comes back, and what is
// recorded where it fails (rule ABI-20).

#include "runtime-api/test/backends/Backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace lockstep::runtime::test;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

using Program = std::function<void(const Backend &)>;

/// Runs the program on both, and expects nothing to differ. Gives what happened.
std::vector<std::string> expectSame(const Program &program) {
  std::vector<std::string> cuda = transcriptOf(Backend::cuda(), program);
  EXPECT_THAT(compare(cuda, transcriptOf(Backend::hip(), program)), IsEmpty());
  return cuda;
}

MgpuFunction loadAdd(const Backend &api) {
  auto *image = const_cast<char *>(api.kernels.data());
  return api.mgpuModuleGetFunction(api.mgpuModuleLoad(image, api.kernels.size()), "add_value");
}

void launchAdd(const Backend &api, MgpuFunction function, void *memory, int32_t value, MgpuStream stream,
               int threads = 4) {
  void *params[] = {&memory, &value};
  api.mgpuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, params, nullptr, 2);
}

TEST(Backends, Abi20StreamsAreNonBlockingAndEventsUntimed) {
  std::vector<std::string> lines = expectSame([](const Backend &api) {
    MgpuStream stream = api.mgpuStreamCreate();
    MgpuEvent event = api.mgpuEventCreate();
    api.mgpuEventRecord(event, stream);
    api.mgpuStreamWaitEvent(stream, event);
    api.mgpuEventSynchronize(event);
    api.mgpuEventDestroy(event);
    api.mgpuEventDestroy(api.mgpuEventCreateTimed());
    api.mgpuStreamDestroy(stream);
  });
  EXPECT_THAT(lines, Contains("create a stream with flags 1"));
  EXPECT_THAT(lines, Contains("create an event with flags 2"));
  EXPECT_THAT(lines, Contains("create an event with flags 0"));
}

TEST(Backends, Abi20PoolsCreateOnce) {
  std::vector<std::string> lines = expectSame([](const Backend &api) {
    for (int round = 0; round < 3; ++round) {
      MgpuStream stream = api.mgpuStreamPoolAcquire();
      MgpuEvent event = api.mgpuEventPoolAcquire();
      api.mgpuEventRecord(event, stream);
      api.mgpuEventPoolRetain(event, 1);
      api.mgpuStreamSynchronize(stream);
      api.mgpuEventPoolRelease(event);
      api.mgpuEventPoolRelease(event);
      api.mgpuStreamPoolRelease(stream);
    }
  });
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "create an event with flags 2"), 1);
}

TEST(Backends, Abi20NothingOfZeroBytesIsAllocated) {
  EXPECT_THAT(expectSame([](const Backend &api) {
                MgpuStream stream = api.mgpuStreamPoolAcquire();
                EXPECT_EQ(api.mgpuMemAlloc(0, stream, false), nullptr) << api.name;
                api.mgpuMemFree(nullptr, stream);
                api.mgpuStreamPoolRelease(stream);
              }),
              Not(Contains(HasSubstr("allocate"))));
}

TEST(Backends, Abi20FillsOfEveryWidth) {
  std::vector<std::string> lines = expectSame([](const Backend &api) {
    MgpuStream stream = api.mgpuStreamPoolAcquire();
    void *memory = api.mgpuMemAlloc(64, stream, false);
    api.mgpuMemset8(memory, 0xab, 64, stream);
    api.mgpuMemset16(memory, 0x1234, 4, stream);
    api.mgpuMemset32(memory, 0x89abcdef, 2, stream);
    api.mgpuMemset64(memory, 0x1111111111111111, 2, stream);
    api.mgpuMemFree(memory, stream);
    api.mgpuStreamSynchronize(stream);
    api.mgpuStreamPoolRelease(stream);
  });
  EXPECT_THAT(lines, Contains("fill with 16-bit value, count 4660 4"));
}

TEST(Backends, Abi20CopiesOfEveryShape) {
  std::vector<std::string> lines = expectSame([](const Backend &api) {
    MgpuStream stream = api.mgpuStreamPoolAcquire();
    static char host[4096];
    void *memory = api.mgpuMemAlloc(4096, stream, false);
    int64_t sizes[] = {2, 3, 4}, dense[] = {12, 4, 1}, sliced[] = {100, 10, 1}, transposed[] = {1, 2, 6};
    api.mgpuMemcpy(memory, host, 64, stream);
    api.mgpuMemcpyStrided(memory, host, 3, sizes, dense, dense, 4, stream);
    api.mgpuMemcpyStrided(memory, host, 2, sizes + 1, dense + 1, sliced + 1, 4, stream);
    api.mgpuMemcpyStrided(memory, host, 3, sizes, dense, sliced, 4, stream);
    api.mgpuMemcpyStrided(memory, host, 3, sizes, dense, transposed, 4, stream);
    api.mgpuMemFree(memory, stream);
    api.mgpuStreamSynchronize(stream);
    api.mgpuStreamPoolRelease(stream);
  });
  EXPECT_THAT(lines, Contains("copy bytes 64"));
  EXPECT_THAT(lines, Contains("copy rows"));
  EXPECT_THAT(lines, Contains("copy slices"));
}

TEST(Backends, Abi20LaunchesAndHostFunctions) {
  static int32_t runs;
  runs = 0;
  expectSame([](const Backend &api) {
    MgpuStream stream = api.mgpuStreamPoolAcquire();
    void *memory = api.mgpuMemAlloc(16, stream, false);
    api.mgpuMemset32(memory, 5, 4, stream);
    launchAdd(api, loadAdd(api), memory, 2, stream);
    int32_t host[4] = {}, one = 1;
    api.mgpuMemcpy(host, memory, 16, stream);
    api.mgpuLaunchHostFunc(stream, [](void *data) { runs += *static_cast<int32_t *>(data); }, &one, sizeof one);
    api.mgpuMemFree(memory, stream);
    api.mgpuStreamSynchronize(stream);
    EXPECT_THAT(host, testing::Each(7)) << api.name;
    api.mgpuStreamPoolRelease(stream);
  });
  EXPECT_EQ(runs, 2);
}

TEST(Backends, Abi20GraphsAreBuiltSetAndLaunched) {
  std::vector<std::string> lines = expectSame([](const Backend &api) {
    MgpuStream stream = api.mgpuStreamPoolAcquire();
    void *memory = api.mgpuMemAlloc(16, stream, false), *slot = nullptr;
    MgpuFunction add = loadAdd(api);
    for (int32_t round = 0; round < 3; ++round) {
      MgpuGraph graph = api.mgpuGraphBegin(&slot);
      int32_t filled = api.mgpuGraphAddMemsetNode(graph, nullptr, 0, memory, 4, round, 4);
      void *params[] = {&memory, &round};
      int64_t bytes[] = {sizeof memory, sizeof round};
      api.mgpuGraphAddKernelNode(graph, &filled, 1, add, 1, 1, 1, 4, 1, 1, 0, params, bytes, 2);
      api.mgpuGraphAddMemsetNode(graph, nullptr, 0, memory, 4, 0, 0);
      api.mgpuGraphLaunch(graph, stream);
    }
    int32_t host[4] = {};
    api.mgpuMemcpy(host, memory, 16, stream);
    api.mgpuMemFree(memory, stream);
    api.mgpuStreamSynchronize(stream);
    EXPECT_THAT(host, testing::Each(4)) << api.name;
    api.mgpuGraphRelease(&slot);
    api.mgpuStreamPoolRelease(stream);
  });
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "instantiate"), 1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "set a kernel node"), 2);
}

TEST(Backends, Abi20CapturesAreUpdated) {
  std::vector<std::string> lines = expectSame([](const Backend &api) {
    MgpuStream stream = api.mgpuStreamPoolAcquire();
    void *memory = api.mgpuMemAlloc(16, stream, false), *slot = nullptr;
    for (unsigned round = 0; round < 3; ++round) {
      api.mgpuGraphCaptureBegin(&slot, stream);
      api.mgpuMemset32(memory, round, 4, stream);
      api.mgpuGraphCaptureLaunch(&slot, stream);
    }
    api.mgpuMemFree(memory, stream);
    api.mgpuStreamSynchronize(stream);
    api.mgpuGraphRelease(&slot);
    api.mgpuStreamPoolRelease(stream);
  });
  EXPECT_THAT(lines, Contains("begin a capture in mode 1"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "update"), 2);
}

TEST(Backends, Abi20FailuresAreRecordedAlike) {
  for (const Program &program : std::initializer_list<Program>{
           [](const Backend &api) { api.mgpuStreamSynchronize(nullptr); },
           [](const Backend &api) {
             MgpuStream stream = api.mgpuStreamCreate();
             api.mgpuStreamDestroy(stream);
             api.mgpuStreamDestroy(stream);
           },
           [](const Backend &api) { api.mgpuSetDefaultDevice(7); },
           [](const Backend &api) {
             api.mgpuSetOp("a.mlir:1:2 launch_func");
             MgpuStream stream = api.mgpuStreamPoolAcquire();
             launchAdd(api, loadAdd(api), nullptr, 0, stream, /*threads=*/5000);
             api.mgpuSetOp(nullptr);
             api.mgpuStreamPoolRelease(stream);
           },
           [](const Backend &api) { api.mgpuModuleGetFunction(api.mgpuModuleLoad(nullptr, 0), "k"); },
           [](const Backend &api) {
             void *slot = nullptr;
             api.mgpuGraphLaunch(nullptr, nullptr);
             api.mgpuGraphRelease(&slot);
           },
       }) {
    std::vector<std::string> lines = expectSame(program);
    EXPECT_THAT(lines.back(), HasSubstr("failure of kind"));
  }
}

TEST(Backends, Abi20ADifferenceIsSeen) {
  Program right = [](const Backend &api) { api.mgpuStreamDestroy(api.mgpuStreamCreate()); };
  Program wrong = [](const Backend &api) {
    MgpuStream stream = api.mgpuStreamCreate();
    api.mgpuStreamSynchronize(stream);
    api.mgpuStreamDestroy(stream);
  };
  EXPECT_THAT(compare(transcriptOf(Backend::cuda(), right), transcriptOf(Backend::hip(), wrong)),
              Contains("cuda: destroy a stream; hip: wait for a stream"));
  Program failing = [](const Backend &api) { api.mgpuStreamSynchronize(nullptr); };
  EXPECT_THAT(compare(transcriptOf(Backend::cuda(), right), transcriptOf(Backend::hip(), failing)), Not(IsEmpty()));
}

} // namespace
