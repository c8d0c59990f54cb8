// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What devices say about themselves, and functions about theirs.

#include "simgpu/test/hip/HipUnderTest.h"

#include <cstring>

namespace lockstep::simgpu::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

LOCKSTEP_HIP_FIXTURE(HipDeviceCalls, HipDeviceTest);

TEST_P(HipDeviceCalls, PropertiesAndAttributesAgree) {
  hipDeviceProp_tR0000 old{};
  hipDeviceProp_tR0600 properties{};
  EXPECT_OK(hip.hipGetDeviceProperties(&old, 0));
  EXPECT_OK(hip.hipGetDevicePropertiesR0600(&properties, 0));
  EXPECT_STREQ(old.name, "Lockstep simulated GPU");
  EXPECT_STREQ(properties.name, old.name);
  EXPECT_STREQ(properties.gcnArchName, "gfx90a");
  EXPECT_STREQ(old.gcnArchName, "gfx90a");
  EXPECT_EQ(properties.totalGlobalMem, old.totalGlobalMem);
  const std::pair<hipDeviceAttribute_t, std::pair<int64_t, int64_t>> expected[] = {
      {hipDeviceAttributeMaxThreadsPerBlock, {properties.maxThreadsPerBlock, old.maxThreadsPerBlock}},
      {hipDeviceAttributeMaxBlockDimZ, {properties.maxThreadsDim[2], old.maxThreadsDim[2]}},
      {hipDeviceAttributeMaxGridDimY, {properties.maxGridSize[1], old.maxGridSize[1]}},
      {hipDeviceAttributeWarpSize, {properties.warpSize, old.warpSize}},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, {properties.sharedMemPerBlock, old.sharedMemPerBlock}},
      {hipDeviceAttributeComputeCapabilityMajor, {properties.major, old.major}},
      {hipDeviceAttributeManagedMemory, {properties.managedMemory, old.managedMemory}}};
  for (const auto &[attribute, values] : expected) {
    int value = -1;
    EXPECT_OK(hip.hipDeviceGetAttribute(&value, attribute, 0));
    EXPECT_GT(value, 0) << attribute;
    EXPECT_EQ(values, std::pair(int64_t(value), int64_t(value))) << attribute;
  }
}

// What the device says is what a launch keeps.
TEST_P(HipDeviceCalls, LimitsAreThoseOfALaunch) {
  hipFunction_t function = loadFunction("empty");
  int most = 0;
  EXPECT_OK(hip.hipDeviceGetAttribute(&most, hipDeviceAttributeMaxBlockDimZ, 0));
  auto launch = [&](unsigned depth) {
    return hip.hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, depth, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_OK(launch(static_cast<unsigned>(most)));
  EXPECT_NE(launch(static_cast<unsigned>(most) + 1), hipSuccess);
}

TEST_P(HipDeviceCalls, AttributesThatAreUnknownOrZero) {
  int value = -1;
  EXPECT_OK(hip.hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(0), 0)); // ECC
  EXPECT_EQ(value, 0);
  for (int number : {-1, 5000, 19999})
    EXPECT_EQ(hip.hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(number), 0), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 1), hipErrorInvalidDevice);
}

TEST_P(HipDeviceCalls, DevicesHaveNamesOfTheirOwn) {
  start("eager", "device_count=2");
  hipUUID first, second;
  char id[32];
  int answer = -1, device = -1, major = 0, minor = -1;
  EXPECT_OK(hip.hipDeviceGetUuid(&first, 0));
  EXPECT_OK(hip.hipDeviceGetUuid(&second, 1));
  EXPECT_NE(memcmp(&first, &second, sizeof first), 0);
  EXPECT_OK(hip.hipDeviceGetPCIBusId(id, sizeof id, 1));
  EXPECT_STREQ(id, "0000:01:00.0");
  EXPECT_EQ(hip.hipDeviceGetPCIBusId(id, 0, 1), hipErrorInvalidValue);
  EXPECT_OK(hip.hipDeviceComputeCapability(&major, &minor, 1));
  EXPECT_EQ(std::pair(major, minor), std::pair(9, 0));
  EXPECT_OK(hip.hipDeviceCanAccessPeer(&answer, 0, 1));
  EXPECT_EQ(answer, 0);
  EXPECT_EQ(hip.hipDeviceCanAccessPeer(&answer, 0, 2), hipErrorInvalidDevice);
  EXPECT_OK(hip.hipSetDevice(1));
  EXPECT_OK(hip.hipStreamGetDevice(createStream(), &device));
  EXPECT_EQ(device, 1);
}

TEST_P(HipDeviceCalls, AttributesOfFunctions) {
  hipFunction_t function = loadFunction("empty");
  int value = -1;
  EXPECT_OK(hip.hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT_EQ(value, 1024);
  EXPECT_OK(hip.hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  EXPECT_EQ(value, 0);
  EXPECT_THAT(listRules(), IsEmpty());
  EXPECT_EQ(hip.hipFuncGetAttribute(&value, static_cast<hipFunction_attribute>(77), function), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipFuncGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, function), hipErrorInvalidValue);
}

TEST_P(HipDeviceCalls, EveryErrorHasANameAndAText) {
#define LOCKSTEP_HIP_RESULT(name, number, text)                                                                        \
  EXPECT_STREQ(hip.hipGetErrorName(name), #name);                                                                      \
  EXPECT_STREQ(hip.hipGetErrorString(name), text);
#include "simgpu/hip/HipResults.def"
  EXPECT_STREQ(hip.hipGetErrorName(static_cast<hipError_t>(12345)), "hipErrorUnknown");
}

TEST_P(HipDeviceCalls, Versions) {
  int runtime = 0, driver = 0;
  EXPECT_OK(hip.hipRuntimeGetVersion(&runtime));
  EXPECT_OK(hip.hipDriverGetVersion(&driver));
  EXPECT_EQ(runtime / 10000000, GetParam());
  EXPECT_EQ(driver, runtime);
}

} // namespace
} // namespace lockstep::simgpu::test
