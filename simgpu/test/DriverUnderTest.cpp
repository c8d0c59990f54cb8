// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the library and builds the kernels of the tests.

#include "simgpu/test/DriverUnderTest.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

namespace lockstep::simgpu::test {

void *Driver::find(const char *name) const {
  void *function = dlsym(library, name);
  if (!function) {
    fprintf(stderr, "the library has no %s\n", name);
    exit(1);
  }
  return function;
}

const Driver &Driver::get() {
  static const Driver driver = [] {
    Driver loaded;
    loaded.library = dlopen(LOCKSTEP_SIM_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!loaded.library) {
      fprintf(stderr, "%s\n", dlerror());
      exit(1);
    }
    auto load = [&](const char *name, auto &function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(loaded.find(name));
    };
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) load(#name, loaded.name);
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments)                                        \
  load(#name, loaded.name);                                                                                            \
  load(#per_thread_name, loaded.per_thread_name);
#include "simgpu/cuda/CudaCalls.def"
    load(LOCKSTEP_SIM_INTERFACE_VERSION_SYMBOL, loaded.interfaceVersion);
    load(LOCKSTEP_SIM_RESET_SYMBOL, loaded.reset);
    load(LOCKSTEP_SIM_FINISH_SYMBOL, loaded.finish);
    load(LOCKSTEP_SIM_FINDING_COUNT_SYMBOL, loaded.findingCount);
    load(LOCKSTEP_SIM_FINDING_SYMBOL, loaded.finding);
    load(LOCKSTEP_SIM_SET_OP_SYMBOL, loaded.setOp);
    load(LOCKSTEP_SIM_INJECT_FAILURE_SYMBOL, loaded.injectFailure);
    load(LOCKSTEP_SIM_TRACE_HASH_SYMBOL, loaded.traceHash);
    load(LOCKSTEP_SIM_TRACE_WRITE_SYMBOL, loaded.traceWrite);
    return loaded;
  }();
  return driver;
}

static std::vector<LockstepSimFinding> readFindings() {
  const Driver &driver = Driver::get();
  std::vector<LockstepSimFinding> findings(driver.findingCount());
  for (size_t i = 0; i < findings.size(); ++i)
    driver.finding(i, &findings[i]);
  return findings;
}

std::vector<std::string> listFindings() {
  std::vector<std::string> texts;
  for (const LockstepSimFinding &finding : readFindings())
    texts.push_back(std::string(finding.rule) + " " + finding.call + ": " + finding.message);
  return texts;
}

std::vector<std::string> listRules() {
  std::vector<std::string> rules;
  for (const LockstepSimFinding &finding : readFindings())
    rules.push_back(finding.rule);
  return rules;
}

std::vector<std::string> listSchedules(unsigned randomCount) {
  std::vector<std::string> schedules{"eager", "lazy"};
  for (unsigned seed = 1; seed <= randomCount; ++seed)
    schedules.push_back("random:" + std::to_string(seed));
  return schedules;
}

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
define ptx_kernel void @big([4096 x i8] %a, i32 %b) {
  ret void
}
attributes #0 = { "nvvm.maxntid"="64" }
)";

const std::string &testModule() {
  static const std::string bitcode = [] {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(moduleText, diagnostic, context);
    if (!module) {
      diagnostic.print("testModule", llvm::errs());
      exit(1);
    }
    std::string raw;
    llvm::raw_string_ostream stream(raw);
    llvm::WriteBitcodeToFile(*module, stream);
    stream.flush();
    // The wrapper form, which carries the length: mark, version, offset, size, CPU type.
    uint32_t header[5] = {0x0B17C0DE, 0, sizeof header, static_cast<uint32_t>(raw.size()), 0};
    return std::string(reinterpret_cast<const char *>(header), sizeof header) + raw;
  }();
  return bitcode;
}

} // namespace lockstep::simgpu::test
