// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
class LoadTest : public RuntimeTest {};
class LoadDeathTest : public RuntimeTest {};

TEST_F(LoadTest, Abi1InitialisesAndDescribesTheDriver) {
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk);
  MgpuDriverInfo info;
  ASSERT_EQ(mgpuDriverInfo(&info), kMgpuStatusOk);
  EXPECT_STREQ(info.backend, "cuda");
  EXPECT_THAT(info.library_path, HasSubstr("libcuda_fake.so"));
  EXPECT_STREQ(info.version, "13.0");
  EXPECT_STREQ(info.device_name, "Fake 0");
  EXPECT_EQ(info.device_count, 2);
  EXPECT_EQ(info.is_simulated, 0);
}

TEST_F(LoadTest, Abi1MissingLibrary) {
  useDriver("/nonexistent/libcuda.so.1");
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoLibrary);
  EXPECT_THAT(message(), HasSubstr("'/nonexistent/libcuda.so.1'"));
  EXPECT_THAT(message(), HasSubstr("LOCKSTEP_CUDA_DRIVER names it"));
  EXPECT_STREQ(status().function, "mgpuInitialize");
}

TEST_F(LoadTest, Abi1LibraryThatIsNoDriver) {
  useDriver("libm.so.6");
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoSymbol);
  EXPECT_THAT(message(), HasSubstr("does not export cuDriverGetVersion"));
}

TEST_F(LoadTest, Abi1MissingRequiredSymbol) {
  useDriver(FAKE_DRIVER_INCOMPLETE_PATH);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoSymbol);
  EXPECT_THAT(message(), HasSubstr("does not export cuMemAllocAsync,"));
  // An optional one alone is no reason to refuse the driver.
  EXPECT_THAT(message(), Not(HasSubstr("cuLaunchKernelEx")));
}

TEST_F(LoadTest, Abi1OldDriverIsCalledOldBeforeIncomplete) {
  useDriver(FAKE_DRIVER_INCOMPLETE_PATH);
  setenv(kFakeVersionVariable, "11010", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusDriverTooOld);
  EXPECT_THAT(message(), HasSubstr("supports CUDA 11.1, but CUDA 11.2 is the oldest"));
}

TEST_F(LoadTest, Abi1OldestVersionIsAccepted) {
  setenv(kFakeVersionVariable, "11020", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk);
}

TEST_F(LoadTest, Abi1NoDevice) {
  setenv(kFakeDeviceCountVariable, "0", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoDevice);
  EXPECT_THAT(message(), HasSubstr("reports no device"));
}

TEST_F(LoadTest, Abi1NoDeviceFromInit) {
  setenv(kFakeInitResultVariable, "100", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoDevice);
}

TEST_F(LoadTest, Abi1StubLibrary) {
  setenv(kFakeInitResultVariable, "34", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoLibrary);
  EXPECT_THAT(message(), HasSubstr("stub for linking"));
}

TEST_F(LoadTest, Abi1InitError) {
  setenv(kFakeInitResultVariable, "999", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusDriverError);
  EXPECT_STREQ(status().call, "cuInit");
  EXPECT_EQ(status().code, 999);
}

TEST_F(LoadTest, Abi1LoadsAgainAfterResetOnceTheCauseIsGone) {
  setenv(kFakeDeviceCountVariable, "0", 1);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoDevice);
  unsetenv(kFakeDeviceCountVariable);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoDevice) << "the record stands until the reset";
  mgpuReset();
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk);
}

TEST_F(LoadTest, Abi16AResetStartsTheDriverAgain) {
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk);
  mgpuReset();
  fake().clearCalls();
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk);
  EXPECT_EQ(fake().count("cuInit"), 1) << "a simulated driver forgets it in its own reset";
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk);
  EXPECT_EQ(fake().count("cuInit"), 1);
}

TEST_F(LoadTest, Abi1DeviceCountError) {
  failCall("cuDeviceGetCount", static_cast<CUresult>(999));
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusDriverError);
  EXPECT_STREQ(status().call, "cuDeviceGetCount");
}

TEST_F(LoadTest, Abi2SimulatedDriverIsRecognisedAndGetsTheOp) {
  useDriver(FAKE_DRIVER_SIMULATED_PATH);
  mgpuSetOp("before the driver was loaded");
  MgpuDriverInfo info;
  ASSERT_EQ(mgpuDriverInfo(&info), kMgpuStatusOk);
  EXPECT_EQ(info.is_simulated, 1);
  mgpuSetOp("a.mlir:1:2 memcpy");
  mgpuSetOp(nullptr);
  EXPECT_THAT(fake().ops, testing::ElementsAre("before the driver was loaded", "a.mlir:1:2 memcpy", "(null)"));
}

TEST_F(LoadTest, Abi14DefaultDeviceMovesAfterFirstUse) {
  MgpuStream first = mgpuStreamCreate();
  mgpuSetDefaultDevice(1);
  MgpuDriverInfo info;
  ASSERT_EQ(mgpuDriverInfo(&info), kMgpuStatusOk);
  EXPECT_STREQ(info.device_name, "Fake 1");
  MgpuStream second = mgpuStreamCreate();
  EXPECT_EQ(fake().count("cuDevicePrimaryCtxRetain"), 2);
  mgpuStreamDestroy(first);
  mgpuStreamDestroy(second);
  expectOk();
}

TEST_F(LoadTest, Abi14UnknownDeviceIsRefused) {
  mgpuSetDefaultDevice(2);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
  EXPECT_THAT(message(), HasSubstr("there is no device 2; the driver reports 2"));
}

TEST_F(LoadDeathTest, Abi1AnEmptyVariableNamesNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // The process finds a file of the driver's name that is none.
  setenv("LD_LIBRARY_PATH", BROKEN_DRIVER_DIR, 1);
  EXPECT_EXIT(
      {
        mgpuReset();
        setenv("LOCKSTEP_CUDA_DRIVER", "", 1);
        mgpuStatusSetPolicy(kMgpuPolicyExit);
        mgpuInitialize();
        _exit(0);
      },
      testing::ExitedWithCode(1), "'libcuda.so.1' \\(.*\\); install the NVIDIA driver, or set LOCKSTEP_CUDA_DRIVER");
  unsetenv("LD_LIBRARY_PATH");
}

TEST_F(LoadDeathTest, Status3ExitPolicyPrintsOneLineForAMissingDriver) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        useDriver("/nonexistent/libcuda.so.1");
        mgpuStatusSetPolicy(kMgpuPolicyExit);
        mgpuStreamCreate();
        _exit(0);
      },
      testing::ExitedWithCode(1),
      "^liblockstep_runtime_cuda: mgpuStreamCreate: cannot load the CUDA driver library '/nonexistent/libcuda.so.1'");
}
} // namespace
