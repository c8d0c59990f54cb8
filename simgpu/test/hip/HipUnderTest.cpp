// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {

Hip::Hip(const char *path) : SimulatedLibrary(path) {
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) load(#name, name);
#define LOCKSTEP_HIP_STREAM_CALL(name, per_thread_name, parameters, arguments)                                         \
  load(#name, name);                                                                                                   \
  load(#per_thread_name, per_thread_name);
#include "simgpu/hip/HipCalls.def"
  load("hipGetErrorName", hipGetErrorName);
  load("hipGetErrorString", hipGetErrorString);
}

const Hip &Hip::get(int version) {
  static const Hip hip6(LOCKSTEP_SIM_HIP6_LIBRARY), hip7(LOCKSTEP_SIM_HIP7_LIBRARY);
  return version == 6 ? hip6 : hip7;
}

void HipDeviceTest::start(const std::string &schedule, const std::string &config) {
  ASSERT_STREQ(hip.reset(("schedule=" + schedule + ";" + config).c_str()), nullptr);
  ASSERT_OK(hip.hipInit(0));
}

hipStream_t HipDeviceTest::createStream(unsigned flags) {
  hipStream_t stream = nullptr;
  EXPECT_OK(hip.hipStreamCreateWithFlags(&stream, flags));
  return stream;
}

hipEvent_t HipDeviceTest::createEvent() {
  hipEvent_t event = nullptr;
  EXPECT_OK(hip.hipEventCreate(&event));
  return event;
}

void *HipDeviceTest::allocate(size_t sizeBytes) {
  void *address = nullptr;
  EXPECT_OK(hip.hipMalloc(&address, sizeBytes));
  return address;
}

std::vector<uint32_t> HipDeviceTest::read(const void *address, size_t count) {
  std::vector<uint32_t> words(count);
  waitForAll();
  EXPECT_OK(hip.hipMemcpy(words.data(), address, count * sizeof words[0], hipMemcpyDeviceToHost));
  return words;
}

hipFunction_t HipDeviceTest::loadFunction(const char *name) {
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  EXPECT_OK(hip.hipModuleLoadData(&module, hipTestModule().data()));
  EXPECT_OK(hip.hipModuleGetFunction(&function, module, name));
  return function;
}

void HipDeviceTest::queue(hipStream_t stream, const HostFunction &function) {
  EXPECT_OK(hip.hipLaunchHostFunc(stream, function.fn, function.userData));
}

void HipDeviceTest::waitForAll() { EXPECT_OK(hip.hipDeviceSynchronize()); }

static const char *const moduleText = R"(
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @set(ptr %p, i32 %value) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 %value, ptr %q
  ret void
}
define amdgpu_kernel void @bad() {
  %p = inttoptr i64 16 to ptr
  store volatile i32 1, ptr %p
  ret void
}
define amdgpu_kernel void @empty() {
  ret void
}
)";

const std::string &hipTestModule() {
  static const std::string bitcode = bitcodeOf(moduleText);
  return bitcode;
}

} // namespace lockstep::simgpu::test
