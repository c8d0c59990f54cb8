// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

#include <cstring>

using namespace lockstep::cuda;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class MemoryTest : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    stream = mgpuStreamCreate();
  }
  MgpuStream stream = nullptr;
};

TEST_F(MemoryTest, Abi7AllocationIsStreamOrdered) {
  void *memory = mgpuMemAlloc(16, stream, false);
  mgpuMemFree(memory, stream);
  EXPECT_EQ(fake().count("cuMemAllocAsync"), 1);
  EXPECT_EQ(fake().count("cuMemFreeAsync"), 1);
  EXPECT_EQ(fake().count("cuMemAlloc"), 0);
  EXPECT_TRUE(fake().memory.empty());
  expectOk();
}

TEST_F(MemoryTest, Abi7NullStreamMeansNow) {
  void *memory = mgpuMemAlloc(16, nullptr, false);
  mgpuMemFree(memory, nullptr);
  EXPECT_EQ(fake().count("cuMemAlloc"), 1);
  EXPECT_EQ(fake().count("cuMemFree"), 1);
  EXPECT_EQ(fake().nullStreamUses, 0);
  expectOk();
}

TEST_F(MemoryTest, Abi7EmptyAllocationIsNullWithoutAnError) {
  EXPECT_EQ(mgpuMemAlloc(0, stream, false), nullptr);
  mgpuMemFree(nullptr, stream);
  mgpuMemcpy(nullptr, nullptr, 0, stream);
  mgpuMemset32(nullptr, 0, 0, stream);
  EXPECT_EQ(fake().count("cuMemAllocAsync"), 0);
  EXPECT_EQ(fake().count("cuMemFreeAsync"), 0);
  expectOk();
}

TEST_F(MemoryTest, Abi7HostSharedMemoryIsFreedOnlyBehindTheStreamsWork) {
  void *memory = mgpuMemAlloc(16, stream, true);
  EXPECT_EQ(fake().count("cuMemAllocManaged"), 1);
  fake().eventsAreReady = false;
  mgpuMemFree(memory, stream);
  EXPECT_EQ(fake().count("cuEventRecord"), 1);
  mgpuMemFree(nullptr, stream);
  EXPECT_EQ(fake().memory.size(), 1u) << "freed while in use";
  fake().eventsAreReady = true;
  mgpuStreamSynchronize(stream);
  EXPECT_TRUE(fake().memory.empty());
  EXPECT_EQ(fake().count("cuMemFreeAsync"), 0);
  // The event went back to the pool.
  mgpuMemFree(mgpuMemAlloc(16, stream, true), stream);
  EXPECT_EQ(fake().count("cuEventCreate"), 1);
  expectOk();
}

TEST_F(MemoryTest, Abi7HostSharedMemoryWithoutAStreamIsFreedAtOnce) {
  mgpuMemFree(mgpuMemAlloc(16, nullptr, true), nullptr);
  EXPECT_TRUE(fake().memory.empty());
  expectOk();
}

TEST_F(MemoryTest, Abi16ResetCarriesOutDeferredFrees) {
  fake().eventsAreReady = false;
  mgpuMemFree(mgpuMemAlloc(16, stream, true), stream);
  mgpuReset();
  EXPECT_TRUE(fake().memory.empty());
  EXPECT_EQ(fake().count("cuCtxSynchronize"), 1);
}

TEST_F(MemoryTest, FreeingTwiceIsTheDriversErrorToReport) {
  void *memory = mgpuMemAlloc(16, stream, false);
  mgpuMemFree(memory, stream);
  mgpuMemFree(memory, stream);
  EXPECT_STREQ(status().call, "cuMemFreeAsync");
}

TEST_F(MemoryTest, CopyAndFillsOfEveryWidth) {
  uint64_t data[4], copy[4];
  mgpuMemset8(data, 0xab, sizeof(data), stream);
  EXPECT_EQ(data[3], 0xababababababababull);
  mgpuMemset16(data, 0x1234, 4, stream);
  EXPECT_EQ(data[0], 0x1234123412341234ull);
  EXPECT_EQ(data[1], 0xababababababababull);
  mgpuMemset32(data, 0x89abcdef, 2, stream);
  EXPECT_EQ(data[0], 0x89abcdef89abcdefull);
  mgpuMemset64(data, 0x0123456789abcdefull, 3, stream);
  EXPECT_THAT(data,
              ElementsAre(0x0123456789abcdefull, 0x0123456789abcdefull, 0x0123456789abcdefull, 0xababababababababull));
  mgpuMemcpy(copy, data, sizeof(data), stream);
  EXPECT_EQ(std::memcmp(copy, data, sizeof(data)), 0);
  expectOk();
}

TEST_F(MemoryTest, Abi8FillOfEqualHalvesIsOneCall) {
  uint64_t data[5] = {1, 1, 1, 1, 1};
  fake().clearCalls();
  mgpuMemset64(data, 0, 4, stream);
  EXPECT_THAT(data, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(fake().count("cuMemsetD32Async"), 1);
  EXPECT_EQ(fake().count("cuMemsetD2D32Async"), 0);
}

TEST_F(MemoryTest, HostMemoryIsRegisteredOnce) {
  char buffer[64];
  mgpuMemHostRegister(buffer, sizeof(buffer));
  mgpuMemHostUnregister(buffer);
  mgpuMemHostRegister(buffer, sizeof(buffer));
  expectOk();
  mgpuMemHostRegister(buffer, sizeof(buffer));
  EXPECT_STREQ(status().call, "cuMemHostRegister");
}

/// The two-dimensional descriptor that MLIR passes.
struct Descriptor2D {
  char *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
  MgpuMemRef *get() { return reinterpret_cast<MgpuMemRef *>(this); }
};

TEST_F(MemoryTest, Abi17StridedHostMemrefRegistersTheSpannedBytes) {
  char buffer[400];
  Descriptor2D memref = {buffer, buffer, 3, {3, 2}, {10, -2}};
  mgpuMemHostRegisterMemRef(2, memref.get(), 4);
  ASSERT_EQ(fake().registrations.size(), 1u);
  // Elements 3 + {0, 10, 20} + {0, -2}: from 1 to 23.
  EXPECT_EQ(fake().registrations[0].first, buffer + 1 * 4);
  EXPECT_EQ(fake().registrations[0].second, (23 - 1 + 1) * 4u);
  mgpuMemHostUnregisterMemRef(2, memref.get(), 4);
  EXPECT_TRUE(fake().registered.empty());
  memref.sizes[1] = 0;
  mgpuMemHostRegisterMemRef(2, memref.get(), 4);
  mgpuMemHostUnregisterMemRef(2, memref.get(), 4);
  EXPECT_EQ(fake().registrations.size(), 1u);
  expectOk();
}

TEST_F(MemoryTest, Abi11TensorMapMemoryIsFreedAtReset) {
  float tensor[8][16];
  Descriptor2D memref = {reinterpret_cast<char *>(tensor), reinterpret_cast<char *>(tensor), 4, {8, 12}, {16, 1}};
  int64_t box[] = {2, 6};
  void *map = mgpuTensorMapEncodeTiledMemref(2, memref.get(), CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 0, 0, 0, 0, box);
  expectOk();
  ASSERT_NE(map, nullptr);
  const auto *words = static_cast<const uint64_t *>(map);
  EXPECT_EQ(words[1], 2u);
  EXPECT_EQ(words[2], reinterpret_cast<uintptr_t>(tensor) + 16);
  EXPECT_EQ(words[3], 12u) << "innermost first";
  EXPECT_EQ(words[4], 8u);
  EXPECT_EQ(words[8], 6u);
  EXPECT_EQ(words[9], 2u);
  EXPECT_EQ(words[12], 64u) << "the memref's own stride, not a dense one";
  EXPECT_EQ(fake().memory.size(), 1u);
  mgpuReset();
  EXPECT_TRUE(fake().memory.empty());
}

TEST_F(MemoryTest, TensorMapOfABadShapeIsRefused) {
  char bytes[8];
  Descriptor2D memref = {bytes, bytes, 0, {2, 2}, {1, 2}};
  int64_t box[] = {1, 1};
  EXPECT_EQ(mgpuTensorMapEncodeTiledMemref(2, memref.get(), CU_TENSOR_MAP_DATA_TYPE_UINT8, 0, 0, 0, 0, box), nullptr);
  EXPECT_THAT(message(), HasSubstr("dimension 1 of the tensor has stride 2"));
  mgpuReset();
  EXPECT_EQ(mgpuTensorMapEncodeTiledMemref(6, memref.get(), CU_TENSOR_MAP_DATA_TYPE_UINT8, 0, 0, 0, 0, box), nullptr);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
}

TEST_F(MemoryTest, PtxWithoutAZeroByteIsCopiedBeforeTheDriverReadsIt) {
  std::string ptx = "// ptx";
  MgpuRecorder recorder = {};
  recorder.context = &ptx;
  recorder.before = [](void *context, const MgpuCallRecord *record) {
    auto &text = *static_cast<std::string *>(context);
    if (std::string(record->call) == "cuModuleLoadData" &&
        record->arguments[1] == reinterpret_cast<uintptr_t>(text.data()))
      text = "passed as it is";
    return int32_t(0);
  };
  mgpuSetRecorder(&recorder);
  mgpuModuleLoad(ptx.data(), ptx.size());
  EXPECT_EQ(ptx, "// ptx");
  mgpuModuleLoad(ptx.data(), ptx.size() + 1);
  EXPECT_EQ(ptx, "passed as it is");
}

TEST_F(MemoryTest, Abi7HostSharedMemoryIsFreedOnAStreamOfAnotherDevice) {
  mgpuSetDefaultDevice(1);
  MgpuStream stream = mgpuStreamCreate();
  void *memory = mgpuMemAlloc(8, stream, true);
  mgpuSetDefaultDevice(0);
  mgpuMemFree(memory, stream);
  mgpuStreamSynchronize(stream);
  expectOk();
  EXPECT_TRUE(fake().managed.empty());
}
} // namespace
