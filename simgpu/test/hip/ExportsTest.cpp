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

// AMD's library is read, not loaded. What it is too old for is listed: HIP 5.2 is the oldest that runtime-hip takes.
TEST(HipVendorLibrary, ExportsEveryNameOfOurs) {
  const std::set<std::string> newer = {
      "hipDeviceGetGraphMemAttribute",
      "hipDeviceGraphMemTrim",
      "hipDeviceSetGraphMemAttribute",
      "hipDeviceSetLimit",
      "hipExtModuleLaunchKernel",
      "hipGetDevicePropertiesR0600",
      "hipGetProcAddress",
      "hipGraphAddMemAllocNode",
      "hipGraphAddMemFreeNode",
      "hipGraphAddNode",
      "hipGraphDebugDotPrint",
      "hipGraphKernelNodeCopyAttributes",
      "hipGraphKernelNodeGetAttribute",
      "hipGraphKernelNodeSetAttribute",
      "hipGraphMemAllocNodeGetParams",
      "hipGraphMemFreeNodeGetParams",
      "hipGraphNodeGetEnabled",
      "hipGraphNodeSetEnabled",
      "hipGraphReleaseUserObject",
      "hipGraphRetainUserObject",
      "hipGraphUpload",
      "hipLaunchHostFunc",
      "hipModuleLaunchCooperativeKernel",
      "hipPointerSetAttribute",
      "hipStreamGetDevice",
      "hipUserObjectCreate",
      "hipUserObjectRelease",
      "hipUserObjectRetain",
  };
  const std::set<std::string> theirs = readExports(LOCKSTEP_HIP_LIBRARY);
  ASSERT_EQ(theirs.count("hipMalloc"), 1u);
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) EXPECT_TRUE(theirs.count(#name) || newer.count(#name)) << #name;
#include "simgpu/hip/HipCalls.def"
#define LOCKSTEP_HIP_UNSUPPORTED(name) EXPECT_TRUE(theirs.count(#name) || newer.count(#name)) << #name;
#include "simgpu/hip/HipUnsupported.def"
}
#endif

} // namespace
} // namespace lockstep::simgpu::test
