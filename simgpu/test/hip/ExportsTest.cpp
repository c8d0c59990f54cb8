// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the libraries export.

#include "simgpu/test/hip/HipUnderTest.h"

#include "llvm/Object/ELFObjectFile.h"

#include <cstring>
#include <dlfcn.h>
#include <set>

namespace lockstep::simgpu::test {
namespace {

LOCKSTEP_HIP_FIXTURE(HipExports, HipDeviceTest);

TEST_P(HipExports, NothingButTheInterface) {
  for (const char *name : {"_ZN8lockstep6simgpu7Machine3getEv", "LLVMContextCreate"}) {
    Dl_info info;
    void *address = dlsym(hip.library, name);
    EXPECT_TRUE(!address || (dladdr(address, &info) && !strstr(info.dli_fname, "libamdhip64"))) << name;
  }
}

TEST_P(HipExports, ProcAddressFindsEveryName) {
  void *function = nullptr;
  hipDriverProcAddressQueryResult result;
  for (const char *name : {"hipMalloc", "hipMemcpy_spt", "hipGetErrorName", "hipBindTexture"}) {
    EXPECT_OK(hip.hipGetProcAddress(name, &function, 600, 0, &result));
    EXPECT_EQ(function, hip.find(name));
    EXPECT_EQ(result, HIP_GET_PROC_ADDRESS_SUCCESS);
  }
  EXPECT_OK(hip.hipGetProcAddress("hipGetDeviceProperties", &function, 502, 0, nullptr));
  EXPECT_EQ(function, hip.find("hipGetDeviceProperties"));
  EXPECT_OK(hip.hipGetProcAddress("hipGetDeviceProperties", &function, 600, 0, nullptr));
  EXPECT_EQ(function, hip.find("hipGetDevicePropertiesR0600"));
  EXPECT_EQ(hip.hipGetProcAddress("hipNoSuchThing", &function, 600, 0, &result), hipErrorInvalidValue);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(result, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(hip.hipGetProcAddress("hipMalloc", &function, 600, 1, nullptr), hipErrorInvalidValue);
}

// Stream handle 0: the legacy stream, which waits for a blocking one, or the thread's own, which does not.
TEST_P(HipExports, PerThreadNamesMeanTheThreadsOwnStream) {
  start("lazy");
  hipStream_t stream = createStream(hipStreamDefault);
  void *memory = allocate(4);
  uint32_t word = 0;
  EXPECT_OK(hip.hipMemsetAsync(memory, 1, 4, stream));
  EXPECT_OK(hip.hipMemcpy_spt(&word, memory, 4, hipMemcpyDeviceToHost));
  EXPECT_NE(word, 0x01010101u);
  EXPECT_OK(hip.hipMemcpy(&word, memory, 4, hipMemcpyDeviceToHost));
  EXPECT_EQ(word, 0x01010101u);
}

TEST_P(HipExports, WhatIsNotSupportedSaysSoOnce) {
#define LOCKSTEP_HIP_UNSUPPORTED(name)                                                                                 \
  {                                                                                                                    \
    auto call = reinterpret_cast<hipError_t (*)()>(hip.find(#name));                                                   \
    ::testing::internal::CaptureStderr();                                                                              \
    EXPECT_EQ(call(), hipErrorNotSupported) << #name;                                                                  \
    EXPECT_EQ(call(), hipErrorNotSupported) << #name;                                                                  \
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "lockstep simulated GPU: " #name " is not supported\n");       \
  }
#include "simgpu/hip/HipUnsupported.def"
  EXPECT_EQ(hip.hipGetLastError(), hipErrorNotSupported);
}

#ifdef LOCKSTEP_HIP_LIBRARY
/// The dynamic symbols that a library defines.
std::set<std::string> readExports(const char *path) {
  auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(path));
  std::set<std::string> names;
  for (const llvm::object::SymbolRef &symbol :
       llvm::cast<llvm::object::ELFObjectFileBase>(*file.getBinary()).getDynamicSymbolIterators())
    if (!(llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined))
      names.insert(llvm::cantFail(symbol.getName()).str());
  return names;
}

/// What HIP 5.2 lacks, the oldest that runtime-hip takes.
const std::set<std::string> newer = {
    "hipArray3DGetDescriptor",
    "hipArrayGetDescriptor",
    "hipArrayGetInfo",
    "hipChooseDeviceR0000",
    "hipChooseDeviceR0600",
    "hipDeviceGetGraphMemAttribute",
    "hipDeviceGetTexture1DLinearMaxWidth",
    "hipDeviceGraphMemTrim",
    "hipDeviceSetGraphMemAttribute",
    "hipDeviceSetLimit",
    "hipDrvGraphAddMemFreeNode",
    "hipDrvGraphAddMemcpyNode",
    "hipDrvGraphAddMemsetNode",
    "hipDrvGraphExecMemcpyNodeSetParams",
    "hipDrvGraphExecMemsetNodeSetParams",
    "hipDrvGraphMemcpyNodeGetParams",
    "hipDrvGraphMemcpyNodeSetParams",
    "hipDrvLaunchKernelEx",
    "hipEventRecordWithFlags",
    "hipEventRecord_spt",
    "hipExtModuleLaunchKernel",
    "hipGetDevicePropertiesR0000",
    "hipGetDevicePropertiesR0600",
    "hipGetFuncBySymbol",
    "hipGetProcAddress",
    "hipGraphAddBatchMemOpNode",
    "hipGraphAddExternalSemaphoresSignalNode",
    "hipGraphAddExternalSemaphoresWaitNode",
    "hipGraphAddMemAllocNode",
    "hipGraphAddMemFreeNode",
    "hipGraphAddNode",
    "hipGraphBatchMemOpNodeGetParams",
    "hipGraphBatchMemOpNodeSetParams",
    "hipGraphDebugDotPrint",
    "hipGraphExecBatchMemOpNodeSetParams",
    "hipGraphExecExternalSemaphoresSignalNodeSetParams",
    "hipGraphExecExternalSemaphoresWaitNodeSetParams",
    "hipGraphExecGetFlags",
    "hipGraphExecNodeSetParams",
    "hipGraphExternalSemaphoresSignalNodeGetParams",
    "hipGraphExternalSemaphoresSignalNodeSetParams",
    "hipGraphExternalSemaphoresWaitNodeGetParams",
    "hipGraphExternalSemaphoresWaitNodeSetParams",
    "hipGraphInstantiateWithParams",
    "hipGraphKernelNodeCopyAttributes",
    "hipGraphKernelNodeGetAttribute",
    "hipGraphKernelNodeSetAttribute",
    "hipGraphLaunch_spt",
    "hipGraphMemAllocNodeGetParams",
    "hipGraphMemFreeNodeGetParams",
    "hipGraphNodeGetEnabled",
    "hipGraphNodeSetEnabled",
    "hipGraphNodeSetParams",
    "hipGraphReleaseUserObject",
    "hipGraphRetainUserObject",
    "hipGraphUpload",
    "hipLaunchHostFunc",
    "hipLaunchHostFunc_spt",
    "hipLaunchKernelExC",
    "hipLinkAddData",
    "hipLinkAddFile",
    "hipLinkComplete",
    "hipLinkCreate",
    "hipLinkDestroy",
    "hipMemGetHandleForAddressRange",
    "hipMemcpy2DArrayToArray",
    "hipMemcpy2DAsync_spt",
    "hipMemcpy2DFromArrayAsync_spt",
    "hipMemcpy2DToArrayAsync_spt",
    "hipMemcpy3DAsync_spt",
    "hipMemcpyAtoA",
    "hipMemcpyAtoD",
    "hipMemcpyAtoHAsync",
    "hipMemcpyDtoA",
    "hipMemcpyFromArray_spt",
    "hipMemcpyFromSymbolAsync_spt",
    "hipMemcpyHtoAAsync",
    "hipMemcpyToSymbolAsync_spt",
    "hipMemset2DAsync_spt",
    "hipMemset3DAsync_spt",
    "hipMemsetAsync_spt",
    "hipModuleLaunchCooperativeKernel",
    "hipModuleLaunchCooperativeKernelMultiDevice",
    "hipPointerSetAttribute",
    "hipSetValidDevices",
    "hipStreamAddCallback_spt",
    "hipStreamBatchMemOp",
    "hipStreamBeginCaptureToGraph",
    "hipStreamBeginCapture_spt",
    "hipStreamEndCapture_spt",
    "hipStreamGetCaptureInfo_spt",
    "hipStreamGetCaptureInfo_v2_spt",
    "hipStreamGetDevice",
    "hipStreamIsCapturing_spt",
    "hipUserObjectCreate",
    "hipUserObjectRelease",
    "hipUserObjectRetain",
};

// AMD's library is read, not loaded.
TEST(HipVendorLibrary, ExportsEveryNameOfOurs) {
  const std::set<std::string> theirs = readExports(LOCKSTEP_HIP_LIBRARY);
  ASSERT_EQ(theirs.count("hipMalloc"), 1u);
  auto check = [&](const char *name) { EXPECT_TRUE(theirs.count(name) || newer.count(name)) << name; };
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) check(#name);
#define LOCKSTEP_HIP_STREAM_CALL(name, per_thread_name, parameters, arguments)                                         \
  check(#name);                                                                                                        \
  check(#per_thread_name);
#include "simgpu/hip/HipCalls.def"
#define LOCKSTEP_HIP_UNSUPPORTED(name) check(#name);
#include "simgpu/hip/HipUnsupported.def"
}
#endif

} // namespace
} // namespace lockstep::simgpu::test
