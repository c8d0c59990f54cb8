// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules MEM-1 to MEM-10: the life of memory.

#include "simgpu/test/DriverUnderTest.h"

#include <cstring>

namespace lockstep::simgpu::test {
namespace {

using MemoryRules = OrderTest;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(MemoryRules, MEM_1_FreeNeedNotWaitForWorkThatUsesTheMemory) {
  start("lazy");
  CUstream stream = createStream();
  CUdeviceptr device = allocate(64);
  mark(stream, 'a');
  EXPECT_OK(cu.cuMemsetD8Async(device, 1, 64, stream));
  EXPECT_OK(cu.cuMemFree_v2(device));
  EXPECT_EQ(order, "") << "the free has waited, which nobody promises";
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_THAT(listFindings(), ElementsAre(AllOf(HasSubstr("MEM-1 cuMemsetD8Async"), HasSubstr("was freed"))));
}

TEST_F(MemoryRules, MEM_1_FreeOfPoolMemoryDoesNotWait) {
  start("lazy");
  CUstream stream = createStream();
  CUdeviceptr device = 0;
  ASSERT_OK(cu.cuMemAllocAsync(&device, 64, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  mark(stream, 'a');
  EXPECT_OK(cu.cuMemsetD8Async(device, 1, 64, stream));
  EXPECT_OK(cu.cuMemFree_v2(device));
  EXPECT_EQ(order, "") << "the caller has to see to it that the work is done";
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_THAT(listFindings(), ElementsAre(AllOf(HasSubstr("MEM-1 cuMemsetD8Async"), HasSubstr("was freed"))));
}

TEST_F(MemoryRules, MEM_1_AKernelThatRunsAfterTheFreeIsFound) {
  start("lazy");
  CUmodule module;
  CUfunction set;
  ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  ASSERT_OK(cu.cuModuleGetFunction(&set, module, "set"));
  CUdeviceptr device = allocate(64);
  int value = 5;
  void *arguments[] = {&device, &value};
  EXPECT_OK(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, createStream(), arguments, nullptr));
  EXPECT_OK(cu.cuMemFree_v2(device));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("MEM-1 cuLaunchKernel")));
}

TEST_F(MemoryRules, MEM_1_WrongFreesAreRefusedAndFound) {
  CUdeviceptr device = allocate(64);
  EXPECT_EQ(cu.cuMemFree_v2(device + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuMemFree_v2(device));
  EXPECT_EQ(cu.cuMemFree_v2(device), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFree_v2(4096), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ElementsAre("MEM-1", "MEM-1", "MEM-1"));
  EXPECT_THAT(listFindings(), Contains(HasSubstr("freed a second time")));
  EXPECT_OK(cu.cuMemFree_v2(0));
}

TEST_F(MemoryRules, MEM_2_ZeroBytesAreInvalid) {
  CUdeviceptr device = 0;
  EXPECT_EQ(cu.cuMemAlloc_v2(&device, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemAllocAsync(&device, 0, createStream()), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ElementsAre("MEM-2", "MEM-2"));
}

TEST_F(MemoryRules, MEM_2_FreshMemoryIsPoisonedAndNotCleared) {
  EXPECT_THAT(read(allocate(64), 64), Each(0xA5));
  void *pinned;
  ASSERT_OK(cu.cuMemHostAlloc(&pinned, 1, 0));
  EXPECT_EQ(*static_cast<uint8_t *>(pinned), 0xA5);
}

TEST_F(MemoryRules, MEM_2_AFreedRangeIsNotHandedOutAgainSoon) {
  CUdeviceptr first = allocate(64);
  EXPECT_OK(cu.cuMemFree_v2(first));
  EXPECT_NE(allocate(64), first);
}

TEST_F(MemoryRules, MEM_2_AFreedRangeComesBackAfterMuchElseWasFreed) {
  CUdeviceptr first = allocate(64);
  EXPECT_OK(cu.cuMemFree_v2(first));
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_OK(cu.cuMemFree_v2(allocate(64 << 20)));
  EXPECT_EQ(allocate(64), first);
  EXPECT_THAT(read(first, 64), Each(0xA5));
}

TEST_F(MemoryRules, MEM_2_TheLimitIsKept) {
  start("eager", "memory_limit_bytes=1000");
  CUdeviceptr first = 0, second = 0;
  EXPECT_EQ(cu.cuMemAlloc_v2(&first, 1001), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_OK(cu.cuMemAlloc_v2(&first, 600));
  EXPECT_EQ(cu.cuMemAllocAsync(&second, 600, createStream()), CUDA_ERROR_OUT_OF_MEMORY);
  size_t freeBytes = 0, totalBytes = 0;
  EXPECT_OK(cu.cuMemGetInfo_v2(&freeBytes, &totalBytes));
  EXPECT_EQ(freeBytes, 400u);
  EXPECT_EQ(totalBytes, 1000u);
  EXPECT_OK(cu.cuMemFree_v2(first));
  EXPECT_OK(cu.cuMemAlloc_v2(&second, 600));
}

TEST_F(MemoryRules, MEM_3_UseBehindTheAllocationIsLegalUnderEverySchedule) {
  for (const std::string &schedule : listSchedules()) {
    start(schedule);
    CUstream stream = createStream(), other = createStream();
    CUdeviceptr device = 0;
    ASSERT_OK(cu.cuMemAllocAsync(&device, 64, stream));
    EXPECT_NE(device, 0u) << "the address is known when the call returns";
    EXPECT_OK(cu.cuMemsetD8Async(device, 3, 64, stream));
    CUevent event = createEvent();
    EXPECT_OK(cu.cuEventRecord(event, stream));
    EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0));
    std::vector<uint8_t> bytes(64);
    EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(bytes.data(), device, 64, other));
    EXPECT_OK(cu.cuStreamSynchronize(other));
    EXPECT_THAT(bytes, Each(3));
    EXPECT_OK(cu.cuMemFreeAsync(device, other));
    EXPECT_OK(cu.cuCtxSynchronize());
    EXPECT_THAT(listFindings(), IsEmpty()) << schedule;
  }
}

TEST_F(MemoryRules, MEM_3_UseInAnotherStreamNeedsAnEdge) {
  start("lazy");
  CUstream stream = createStream(), other = createStream();
  CUdeviceptr device = 0;
  ASSERT_OK(cu.cuMemAllocAsync(&device, 64, stream));
  EXPECT_OK(cu.cuMemsetD8Async(device, 3, 64, other));
  EXPECT_OK(cu.cuStreamSynchronize(other));
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("MEM-3 cuMemsetD8Async")));
}

TEST_F(MemoryRules, MEM_4_NothingNewMayUseMemoryWhoseFreeIsQueued) {
  for (const std::string &schedule : listSchedules(4)) {
    start(schedule);
    CUstream stream = createStream();
    CUdeviceptr device = 0;
    ASSERT_OK(cu.cuMemAllocAsync(&device, 64, stream));
    ASSERT_OK(cu.cuMemFreeAsync(device, stream));
    EXPECT_EQ(cu.cuMemsetD8Async(device, 3, 64, stream), CUDA_ERROR_INVALID_VALUE);
    unsigned type;
    EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device), CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(listRules(), ElementsAre("MEM-4", "MEM-4")) << schedule;
  }
}

TEST_F(MemoryRules, MEM_4_EarlierWorkMustBeOrderedBeforeTheFree) {
  start("lazy");
  CUstream stream = createStream(), other = createStream();
  CUdeviceptr device = 0;
  ASSERT_OK(cu.cuMemAllocAsync(&device, 64, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_OK(cu.cuMemsetD8Async(device, 3, 64, other));
  EXPECT_OK(cu.cuMemFreeAsync(device, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream)); // The fill is still to come.
  EXPECT_OK(cu.cuStreamSynchronize(other));
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("MEM-1 cuMemsetD8Async")));
}

TEST_F(MemoryRules, MEM_5_ReuseByThePoolGivesNoEdge) {
  // A new allocation of the size that another stream has just freed: no order comes from that.
  expectSometimesAfter('a', 'b', [&] {
    CUstream first = createStream(), second = createStream();
    CUdeviceptr device = 0, again = 0;
    EXPECT_OK(cu.cuMemAllocAsync(&device, 64, first));
    mark(first, 'a');
    EXPECT_OK(cu.cuMemFreeAsync(device, first));
    EXPECT_OK(cu.cuMemAllocAsync(&again, 64, second));
    mark(second, 'b');
  });
}

static uint64_t poolNumber(const Driver &cu, CUmemoryPool pool, CUmemPool_attribute attribute) {
  uint64_t value = ~uint64_t(0);
  EXPECT_OK(cu.cuMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

TEST_F(MemoryRules, MEM_5_EveryKindOfReuseIsOnByDefault) {
  CUmemoryPool pool;
  ASSERT_OK(cu.cuDeviceGetDefaultMemPool(&pool, 0));
  for (auto attribute : {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
                         CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
    int isOn = 0;
    EXPECT_OK(cu.cuMemPoolGetAttribute(pool, attribute, &isOn));
    EXPECT_EQ(isOn, 1);
  }
}

/// Each way in which the host waits.
TEST_F(MemoryRules, MEM_6_ThePoolTrimsAtTheNextWaitOfTheHost) {
  start("eager");
  CUmemoryPool pool;
  ASSERT_OK(cu.cuDeviceGetDefaultMemPool(&pool, 0));
  EXPECT_EQ(poolNumber(cu, pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0u);
  CUstream stream = createStream();
  CUevent event = createEvent();
  const std::function<CUresult()> waits[] = {[&] { return cu.cuStreamSynchronize(stream); },
                                             [&] { return cu.cuEventSynchronize(event); },
                                             [&] { return cu.cuCtxSynchronize(); }};
  for (const std::function<CUresult()> &wait : waits)
    for (uint64_t threshold : {0, 40}) {
      EXPECT_OK(cu.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
      CUdeviceptr device = 0;
      ASSERT_OK(cu.cuMemAllocFromPoolAsync(&device, 64, pool, stream));
      EXPECT_EQ(poolNumber(cu, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 64u);
      ASSERT_OK(cu.cuMemFreeAsync(device, stream));
      EXPECT_EQ(poolNumber(cu, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
      EXPECT_EQ(poolNumber(cu, pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 64u);
      EXPECT_OK(cu.cuEventRecord(event, stream));
      EXPECT_OK(wait());
      EXPECT_EQ(poolNumber(cu, pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), threshold);
    }
}

TEST_F(MemoryRules, MEM_7_PoolMemoryOutlivesItsContext) {
  CUcontext other;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  CUstream stream = createStream();
  CUdeviceptr pooled = 0, plain = allocate(64);
  ASSERT_OK(cu.cuMemAllocAsync(&pooled, 64, stream));
  EXPECT_OK(cu.cuMemsetD8Async(pooled, 9, 64, stream));
  ASSERT_OK(cu.cuCtxDestroy_v2(other));
  EXPECT_THAT(read(pooled, 64), Each(9));
  EXPECT_THAT(listFindings(), IsEmpty());
  EXPECT_EQ(cu.cuMemsetD8_v2(plain, 1, 64), CUDA_ERROR_INVALID_VALUE) << "other memory dies with its context";
}

TEST_F(MemoryRules, MEM_7_ModuleVariablesGoWithTheirContext) {
  CUcontext other;
  CUmodule module;
  CUdeviceptr counter = 0;
  size_t sizeBytes = 0;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  ASSERT_OK(cu.cuModuleGetGlobal_v2(&counter, &sizeBytes, module, "counter"));
  ASSERT_OK(cu.cuCtxDestroy_v2(other));
  EXPECT_EQ(cu.cuMemsetD8_v2(counter, 0, sizeBytes), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("which was freed")));
}

TEST_F(MemoryRules, MEM_8_RegisteredMemoryStaysTheProgramsOwn) {
  std::vector<uint8_t> host(4096, 1);
  ASSERT_OK(cu.cuMemHostRegister_v2(host.data(), host.size(), 0));
  CUdeviceptr device = 0;
  EXPECT_OK(cu.cuMemHostGetDevicePointer_v2(&device, host.data(), 0));
  EXPECT_EQ(device, reinterpret_cast<CUdeviceptr>(host.data()));
  EXPECT_OK(cu.cuMemHostUnregister(host.data()));
  EXPECT_THAT(host, Each(1));
}

TEST_F(MemoryRules, MEM_9_RegistrationIsChecked) {
  std::vector<uint8_t> host(4096);
  ASSERT_OK(cu.cuMemHostRegister_v2(host.data(), host.size(), 0));
  EXPECT_EQ(cu.cuMemHostRegister_v2(host.data() + 10, 10, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(cu.cuMemHostUnregister(host.data() + 10), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_OK(cu.cuMemHostUnregister(host.data()));
  EXPECT_EQ(cu.cuMemHostUnregister(host.data()), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(cu.cuMemHostRegister_v2(reinterpret_cast<void *>(allocate(64)), 64, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), ElementsAre("MEM-9", "MEM-9", "MEM-9", "MEM-9"));
}

TEST_F(MemoryRules, MEM_10_HostCodeCannotTouchDeviceMemory) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  volatile int *device = reinterpret_cast<int *>(allocate(64));
  EXPECT_DEATH(*device = 1,
               "host access to device memory 0x[0-9a-f]+ \\(allocation 1 of 64 bytes by cuMemAlloc_v2, offset 0\\)");
}

TEST_F(MemoryRules, PointersTellWhatTheyPointAt) {
  unsigned type = 0, managedFlag = 0;
  CUdeviceptr device = allocate(64), managed = 0, start = 0;
  EXPECT_OK(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device + 8));
  EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
  EXPECT_OK(cu.cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 8));
  EXPECT_EQ(start, device);
  ASSERT_OK(cu.cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(cu.cuPointerGetAttribute(&managedFlag, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  EXPECT_EQ(managedFlag, 1u);
  void *pinned;
  ASSERT_OK(cu.cuMemAllocHost_v2(&pinned, 4));
  EXPECT_OK(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(pinned)));
  EXPECT_EQ(type, CU_MEMORYTYPE_HOST);
  EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&type)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listFindings(), IsEmpty()) << "asking about pageable memory is legal";
  EXPECT_OK(cu.cuMemFreeHost(pinned));
}

} // namespace
} // namespace lockstep::simgpu::test
