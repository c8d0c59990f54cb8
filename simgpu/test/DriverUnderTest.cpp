// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the library and builds the kernels of the tests.

#include "simgpu/test/DriverUnderTest.h"

namespace lockstep::simgpu::test {

Driver::Driver() : SimulatedLibrary(LOCKSTEP_SIM_CUDA_LIBRARY) {
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) load(#name, name);
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments)                                        \
  load(#name, name);                                                                                                   \
  load(#per_thread_name, per_thread_name);
#include "simgpu/cuda/CudaCalls.def"
}

const Driver &Driver::get() {
  static const Driver driver;
  return driver;
}

std::vector<std::string> listFindings() { return Driver::get().listFindings(); }
std::vector<std::string> listRules() { return Driver::get().listRules(); }

void DeviceTest::start(const std::string &schedule, const std::string &config) {
  ASSERT_STREQ(cu.reset(("schedule=" + schedule + ";" + config).c_str()), nullptr);
  ASSERT_OK(cu.cuInit(0));
  ASSERT_OK(cu.cuDevicePrimaryCtxRetain(&context, 0));
  ASSERT_OK(cu.cuCtxSetCurrent(context));
}

CUstream DeviceTest::createStream(unsigned flags) {
  CUstream stream = nullptr;
  EXPECT_OK(cu.cuStreamCreate(&stream, flags));
  return stream;
}

CUevent DeviceTest::createEvent(unsigned flags) {
  CUevent event = nullptr;
  EXPECT_OK(cu.cuEventCreate(&event, flags));
  return event;
}

CUdeviceptr DeviceTest::allocate(size_t sizeBytes) {
  CUdeviceptr address = 0;
  EXPECT_OK(cu.cuMemAlloc_v2(&address, sizeBytes));
  return address;
}

std::vector<uint8_t> DeviceTest::read(CUdeviceptr address, size_t sizeBytes) {
  std::vector<uint8_t> bytes(sizeBytes);
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuMemcpyDtoH_v2(bytes.data(), address, sizeBytes));
  return bytes;
}

static const char *const moduleText = R"(
target triple = "nvptx64-nvidia-cuda"
@counter = addrspace(1) global i32 7
@scratch = internal addrspace(3) global [1024 x i8] undef
@text = internal constant [2 x i8] c"x\00"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.trap()
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @set(ptr %p, i32 %value) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 %value, ptr %q
  ret void
}
define ptx_kernel void @add(ptr %p, i32 %value) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr %p, i32 %t
  %old = load i32, ptr %q
  %new = add i32 %old, %value
  store i32 %new, ptr %q
  ret void
}
define ptx_kernel void @bad() {
  %p = inttoptr i64 16 to ptr
  store volatile i32 1, ptr %p
  ret void
}
define ptx_kernel void @trap() {
  call void @llvm.trap()
  unreachable
}
define ptx_kernel void @assertion() {
  call void @__assertfail(ptr @text, ptr @text, i32 12, ptr @text, i64 1)
  ret void
}
define ptx_kernel void @stuck() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %here, label %there
here:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
there:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  ret void
}
define ptx_kernel void @deep() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = call i32 @recurse(i32 1000000)
  ret void
}
define internal i32 @recurse(i32 %n) noinline {
  %room = alloca [64 x i32]
  store volatile i32 %n, ptr %room
  %z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %more
more:
  %m = sub i32 %n, 1
  %x = call i32 @recurse(i32 %m)
  %v = load volatile i32, ptr %room
  %s = add i32 %x, %v
  ret i32 %s
end:
  ret i32 0
}
define ptx_kernel void @shared() {
  store volatile i8 1, ptr addrspace(3) @scratch
  ret void
}
define ptx_kernel void @bounded() #0 {
  ret void
}
define ptx_kernel void @full([4092 x i8] %a, i32 %b) {
  ret void
}
define ptx_kernel void @big([4096 x i8] %a, i32 %b) {
  ret void
}
attributes #0 = { "nvvm.maxntid"="64" }
)";

const std::string &testModule() {
  static const std::string bitcode = bitcodeOf(moduleText);
  return bitcode;
}

} // namespace lockstep::simgpu::test
