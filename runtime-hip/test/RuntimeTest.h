// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixture of the tests over the fake HIP runtime.

#ifndef LOCKSTEP_RUNTIME_HIP_TEST_RUNTIMETEST_H
#define LOCKSTEP_RUNTIME_HIP_TEST_RUNTIMETEST_H

#include "runtime-api/Mgpu.h"
#include "runtime-hip/Driver.h"
#include "runtime-hip/test/FakeDriver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace lockstep::hip {

/// Each test starts with the library reset, the complete fake wanted and not loaded yet, and the policy "record".
class RuntimeTest : public testing::Test {
protected:
  void SetUp() override {
    mgpuStatusSetPolicy(kMgpuPolicyRecord);
    useDriver(FAKE_DRIVER_PATH);
  }

  void TearDown() override {
    mgpuSetRecorder(nullptr);
    mgpuReset();
  }

  /// Makes the library load `path` at its next call, and starts that fake afresh where it is one.
  void useDriver(const char *path) {
    mgpuReset();
    // A reset keeps the driver with what was checked at its load. A load that fails drops it.
    setenv(kDriverVariable, "/nonexistent/libamdhip64.so", 1);
    ASSERT_EQ(mgpuInitialize(), kMgpuStatusNoLibrary);
    mgpuReset();
    setenv(kDriverVariable, path, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    auto getState = library ? reinterpret_cast<FakeDriverStateFn>(dlsym(library, "fakeDriverState")) : nullptr;
    fakeState = getState ? getState() : nullptr;
    if (fakeState)
      *fakeState = FakeDriver();
  }

  FakeDriver &fake() { return *fakeState; }

  static MgpuStatus status() {
    MgpuStatus result;
    mgpuStatusGet(&result);
    return result;
  }
  static std::string message() { return status().message; }

  /// Expects that no failure is recorded; shows it where one is.
  static void expectOk() { EXPECT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message(); }

private:
  FakeDriver *fakeState = nullptr;
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_TEST_RUNTIMETEST_H
