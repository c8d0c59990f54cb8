// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules COPY-1 to COPY-10: what copies and fills promise to the host.

#include "simgpu/test/DriverUnderTest.h"

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

TEST_F(CopyRules, COPY_1_AsyncFromPageableNeedNotWaitForTheStream) {
  CUstream stream = createStream();
  mark(stream, 'a');
  EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(device, &pageable, 4, stream));
  EXPECT_EQ(order, "");
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

TEST_F(CopyRules, COPY_5_ManagedMemoryCountsAsDeviceMemory) {
  CUdeviceptr managed = 0;
  ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
  mark(nullptr, 'a');
  EXPECT_OK(cu.cuMemcpyDtoD_v2(device, managed, 4));
  EXPECT_OK(cu.cuMemcpyDtoD_v2(managed, device, 4));
  EXPECT_EQ(order, "") << "older documentation made these synchronous, and today's does not";
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
  CUdeviceptr managed = 0;
  ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(cu.cuMemsetD32Async(addressOf(pinned), 6, 1, createStream()));
  EXPECT_OK(cu.cuMemsetD32Async(managed, 6, 1, createStream()));
  EXPECT_EQ(*pinned, 2);
  EXPECT_NE(*reinterpret_cast<int *>(managed), 6);
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

TEST_F(CopyRules, COPY_10_AContextThatAsksForItAlwaysSynchronizes) {
  for (bool isPrimary : {false, true}) {
    CUcontext other = nullptr;
    unsigned flags = 0;
    if (isPrimary)
      EXPECT_OK(cu.cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SYNC_MEMOPS));
    else
      EXPECT_OK(cu.cuCtxCreate_v2(&other, CU_CTX_SYNC_MEMOPS, 0));
    EXPECT_OK(cu.cuCtxGetFlags(&flags));
    EXPECT_EQ(flags, unsigned(CU_CTX_SYNC_MEMOPS));
    CUdeviceptr to = allocate(64), from = allocate(64);
    const std::function<CUresult()> calls[] = {[&] { return cu.cuMemsetD32_v2(to, 1, 1); },
                                               [&] { return cu.cuMemcpyDtoD_v2(to, from, 4); },
                                               [&] { return cu.cuMemcpyHtoD_v2(to, &pageable, 4); }};
    for (const std::function<CUresult()> &call : calls) {
      order.clear();
      mark(nullptr, 'a');
      EXPECT_OK(call());
      EXPECT_EQ(order, "a");
      // What the call did is done, so a stream without an edge to it can see it.
      EXPECT_OK(cu.cuStreamQuery(nullptr));
    }
    order.clear();
    mark(nullptr, 'a');
    EXPECT_OK(cu.cuMemsetD32Async(to, 1, 1, nullptr));
    EXPECT_EQ(order, "") << "the flag is about synchronous forms";
    if (other)
      EXPECT_OK(cu.cuCtxDestroy_v2(other));
  }
}

} // namespace
} // namespace lockstep::simgpu::test
