// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to allocate, copies and fills of rows, and questions about addresses and pools.

#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

LOCKSTEP_HIP_FIXTURE(HipMemoryCalls, HipDeviceTest);

TEST_P(HipMemoryCalls, RowsOfAPitch) {
  void *rows = nullptr;
  size_t pitch = 0, bytes = 0;
  EXPECT_OK(hip.hipMallocPitch(&rows, &pitch, 100, 3));
  EXPECT_GE(pitch, 100u);
  EXPECT_OK(hip.hipMemPtrGetInfo(rows, &bytes));
  EXPECT_EQ(bytes, 3 * pitch);
  EXPECT_OK(hip.hipMemAllocPitch(&rows, &pitch, 100, 3, 4));
  EXPECT_EQ(hip.hipMemAllocPitch(&rows, &pitch, 100, 3, 5), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMallocPitch(&rows, nullptr, 100, 3), hipErrorInvalidValue);
  hipPitchedPtr volume{};
  EXPECT_OK(hip.hipMalloc3D(&volume, {100, 3, 2}));
  EXPECT_OK(hip.hipMemPtrGetInfo(volume.ptr, &bytes));
  EXPECT_EQ(bytes, 6 * volume.pitch);
}

TEST_P(HipMemoryCalls, FillsOfAVolume) {
  hipPitchedPtr volume{};
  EXPECT_OK(hip.hipMalloc3D(&volume, {4, 2, 2}));
  EXPECT_OK(hip.hipMemset(volume.ptr, 1, 4 * volume.pitch));
  EXPECT_OK(hip.hipMemset3D(volume, 2, {4, 2, 2}));
  EXPECT_OK(hip.hipMemset3DAsync(volume, 3, {4, 1, 2}, nullptr));
  std::vector<uint32_t> words = read(volume.ptr, volume.pitch);
  const size_t row = volume.pitch / 4;
  EXPECT_THAT((std::vector{words[0], words[1], words[row], words[2 * row], words[3 * row]}),
              ElementsAre(0x03030303, 0x01010101, 0x02020202, 0x03030303, 0x02020202));
}

TEST_P(HipMemoryCalls, CopiesOfRowsByParameters) {
  void *rows = nullptr;
  size_t pitch = 0;
  EXPECT_OK(hip.hipMallocPitch(&rows, &pitch, 8, 2));
  const uint32_t source[4] = {1, 2, 3, 4};
  hip_Memcpy2D params{};
  params.srcMemoryType = hipMemoryTypeHost;
  params.srcHost = source;
  params.srcPitch = 8;
  params.dstMemoryType = hipMemoryTypeDevice;
  params.dstDevice = rows;
  params.dstPitch = pitch;
  params.WidthInBytes = 8;
  params.Height = 2;
  EXPECT_OK(hip.hipMemcpyParam2D(&params));
  uint32_t back[2] = {};
  hip_Memcpy2D second = params;
  std::swap(second.srcMemoryType, second.dstMemoryType);
  second.dstHost = back;
  second.srcDevice = rows;
  second.srcXInBytes = 4;
  std::swap(second.srcPitch, second.dstPitch);
  second.dstPitch = second.WidthInBytes = 4;
  EXPECT_OK(hip.hipMemcpyParam2DAsync(&second, nullptr));
  waitForAll();
  EXPECT_THAT(back, ElementsAre(2, 4));
  EXPECT_THAT(listRules(), IsEmpty());
  params.srcMemoryType = hipMemoryTypeArray;
  EXPECT_EQ(hip.hipMemcpyParam2D(&params), hipErrorNotSupported);
  EXPECT_EQ(hip.hipMemcpyParam2D(nullptr), hipErrorInvalidValue);
}

TEST_P(HipMemoryCalls, HostMemoryByEveryName) {
  for (auto allocateHost :
       {+[](const Hip &hip, void **address) { return hip.hipHostAlloc(address, 16, hipHostMallocMapped); },
        +[](const Hip &hip, void **address) { return hip.hipMallocHost(address, 16); },
        +[](const Hip &hip, void **address) { return hip.hipMemAllocHost(address, 16); }}) {
    void *host = nullptr, *device = nullptr;
    unsigned flags = 0;
    EXPECT_OK(allocateHost(hip, &host));
    EXPECT_OK(hip.hipHostGetDevicePointer(&device, host, 0));
    EXPECT_EQ(device, host);
    EXPECT_OK(hip.hipHostGetFlags(&flags, host));
    EXPECT_NE(flags & hipHostMallocMapped, 0u);
    EXPECT_OK(hip.hipFreeHost(host));
    EXPECT_EQ(hip.hipHostGetDevicePointer(&device, host, 0), hipErrorInvalidValue);
  }
}

TEST_P(HipMemoryCalls, AttributesOfAddresses) {
  char *device = static_cast<char *>(allocate(64));
  void *host = nullptr, *managed = nullptr;
  int pageable = 0;
  EXPECT_OK(hip.hipHostMalloc(&host, 16, 0));
  EXPECT_OK(hip.hipMallocManaged(&managed, 16, hipMemAttachGlobal));
  hipPointerAttribute_t seen{};
  EXPECT_OK(hip.hipPointerGetAttributes(&seen, device + 8));
  EXPECT_EQ(seen.type, hipMemoryTypeDevice);
  EXPECT_EQ(seen.devicePointer, device + 8);
  EXPECT_EQ(seen.hostPointer, nullptr);
  EXPECT_OK(hip.hipPointerGetAttributes(&seen, host));
  EXPECT_EQ(seen.type, hipMemoryTypeHost);
  EXPECT_EQ(seen.hostPointer, host);
  EXPECT_OK(hip.hipPointerGetAttributes(&seen, managed));
  EXPECT_EQ(std::pair(seen.type, seen.isManaged), std::pair(hipMemoryTypeManaged, 1));
  EXPECT_OK(hip.hipPointerGetAttributes(&seen, &pageable));
  EXPECT_EQ(seen.type, hipMemoryTypeUnregistered);
  EXPECT_THAT(listRules(), IsEmpty());
  EXPECT_OK(hip.hipFree(device));
  EXPECT_EQ(hip.hipPointerGetAttributes(&seen, device), hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("MEM-4"));
}

TEST_P(HipMemoryCalls, AttributesOfAddressesOneByOne) {
  char *device = static_cast<char *>(allocate(64));
  void *start = nullptr;
  size_t bytes = 0;
  unsigned type = 0;
  EXPECT_OK(hip.hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device + 8));
  EXPECT_EQ(type, hipMemoryTypeDevice);
  EXPECT_EQ(hip.hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, &type), hipErrorInvalidValue);
  hipPointer_attribute attributes[] = {HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *places[] = {&start, &bytes};
  EXPECT_OK(hip.hipDrvPointerGetAttributes(2, attributes, places, device + 8));
  EXPECT_EQ(std::pair(start, bytes), std::pair(static_cast<void *>(device), size_t(64)));
  start = nullptr;
  EXPECT_OK(hip.hipMemGetAddressRange(&start, &bytes, device + 63));
  EXPECT_EQ(start, device);
  EXPECT_EQ(hip.hipMemGetAddressRange(&start, &bytes, &type), hipErrorNotFound);
}

TEST_P(HipMemoryCalls, Pools) {
  hipMemPool_t pool = nullptr, same = nullptr;
  EXPECT_OK(hip.hipDeviceGetDefaultMemPool(&pool, 0));
  EXPECT_OK(hip.hipDeviceGetMemPool(&same, 0));
  EXPECT_EQ(pool, same);
  uint64_t threshold = 100, number = 0;
  EXPECT_OK(hip.hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  void *memory = nullptr;
  EXPECT_OK(hip.hipMallocFromPoolAsync(&memory, 64, pool, nullptr));
  EXPECT_OK(hip.hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &number));
  EXPECT_EQ(number, 64u);
  EXPECT_OK(hip.hipFreeAsync(memory, nullptr));
  waitForAll();
  EXPECT_OK(hip.hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &number));
  EXPECT_EQ(number, 64u);
  EXPECT_OK(hip.hipMemPoolTrimTo(pool, 0));
  EXPECT_OK(hip.hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &number));
  EXPECT_EQ(number, 0u);
  EXPECT_EQ(hip.hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &number), hipErrorInvalidValue);
}

TEST_P(HipMemoryCalls, MemoryOfGraphs) {
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  hipGraphExec_t exec = nullptr;
  hipMemAllocNodeParams params{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location.type = hipMemLocationTypeDevice;
  params.bytesize = 64;
  EXPECT_OK(hip.hipGraphCreate(&graph, 0));
  EXPECT_OK(hip.hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  EXPECT_OK(hip.hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  EXPECT_OK(hip.hipGraphLaunch(exec, nullptr));
  waitForAll();
  uint64_t bytes = 0;
  EXPECT_OK(hip.hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &bytes));
  EXPECT_EQ(bytes, 64u);
  EXPECT_OK(hip.hipFree(params.dptr));
  EXPECT_OK(hip.hipDeviceGraphMemTrim(0));
  EXPECT_OK(hip.hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrReservedMemCurrent, &bytes));
  EXPECT_EQ(bytes, 0u);
  EXPECT_OK(hip.hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &bytes));
  EXPECT_EQ(hip.hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &bytes), hipErrorInvalidValue);
}

} // namespace
} // namespace lockstep::simgpu::test
