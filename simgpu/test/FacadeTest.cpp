// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported interface: names, versions, errors, devices.

#include "simgpu/test/DriverUnderTest.h"

#include <cstring>
#include <dlfcn.h>
#include <fstream>

namespace lockstep::simgpu::test {
namespace {

using Facade = DeviceTest;
using ::testing::HasSubstr;

TEST_F(Facade, ExportsEverySpellingOfTheTables) {
  for (const char *name : {
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) #name,
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments) #name, #per_thread_name,
#include "simgpu/cuda/CudaCalls.def"
#define LOCKSTEP_CUDA_UNSUPPORTED(name) #name,
#include "simgpu/cuda/CudaUnsupported.def"
       })
    EXPECT_NE(dlsym(cu.library, name), nullptr) << name;
}

TEST_F(Facade, ExportsNothingElse) {
  for (const char *name : {"_ZN8lockstep6simgpu7Machine3getEv", "LLVMContextCreate"}) {
    Dl_info info;
    void *address = dlsym(cu.library, name);
    EXPECT_TRUE(!address || (dladdr(address, &info) && !strstr(info.dli_fname, "libcuda"))) << name;
  }
}

TEST_F(Facade, UnsupportedFunctionsSaySoOnce) {
  auto create = reinterpret_cast<CUresult (*)()>(cu.find("cuGraphConditionalHandleCreate"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(create(), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(create(), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "lockstep simulated GPU: cuGraphConditionalHandleCreate is not supported\n");
}

TEST_F(Facade, ProcAddressGivesTheSpellingOfTheVersion) {
  CUdriverProcAddressQueryResult result;
  void *function = nullptr;
  auto find = [&](const char *name, int version) {
    cu.cuGetProcAddress_v2(name, &function, version, 0, &result);
    return function;
  };
  EXPECT_EQ(find("cuMemAlloc", 11000), cu.find("cuMemAlloc_v2"));
  EXPECT_EQ(find("cuMemcpyHtoDAsync", 12000), cu.find("cuMemcpyHtoDAsync_v2"));
  EXPECT_EQ(find("cuCtxCreate", 12000), cu.find("cuCtxCreate_v3"));
  EXPECT_EQ(find("cuCtxCreate", 13000), cu.find("cuCtxCreate_v4"));
  EXPECT_EQ(find("cuEventElapsedTime", 12000), cu.find("cuEventElapsedTime"));
  EXPECT_EQ(find("cuEventElapsedTime", 12080), cu.find("cuEventElapsedTime_v2"));
  EXPECT_EQ(find("cuNoSuchThing", 13000), nullptr);
  EXPECT_EQ(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(cu.cuGetProcAddress("cuInit", &function, 13000, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuGetProcAddress("cuInit", &function, 13000, 0));
  EXPECT_EQ(function, cu.find("cuInit"));
}

TEST_F(Facade, ProcAddressFindsPerThreadVariantsOfBothEndings) {
  void *function = nullptr;
  EXPECT_OK(cu.cuGetProcAddress("cuMemcpyHtoD", &function, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  EXPECT_EQ(function, cu.find("cuMemcpyHtoD_v2_ptds"));
  EXPECT_OK(cu.cuGetProcAddress("cuMemAlloc", &function, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  EXPECT_EQ(function, cu.find("cuMemAlloc_v2"));
}

TEST_F(Facade, EveryErrorHasANameAndAText) {
  const char *text = nullptr;
#define LOCKSTEP_CUDA_RESULT(code, number, description)                                                                \
  EXPECT_OK(cu.cuGetErrorName(code, &text));                                                                           \
  EXPECT_STREQ(text, #code);                                                                                           \
  EXPECT_OK(cu.cuGetErrorString(code, &text));                                                                         \
  EXPECT_STREQ(text, description);
#include "simgpu/cuda/CudaResults.def"
  EXPECT_EQ(cu.cuGetErrorName(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(Facade, Devices) {
  start("eager", "device_count=2");
  int version = 0, count = 0, value = 0;
  char name[64];
  CUuuid first, second;
  EXPECT_OK(cu.cuDriverGetVersion(&version));
  EXPECT_EQ(version, 13000);
  EXPECT_OK(cu.cuDeviceGetCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_OK(cu.cuDeviceGetName(name, sizeof name, 1));
  EXPECT_STREQ(name, "Lockstep simulated GPU");
  EXPECT_OK(cu.cuDeviceGetUuid_v2(&first, 0));
  EXPECT_OK(cu.cuDeviceGetUuid_v2(&second, 1));
  EXPECT_NE(memcmp(&first, &second, sizeof first), 0);
  EXPECT_OK(cu.cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1));
  EXPECT_EQ(value, 1024);
  EXPECT_EQ(cu.cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceGetName(name, sizeof name, 2), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(Facade, FlagsAndNullResultsAreChecked) {
  CUstream stream;
  CUevent event;
  EXPECT_EQ(cu.cuInit(1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuStreamCreate(&stream, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuStreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(listRules().size(), 4u);
}

TEST_F(Facade, StreamsAnswerQuestions) {
  CUstream stream;
  unsigned flags = 9;
  int priority = 9, least = 9, greatest = 9;
  CUcontext owner;
  EXPECT_OK(cu.cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_LT(greatest, least);
  EXPECT_OK(cu.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -100));
  EXPECT_OK(cu.cuStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, greatest);
  EXPECT_OK(cu.cuStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, CU_STREAM_NON_BLOCKING);
  EXPECT_OK(cu.cuStreamGetCtx(stream, &owner));
  EXPECT_EQ(owner, context);
}

TEST_F(Facade, ModulesLoadFromFiles) {
  std::string path = ::testing::TempDir() + "/lockstep-sim-module.bc";
  std::ofstream(path, std::ios::binary) << testModule();
  CUmodule module;
  EXPECT_OK(cu.cuModuleLoad(&module, path.c_str()));
  EXPECT_EQ(cu.cuModuleLoad(&module, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
}

} // namespace
} // namespace lockstep::simgpu::test
