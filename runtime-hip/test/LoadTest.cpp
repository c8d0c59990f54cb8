// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/test/RuntimeTest.h"

#include <unistd.h>

using namespace lockstep::hip;
using testing::HasSubstr;

namespace {
class LoadTest : public RuntimeTest {};

TEST_F(LoadTest, Abi1InitialisesAndDescribesTheDriver) {
  MgpuDriverInfo info;
  ASSERT_EQ(mgpuDriverInfo(&info), kMgpuStatusOk) << message();
  EXPECT_STREQ(info.backend, "hip");
  EXPECT_STREQ(info.library_path, FAKE_DRIVER_PATH);
  EXPECT_STREQ(info.version, "6.3");
  EXPECT_STREQ(info.device_name, "Fake");
  EXPECT_EQ(info.device_count, 2);
  EXPECT_EQ(info.is_simulated, 0);
}

TEST_F(LoadTest, Abi1MissingLibrary) {
  useDriver("/nonexistent/libamdhip64.so.6");
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoLibrary);
  EXPECT_THAT(message(), HasSubstr("cannot load the HIP runtime library '/nonexistent/libamdhip64.so.6'"));
  EXPECT_THAT(message(), HasSubstr("LOCKSTEP_HIP_DRIVER names it"));
}

TEST_F(LoadTest, Abi1LibraryThatIsNoDriver) {
  useDriver("libm.so.6");
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoSymbol);
  EXPECT_THAT(message(), HasSubstr("does not export hipRuntimeGetVersion, so it is no HIP runtime"));
}

TEST_F(LoadTest, Abi1MissingRequiredSymbol) {
  useDriver(FAKE_DRIVER_INCOMPLETE_PATH);
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoSymbol);
  EXPECT_THAT(message(), HasSubstr("does not export hipMallocAsync,"));
}

TEST_F(LoadTest, Abi1OldDriverIsCalledOldBeforeIncomplete) {
  useDriver(FAKE_DRIVER_INCOMPLETE_PATH);
  fake().version = 50120531;
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusDriverTooOld);
  EXPECT_THAT(message(), HasSubstr("is HIP 5.1, but HIP 5.2 is the oldest"));
}

TEST_F(LoadTest, Abi1OldestVersionIsAccepted) {
  fake().version = 50200000;
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk) << message();
}

TEST_F(LoadTest, Abi1NoDevice) {
  auto expectNoDevice = [] {
    EXPECT_EQ(mgpuInitialize(), kMgpuStatusNoDevice);
    EXPECT_THAT(message(), HasSubstr("reports no device"));
    mgpuReset();
  };
  fake().deviceCount = 0;
  expectNoDevice();
  fake().countResult = hipErrorNoDevice;
  expectNoDevice();
  // What a machine without a device says.
  fake().initResult = hipErrorInvalidDevice;
  expectNoDevice();
  fake() = FakeDriver();
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusOk) << message();
}

TEST_F(LoadTest, Abi1InitError) {
  fake().initResult = hipErrorOutOfMemory;
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusDriverError);
  EXPECT_STREQ(status().call, "hipInit");
  EXPECT_EQ(status().code, hipErrorOutOfMemory);
}

TEST_F(LoadTest, Abi1DeviceCountError) {
  fake().countResult = hipErrorOutOfMemory;
  EXPECT_EQ(mgpuInitialize(), kMgpuStatusDriverError);
  EXPECT_STREQ(status().call, "hipGetDeviceCount");
}

/// Prints where the driver was found, or why none was, and ends the process.
[[noreturn]] void printDriver(const char *variable) {
  if (variable)
    setenv(kDriverVariable, variable, 1);
  else
    unsetenv(kDriverVariable);
  mgpuStatusSetPolicy(kMgpuPolicyRecord);
  MgpuDriverInfo info;
  MgpuStatus status;
  bool isFound = mgpuDriverInfo(&info) == kMgpuStatusOk;
  mgpuStatusGet(&status);
  std::fputs(isFound ? info.library_path : status.message, stderr);
  _exit(0);
}

/// Processes of their own, because the loader reads its search path only at their start.
class LoadDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  /// Expects that a process that searches the library in the folder of that name prints what `matcher` accepts.
  template <typename Matcher> static void expectFound(const char *folder, const char *variable, Matcher matcher) {
    setenv("LD_LIBRARY_PATH", (std::string(FAKE_NAMES_DIR) + "/" + folder).c_str(), 1);
    EXPECT_EXIT(printDriver(variable), testing::ExitedWithCode(0), matcher);
    unsetenv("LD_LIBRARY_PATH");
  }
};

TEST_F(LoadDeathTest, Abi1TheNewestVersionIsTakenFirst) {
  expectFound("7-6-5", nullptr, HasSubstr("/7-6-5/libamdhip64.so.7"));
  expectFound("6-5", nullptr, HasSubstr("/6-5/libamdhip64.so.6"));
  expectFound("5", nullptr, HasSubstr("/5/libamdhip64.so.5"));
}

TEST_F(LoadDeathTest, Abi1TheVariableComesBeforeTheVersions) {
  expectFound("7-6-5", FAKE_DRIVER_PATH, testing::StrEq(FAKE_DRIVER_PATH));
}

TEST_F(LoadDeathTest, Abi1AllNamesThatWereTriedAreSaid) {
  auto says = testing::AllOf(
      testing::ContainsRegex("'libamdhip64.so' .*libamdhip64.so.7: .*libamdhip64.so.6: .*libamdhip64.so.5: "),
      HasSubstr("install AMD's ROCm, or set LOCKSTEP_HIP_DRIVER"));
  expectFound("none", nullptr, says);
  // An empty variable names nothing.
  expectFound("none", "", says);
}
} // namespace
