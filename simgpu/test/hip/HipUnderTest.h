// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built libamdhip64.so.6 and .so.7, with every function that they support. The rule tests use nothing else of the
// simulator, and run on both.

#ifndef LOCKSTEP_SIMGPU_TEST_HIP_HIPUNDERTEST_H
#define LOCKSTEP_SIMGPU_TEST_HIP_HIPUNDERTEST_H

#include "simgpu/hip/HipApi.h"
#include "simgpu/test/OrderProbe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::simgpu::test {

using namespace lockstep::simgpu::hip;

/// One pointer for each supported function, under the function's name.
struct Hip : SimulatedLibrary {
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) hipError_t(*name) parameters;
#define LOCKSTEP_HIP_STREAM_CALL(name, per_thread_name, parameters, arguments)                                         \
  hipError_t(*name) parameters;                                                                                        \
  hipError_t(*per_thread_name) parameters;
#include "simgpu/hip/HipCalls.def"
  const char *(*hipGetErrorName)(hipError_t result);
  const char *(*hipGetErrorString)(hipError_t result);

  /// The library of that major version, 6 or 7, loaded once.
  static const Hip &get(int version);

private:
  explicit Hip(const char *path);
};

/// Starts each test on a fresh machine with one device. The parameter is the library's major version.
class HipDeviceTest : public ::testing::TestWithParam<int> {
protected:
  void SetUp() override { start("eager"); }
  /// Ends the threads of a parallel schedule: the next test might fork.
  void TearDown() override { start("eager"); }
  /// Resets the machine; `config` is appended to the schedule's entry.
  void start(const std::string &schedule, const std::string &config = "");

  bool is7() const { return GetParam() == 7; }
  hipStream_t createStream(unsigned flags = hipStreamNonBlocking);
  hipEvent_t createEvent();
  void *allocate(size_t sizeBytes);
  /// What the words of a device buffer hold; waits for everything.
  std::vector<uint32_t> read(const void *address, size_t count);
  hipFunction_t loadFunction(const char *name);
  std::vector<std::string> listRules() const { return hip.listRules(); }

  /// The structure of the version under test.
  const hipMemsetParamsOfVersion *choose(const hipMemsetParams &params6, const hipMemsetParams7 &params7) const {
    return is7() ? reinterpret_cast<const hipMemsetParamsOfVersion *>(&params7)
                 : reinterpret_cast<const hipMemsetParamsOfVersion *>(&params6);
  }

  // What OrderProbe asks of a device.
  using Stream = hipStream_t;
  using HostFunction = hipHostNodeParams;
  void queue(hipStream_t stream, const HostFunction &function);
  void waitForAll();

  const Hip &hip = Hip::get(GetParam());
};

using HipTest = OrderProbe<HipDeviceTest>;

/// Bitcode for amdgcn with the kernels that the tests use:
///   set(i32 *p, i32 value)   p[thread] = value
///   bad()                    writes to address 16
///   empty()                  nothing
const std::string &hipTestModule();

} // namespace lockstep::simgpu::test

/// Declares the fixture of a file and runs it on both libraries.
#define LOCKSTEP_HIP_FIXTURE(name, base)                                                                               \
  class name : public base {};                                                                                         \
  INSTANTIATE_TEST_SUITE_P(Version, name, ::testing::Values(6, 7), ::testing::PrintToStringParamName())

#define EXPECT_OK(call) EXPECT_EQ(call, hipSuccess)
#define ASSERT_OK(call) ASSERT_EQ(call, hipSuccess)

#endif // LOCKSTEP_SIMGPU_TEST_HIP_HIPUNDERTEST_H
