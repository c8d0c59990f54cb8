// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixture of the tests over the fake driver.

#ifndef LOCKSTEP_RUNTIME_CUDA_TEST_RUNTIMETEST_H
#define LOCKSTEP_RUNTIME_CUDA_TEST_RUNTIMETEST_H

#include "runtime-api/Mgpu.h"
#include "runtime-cuda/test/FakeDriver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace lockstep::cuda {

/// Each test starts with the library reset, the complete fake driver wanted, and the policy "record".
class RuntimeTest : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {kFakeVersionVariable, kFakeDeviceCountVariable, kFakeInitResultVariable})
      unsetenv(name);
    mgpuStatusSetPolicy(kMgpuPolicyRecord);
    useDriver(FAKE_DRIVER_PATH);
  }

  void TearDown() override {
    mgpuSetRecorder(nullptr);
    mgpuSetOp(nullptr);
    mgpuReset();
  }

  /// Makes the library load `path` at its next call, and starts that fake afresh where it is one.
  void useDriver(const char *path) {
    mgpuReset();
    // A reset keeps the driver with what was checked at its load. A load that fails drops it.
    setenv("LOCKSTEP_CUDA_DRIVER", "/nonexistent/libcuda.so.1", 1);
    ASSERT_EQ(mgpuInitialize(), kMgpuStatusNoLibrary);
    mgpuReset();
    setenv("LOCKSTEP_CUDA_DRIVER", path, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    auto getState = library ? reinterpret_cast<FakeDriverStateFn>(dlsym(library, "fakeDriverState")) : nullptr;
    fakeState = getState ? getState() : nullptr;
    if (getState)
      reinterpret_cast<FakeDriverResetFn>(dlsym(library, "fakeDriverReset"))();
  }

  FakeDriver &fake() { return *fakeState; }

  void failCall(const char *call, CUresult code, int index = 0) {
    fake().clearCalls();
    fake().failCall = call;
    fake().failIndex = index;
    fake().failCode = code;
  }

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

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_TEST_RUNTIMETEST_H
