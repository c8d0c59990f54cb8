// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixture of the tests of a backend over its simulated driver. The tests are compiled once for each backend; the
// build says by macros which one it is.

#ifndef LOCKSTEP_RUNTIME_API_TEST_SIMULATED_SIMULATEDTEST_H
#define LOCKSTEP_RUNTIME_API_TEST_SIMULATED_SIMULATEDTEST_H

#include "runtime-api/DriverControl.h"
#include "runtime-api/Mgpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lockstep::runtime::test {

constexpr int kCount = 4;
constexpr bool kIsHip = BACKEND_IS_HIP;

/// The name of a driver call, or of a code, under test.
constexpr const char *nameOf(const char *cuda, const char *hip) { return kIsHip ? hip : cuda; }

using Values = std::array<int32_t, kCount>;

/// Each test starts with a simulated machine of its own, under the schedule that is the parameter, and the policy
/// "record".
class SimulatedTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    const char *chosen = std::getenv("LOCKSTEP_TEST_DRIVER");
    std::string path = chosen ? chosen : SIMULATED_DRIVER_PATH;
    setenv(DRIVER_VARIABLE, path.c_str(), 1);
    mgpuStatusSetPolicy(kMgpuPolicyRecord);
    mgpuReset();
    driver = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(driver, nullptr) << dlerror();
    std::string config = std::string("schedule=") + GetParam();
    const char *error = control<LockstepSimResetFn>(LOCKSTEP_SIM_RESET_SYMBOL)(config.c_str());
    ASSERT_EQ(error, nullptr) << error;
    std::ifstream file(KERNELS_PATH, std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(image.empty());
  }

  void TearDown() override { mgpuReset(); }

  template <typename Function> Function control(const char *symbol) {
    return reinterpret_cast<Function>(dlsym(driver, symbol));
  }

  /// Ends the run as a harness does, and returns what the simulator found.
  std::vector<std::string> finish() {
    mgpuReset();
    size_t count = control<LockstepSimFinishFn>(LOCKSTEP_SIM_FINISH_SYMBOL)();
    std::vector<std::string> findings;
    for (size_t index = 0; index < count; ++index) {
      LockstepSimFinding finding;
      EXPECT_EQ(control<LockstepSimFindingFn>(LOCKSTEP_SIM_FINDING_SYMBOL)(index, &finding), 0);
      findings.push_back(std::string(finding.oracle) + ": " + finding.call + ": " + finding.message);
    }
    return findings;
  }

  void expectCleanRun() {
    EXPECT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message();
    EXPECT_THAT(finish(), testing::IsEmpty());
  }

  static MgpuStatus status() {
    MgpuStatus result;
    mgpuStatusGet(&result);
    return result;
  }
  static std::string message() { return status().message; }

  static void launch(MgpuFunction function, MgpuStream stream, std::vector<void *> params, int threads = kCount) {
    mgpuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, params.data(), nullptr, params.size());
  }

  void *driver = nullptr;
  std::vector<char> image;
};

#define LOCKSTEP_UNDER_ALL_SCHEDULES(SUITE)                                                                            \
  INSTANTIATE_TEST_SUITE_P(Schedules, SUITE,                                                                           \
                           testing::Values("eager", "lazy", "random:1", "random:2", "random:3", "parallel"),           \
                           [](const testing::TestParamInfo<const char *> &info) {                                      \
                             std::string name = info.param;                                                            \
                             for (char &character : name)                                                              \
                               if (character == ':')                                                                   \
                                 character = '_';                                                                      \
                             return name;                                                                              \
                           })

} // namespace lockstep::runtime::test

#endif // LOCKSTEP_RUNTIME_API_TEST_SIMULATED_SIMULATEDTEST_H
