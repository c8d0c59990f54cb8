// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/test/RuntimeTest.h"

#include <cstring>

using namespace lockstep::hip;
using testing::ElementsAre;

namespace {
class GraphTest : public RuntimeTest {
protected:
  void launchFill(MgpuStream stream, uint64_t value = 0) {
    MgpuGraph graph = mgpuGraphBegin(&slot);
    int64_t sizes[] = {3, 5}, strides[] = {16, 1};
    mgpuGraphAddMemsetStridedNode(graph, nullptr, 0, memory, 2, sizes, strides, 2, value);
    mgpuGraphLaunch(graph, stream);
  }

  /// The calls that decide which launch comes behind which.
  std::vector<std::string> order() {
    return fake().callsOf({"hipEventRecord", "hipStreamWaitEvent", "hipGraphLaunch"});
  }

  void *slot = nullptr;
  void *memory = reinterpret_cast<void *>(0x12340);
};

/// Where a version has the fields of hipMemsetParams, in bytes from its start.
struct MemsetLayout {
  int version;
  size_t destination, pitch, value, elementSize, width, height;
};

template <typename Field> Field read(const std::array<unsigned char, 48> &bytes, size_t offset) {
  Field result;
  std::memcpy(&result, bytes.data() + offset, sizeof(result));
  return result;
}

TEST_F(GraphTest, Abi19MemsetParamsHaveTheLayoutOfTheVersion) {
  for (const MemsetLayout &layout :
       {MemsetLayout{50221153, 0, 24, 32, 8, 40, 16}, MemsetLayout{60342134, 0, 24, 32, 8, 40, 16},
        MemsetLayout{69999999, 0, 24, 32, 8, 40, 16}, MemsetLayout{70000000, 0, 8, 16, 20, 24, 32}}) {
    SCOPED_TRACE(layout.version);
    useDriver(FAKE_DRIVER_PATH);
    fake().version = layout.version;
    MgpuStream stream = mgpuStreamCreate();
    // The first adds the node, the second sets it.
    launchFill(stream, 0x1111);
    launchFill(stream, 0x2222);
    expectOk();
    ASSERT_EQ(fake().fills.size(), 2u);
    for (uint32_t index = 0; index < 2; ++index) {
      EXPECT_EQ(read<void *>(fake().fills[index], layout.destination), memory);
      EXPECT_EQ(read<size_t>(fake().fills[index], layout.pitch), 32u);
      EXPECT_EQ(read<uint32_t>(fake().fills[index], layout.value), 0x1111 * (index + 1));
      EXPECT_EQ(read<uint32_t>(fake().fills[index], layout.elementSize), 2u);
      EXPECT_EQ(read<size_t>(fake().fills[index], layout.width), 5u);
      EXPECT_EQ(read<size_t>(fake().fills[index], layout.height), 3u);
    }
  }
}

TEST_F(GraphTest, Graphabi3ALaunchOnAnotherStreamWaitsForTheOneBefore) {
  MgpuStream first = mgpuStreamCreate(), second = mgpuStreamCreate();
  launchFill(first);
  launchFill(second);
  EXPECT_THAT(order(), ElementsAre("hipGraphLaunch exec1 stream1", "hipEventRecord event1 stream1",
                                   "hipStreamWaitEvent stream2 event1", "hipGraphLaunch exec1 stream2"));
  expectOk();
}

TEST_F(GraphTest, Graphabi3LaunchesOnOneStreamNeedNoEvent) {
  MgpuStream stream = mgpuStreamCreate();
  launchFill(stream);
  launchFill(stream);
  EXPECT_THAT(order(), ElementsAre("hipGraphLaunch exec1 stream1", "hipGraphLaunch exec1 stream1"));
  expectOk();
}

TEST_F(GraphTest, Graphabi3ADestroyedStreamIsNotWaitedFor) {
  MgpuStream first = mgpuStreamCreate(), second = mgpuStreamCreate();
  launchFill(first);
  mgpuStreamDestroy(first);
  launchFill(second);
  EXPECT_THAT(order(), ElementsAre("hipGraphLaunch exec1 stream1", "hipGraphLaunch exec1 stream2"));
  expectOk();
}

TEST_F(GraphTest, Graphabi3LaunchesOfCapturesWaitToo) {
  MgpuStream first = mgpuStreamCreate(), second = mgpuStreamCreate();
  for (MgpuStream stream : {first, second}) {
    mgpuGraphCaptureBegin(&slot, stream);
    mgpuGraphCaptureLaunch(&slot, stream);
  }
  EXPECT_THAT(order(), ElementsAre("hipGraphLaunch exec1 stream1", "hipEventRecord event1 stream1",
                                   "hipStreamWaitEvent stream2 event1", "hipGraphLaunch exec1 stream2"));
  expectOk();
}

TEST_F(GraphTest, Graphabi3WhatCannotBeOrderedIsNotLaunched) {
  MgpuStream first = mgpuStreamCreate(), second = mgpuStreamCreate();
  launchFill(first);
  MgpuRecorder failing = {nullptr,
                          [](void *, const MgpuCallRecord *record) -> int32_t {
                            return std::string(record->call) == "hipStreamWaitEvent" ? hipErrorInvalidHandle : 0;
                          },
                          nullptr};
  mgpuSetRecorder(&failing);
  launchFill(second);
  EXPECT_STREQ(status().call, "hipStreamWaitEvent");
  EXPECT_THAT(order(), ElementsAre("hipGraphLaunch exec1 stream1", "hipEventRecord event1 stream1"));
}
} // namespace
