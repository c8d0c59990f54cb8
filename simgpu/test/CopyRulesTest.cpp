// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules COPY-1 to COPY-9: what copies and fills promise to the host, and that they move the right bytes.

#include "simgpu/test/DriverUnderTest.h"

#include <numeric>

namespace lockstep::simgpu::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

/// Copies of 4 bytes in every direction, on a device that does nothing it is not made to do.
class CopyRules : public OrderTest {
protected:
  void SetUp() override { begin("lazy"); }

  void begin(const std::string &schedule) {
    start(schedule);
    order.clear();
    void *pages = nullptr;
    ASSERT_OK(cu.cuMemHostAlloc(&pages, 64, 0));
    pinned = static_cast<int *>(pages);
    device = allocate(64);
    other = allocate(64);
    pageable = 1;
    *pinned = 2;
  }
  CUdeviceptr addressOf(const int *host) const { return reinterpret_cast<CUdeviceptr>(host); }
  int deviceValue(CUdeviceptr address) {
    int value = 0;
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_OK(cu.cuMemcpyDtoH_v2(&value, address, sizeof value));
    return value;
  }
  /// Sets device memory for sure.
  void setDevice(CUdeviceptr address, int value) {
    EXPECT_OK(cu.cuMemsetD32_v2(address, value, 1));
    EXPECT_OK(cu.cuCtxSynchronize());
  }

  int pageable = 0;
  int *pinned = nullptr;
  CUdeviceptr device = 0, other = 0;
};

TEST_F(CopyRules, COPY_1_SyncFromPageableReadsTheSourceBeforeItReturns) {
  for (const std::string &schedule : listSchedules()) {
    begin(schedule);
    EXPECT_OK(cu.cuMemcpyHtoD_v2(device, &pageable, 4));
    pageable = 99;
    EXPECT_EQ(deviceValue(device), 1);
  }
}

TEST_F(CopyRules, COPY_1_SyncFromPageableFirstWaitsForTheStream) {
  mark(nullptr, 'a');
  EXPECT_OK(cu.cuMemcpyHtoD_v2(device, &pageable, 4));
  EXPECT_EQ(order, "a");
}

TEST_F(CopyRules, COPY_1_SyncFromPageableMayReturnBeforeTheDeviceHasTheBytes) {
  setDevice(device, 5);
  EXPECT_OK(cu.cuMemcpyHtoD_v2(device, &pageable, 4));
  CUstream stream = createStream(); // Has no edge to the copy.
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(pinned, device, 4, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(*pinned, 5) << "the copy to the device was complete, which nobody promises";
}

TEST_F(CopyRules, COPY_1_AsyncFromPageableMayReadTheSourceLate) {
  EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, &pageable, 4, createStream()));
  pageable = 99;
  EXPECT_EQ(deviceValue(device), 99);
}

TEST_F(CopyRules, COPY_1_AsyncFromPageableMayReadTheSourceDuringTheCall) {
  begin("eager");
  EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, &pageable, 4, createStream()));
  pageable = 99;
  EXPECT_EQ(deviceValue(device), 1);
}

TEST_F(CopyRules, COPY_1_ARandomScheduleDoesBoth) {
  std::vector<int> seen;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    begin("random:" + std::to_string(seed));
    EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, &pageable, 4, createStream()));
    pageable = 99;
    seen.push_back(deviceValue(device));
  }
  EXPECT_THAT(seen, Contains(1));
  EXPECT_THAT(seen, Contains(99));
}

TEST_F(CopyRules, COPY_2_SyncFromPinnedIsSynchronous) {
  EXPECT_OK(cu.cuMemcpyHtoD_v2(device, pinned, 4));
  CUstream stream = createStream();
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(pinned + 1, device, 4, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(pinned[1], 2);
}

TEST_F(CopyRules, COPY_2_AsyncFromPinnedReadsWhenItRuns) {
  EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, pinned, 4, createStream()));
  *pinned = 99;
  EXPECT_EQ(deviceValue(device), 99);
}

TEST_F(CopyRules, COPY_2_RegisteredMemoryIsPinned) {
  std::vector<int> host(1024, 7);
  ASSERT_OK(cu.cuMemHostRegister_v2(host.data(), host.size() * 4, 0));
  EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, host.data(), 4, createStream()));
  host[0] = 99;
  EXPECT_EQ(deviceValue(device), 99);
  EXPECT_OK(cu.cuMemHostUnregister(host.data()));
}

TEST_F(CopyRules, COPY_3_SyncToPageableReturnsWhenDone) {
  for (const std::string &schedule : listSchedules()) {
    begin(schedule);
    EXPECT_OK(cu.cuMemsetD32_v2(device, 8, 1));
    EXPECT_OK(cu.cuMemcpyDtoH_v2(&pageable, device, 4));
    EXPECT_EQ(pageable, 8);
  }
}

TEST_F(CopyRules, COPY_3_AsyncToPageableNeedNotBeSynchronous) {
  setDevice(device, 8);
  CUstream stream = createStream();
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(&pageable, device, 4, stream));
  EXPECT_EQ(pageable, 1);
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(pageable, 8);
}

TEST_F(CopyRules, COPY_4_SyncToPinnedReturnsWhenDone) {
  EXPECT_OK(cu.cuMemsetD32_v2(device, 8, 1));
  EXPECT_OK(cu.cuMemcpyDtoH_v2(pinned, device, 4));
  EXPECT_EQ(*pinned, 8);
}

TEST_F(CopyRules, COPY_4_AsyncToPinnedIsAsynchronous) {
  setDevice(device, 8);
  CUstream stream = createStream();
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(pinned, device, 4, stream));
  EXPECT_EQ(*pinned, 2);
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(*pinned, 8);
}

TEST_F(CopyRules, COPY_5_DeviceToDeviceDoesNotWaitEvenInTheSyncForm) {
  setDevice(other, 3);
  mark(nullptr, 'a');
  EXPECT_OK(cu.cuMemcpyDtoD_v2(device, other, 4));
  EXPECT_OK(cu.cuMemcpyDtoDAsync_v2(device, other, 4, createStream()));
  EXPECT_EQ(order, "");
  EXPECT_EQ(deviceValue(device), 3);
}

TEST_F(CopyRules, COPY_6_HostToHostIsSynchronousInBothForms) {
  int target = 0;
  EXPECT_OK(cu.cuMemcpy(addressOf(&target), addressOf(&pageable), 4));
  EXPECT_EQ(target, 1);
  EXPECT_OK(cu.cuMemcpyAsync(addressOf(&target), addressOf(pinned), 4, createStream()));
  EXPECT_EQ(target, 2);
}

TEST_F(CopyRules, COPY_7_FillOfDeviceMemoryDoesNotWaitEvenInTheSyncForm) {
  mark(nullptr, 'a');
  EXPECT_OK(cu.cuMemsetD32_v2(device, 1, 1));
  EXPECT_OK(cu.cuMemsetD32Async(device, 1, 1, createStream()));
  EXPECT_EQ(order, "");
}

TEST_F(CopyRules, COPY_8_FillOfPinnedAndManagedMemoryIsSynchronous) {
  EXPECT_OK(cu.cuMemsetD32_v2(addressOf(pinned), 6, 1));
  EXPECT_EQ(*pinned, 6);
  CUdeviceptr managed;
  ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(cu.cuMemsetD32_v2(managed, 6, 1));
  EXPECT_EQ(*reinterpret_cast<int *>(managed), 6);
}

TEST_F(CopyRules, COPY_8_TheAsyncFormDoesNotWait) {
  EXPECT_OK(cu.cuMemsetD32Async(addressOf(pinned), 6, 1, createStream()));
  EXPECT_EQ(*pinned, 2);
}

TEST_F(CopyRules, COPY_9_OutOfRangeIsRefusedAndFound) {
  EXPECT_EQ(cu.cuMemcpyHtoD_v2(device + 32, pinned, 33), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyAsync(device, addressOf(pinned), 65, createStream()), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD8_v2(device, 0, 65), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyDtoH_v2(&pageable, 0, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), Each(std::string("COPY-9")));
  EXPECT_EQ(listRules().size(), 4u);
  EXPECT_OK(cu.cuMemcpyHtoD_v2(device + 32, pinned, 32));
}

TEST_F(CopyRules, COPY_9_TheFindingNamesCallArgumentAndAllocation) {
  cu.setOp("program.mlir:3:1 memcpy");
  EXPECT_EQ(cu.cuMemcpyDtoDAsync_v2(device, other, 65, createStream()), CUDA_ERROR_INVALID_VALUE);
  cu.setOp(nullptr);
  LockstepSimFinding finding;
  ASSERT_EQ(cu.finding(0, &finding), 0);
  EXPECT_STREQ(finding.call, "cuMemcpyDtoDAsync_v2");
  EXPECT_STREQ(finding.oracle, "memory");
  EXPECT_STREQ(finding.op, "program.mlir:3:1 memcpy");
  EXPECT_STREQ(finding.message,
               "argument dst: 65 bytes from offset 0 are out of range of allocation 2 of 64 bytes by cuMemAlloc_v2");
}

TEST_F(CopyRules, COPY_9_TheNamedDirectionMustBeTrue) {
  EXPECT_EQ(cu.cuMemcpyDtoH_v2(&pageable, addressOf(&pageable), 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemcpyHtoD_v2(device, reinterpret_cast<void *>(other), 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(listRules(), (std::vector<std::string>{"COPY-9", "COPY-9"}));
}

TEST_F(CopyRules, COPY_9_AnEmptyCopyIsASuccess) {
  EXPECT_OK(cu.cuMemcpyHtoD_v2(0, nullptr, 0));
  EXPECT_OK(cu.cuMemsetD8_v2(0, 0, 0));
  EXPECT_THAT(listFindings(), IsEmpty());
}

class Strided : public DeviceTest {
protected:
  /// 6 rows of 8 bytes, numbered through.
  std::vector<uint8_t> numbered() {
    std::vector<uint8_t> bytes(48);
    std::iota(bytes.begin(), bytes.end(), 0);
    return bytes;
  }
};

TEST_F(Strided, Copy2DMovesTheRectangleBothWays) {
  std::vector<uint8_t> host = numbered(), back(48, 0xEE);
  CUdeviceptr device = allocate(2 * 16);
  CUDA_MEMCPY2D in = {};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = host.data();
  in.srcPitch = 8;
  in.srcXInBytes = 2;
  in.srcY = 1;
  in.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  in.dstDevice = device;
  in.dstPitch = 16;
  in.WidthInBytes = 3;
  in.Height = 2;
  ASSERT_OK(cu.cuMemcpy2D_v2(&in));
  std::vector<uint8_t> held = read(device, 32);
  EXPECT_EQ(std::vector<uint8_t>(held.begin(), held.begin() + 4), (std::vector<uint8_t>{10, 11, 12, 0xA5}));
  EXPECT_EQ(std::vector<uint8_t>(held.begin() + 16, held.begin() + 20), (std::vector<uint8_t>{18, 19, 20, 0xA5}));
  CUDA_MEMCPY2D out = {};
  out.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  out.srcDevice = device;
  out.srcPitch = 16;
  out.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  out.dstDevice = reinterpret_cast<CUdeviceptr>(back.data());
  out.dstPitch = 8;
  out.WidthInBytes = 3;
  out.Height = 2;
  CUstream stream = createStream();
  ASSERT_OK(cu.cuMemcpy2DAsync_v2(&out, stream));
  ASSERT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(back[8], 18);
  EXPECT_EQ(back[3], 0xEE) << "bytes between the rows must stay";
}

TEST_F(Strided, Copy3DMovesTheBox) {
  std::vector<uint8_t> host = numbered(), back(48, 0xEE);
  CUdeviceptr device = allocate(48);
  ASSERT_OK(cu.cuMemcpyHtoD_v2(device, host.data(), 48));
  CUDA_MEMCPY3D copy = {}; // 2 slices of 3 rows of 8 bytes; the box of 2 x 2 x 2 at x 1, y 1.
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = device;
  copy.srcPitch = 8;
  copy.srcHeight = 3;
  copy.srcXInBytes = 1;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back.data();
  copy.dstPitch = 2;
  copy.dstHeight = 2;
  copy.WidthInBytes = 2;
  copy.Height = 2;
  copy.Depth = 2;
  ASSERT_OK(cu.cuMemcpy3D_v2(&copy));
  EXPECT_EQ(std::vector<uint8_t>(back.begin(), back.begin() + 9),
            (std::vector<uint8_t>{9, 10, 17, 18, 33, 34, 41, 42, 0xEE}));
}

TEST_F(Strided, ARangeCountsUpToTheLastByteOfTheLastRow) {
  CUdeviceptr device = allocate(16 + 3);
  EXPECT_OK(cu.cuMemsetD2D8_v2(device, 16, 7, 3, 2));
  EXPECT_EQ(cu.cuMemsetD2D8_v2(device, 16, 7, 4, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD2D8_v2(device, 2, 7, 3, 2), CUDA_ERROR_INVALID_VALUE) << "rows must not overlap";
}

TEST_F(Strided, FillsWriteEveryWidth) {
  CUdeviceptr device = allocate(64);
  ASSERT_OK(cu.cuMemsetD8_v2(device, 0x11, 64));
  ASSERT_OK(cu.cuMemsetD16_v2(device, 0x2233, 2));
  ASSERT_OK(cu.cuMemsetD32_v2(device + 8, 0x44556677, 1));
  ASSERT_OK(cu.cuMemsetD2D16_v2(device + 16, 8, 0x8899, 1, 2));
  ASSERT_OK(cu.cuMemsetD2D32_v2(device + 32, 8, 0xAABBCCDD, 1, 2));
  std::vector<uint8_t> held = read(device, 48);
  EXPECT_EQ(std::vector<uint8_t>(held.begin(), held.begin() + 13),
            (std::vector<uint8_t>{0x33, 0x22, 0x33, 0x22, 0x11, 0x11, 0x11, 0x11, 0x77, 0x66, 0x55, 0x44, 0x11}));
  EXPECT_EQ(held[24], 0x99);
  EXPECT_EQ(held[26], 0x11);
  EXPECT_EQ(held[40], 0xDD);
  EXPECT_EQ(cu.cuMemsetD32_v2(device + 2, 0, 1), CUDA_ERROR_INVALID_VALUE) << "fills must be aligned";
}

} // namespace
} // namespace lockstep::simgpu::test
