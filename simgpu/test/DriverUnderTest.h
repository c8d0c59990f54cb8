// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built libcuda.so.1, with every function that it supports.

#ifndef LOCKSTEP_SIMGPU_TEST_DRIVERUNDERTEST_H
#define LOCKSTEP_SIMGPU_TEST_DRIVERUNDERTEST_H

#include "simgpu/cuda/CudaApi.h"
#include "simgpu/test/OrderProbe.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::simgpu::test {

using namespace lockstep::simgpu::cuda;

/// One pointer for each supported function, under the function's name.
struct Driver : SimulatedLibrary {
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) CUresult(*name) parameters;
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments)                                        \
  CUresult(*name) parameters;                                                                                          \
  CUresult(*per_thread_name) parameters;
#include "simgpu/cuda/CudaCalls.def"

  /// The library, loaded once.
  static const Driver &get();

private:
  Driver();
};

/// What that library found so far.
std::vector<std::string> listFindings();
std::vector<std::string> listRules();

/// Starts each test on a fresh machine with one device and a current primary context.
class DeviceTest : public ::testing::Test {
protected:
  void SetUp() override { start("eager"); }
  /// Resets the machine; `config` is appended to the schedule's entry.
  void start(const std::string &schedule, const std::string &config = "");

  CUstream createStream(unsigned flags = CU_STREAM_NON_BLOCKING);
  CUevent createEvent(unsigned flags = CU_EVENT_DEFAULT);
  CUdeviceptr allocate(size_t sizeBytes);
  /// What a device buffer holds; waits for everything.
  std::vector<uint8_t> read(CUdeviceptr address, size_t sizeBytes);

  const Driver &cu = Driver::get();
  CUcontext context = nullptr;

  // What OrderProbe asks of a device.
  using Stream = CUstream;
  using HostFunction = CUDA_HOST_NODE_PARAMS;
  void queue(CUstream stream, const HostFunction &function) {
    EXPECT_EQ(cu.cuLaunchHostFunc(stream, function.fn, function.userData), CUDA_SUCCESS);
  }
  void waitForAll() { EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS); }
};

using OrderTest = OrderProbe<DeviceTest>;

/// Bitcode with the kernels that the tests use:
///   set(i32 *p, i32 value)            p[thread] = value
///   add(i32 *p, i32 value)            p[thread] += value
///   bad()                             writes to address 16
///   trap(), assertion(), stuck(), deep()   fail in the way of their name; stuck() needs 2 threads
///   shared()                          has 1024 bytes of static shared memory
///   bounded()                         at most 64 threads a block
///   full([4092 x i8], i32), big([4096 x i8], i32)   as many bytes of arguments as a launch takes, and more
/// and the variable `counter` (i32, 7).
const std::string &testModule();

} // namespace lockstep::simgpu::test

#define EXPECT_OK(call) EXPECT_EQ(call, CUDA_SUCCESS)
#define ASSERT_OK(call) ASSERT_EQ(call, CUDA_SUCCESS)

#endif // LOCKSTEP_SIMGPU_TEST_DRIVERUNDERTEST_H
