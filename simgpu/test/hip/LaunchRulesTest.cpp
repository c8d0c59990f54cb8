// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches and images where HIP differs: HIP-13, HIP-15, HIP-18.

#include "simgpu/test/hip/HipUnderTest.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HipLaunchTest : public HipDeviceTest {
protected:
  void SetUp() override {
    HipDeviceTest::SetUp();
    set = loadFunction("set");
    packed = {allocate(16), 7};
  }

  hipError_t launch(void **arguments, void **extra, unsigned grid = 1, unsigned block = 4) {
    return hip.hipModuleLaunchKernel(set, grid, 1, 1, block, 1, 1, 0, nullptr, arguments, extra);
  }

  static void *token(uintptr_t number) { return reinterpret_cast<void *>(number); }

  hipFunction_t set = nullptr;
  struct {
    void *address;
    int value;
  } packed{};
  size_t packedBytes = sizeof packed;
  void *arguments[2] = {&packed.address, &packed.value};
};
LOCKSTEP_HIP_FIXTURE(HipLaunchRules, HipLaunchTest);

TEST_P(HipLaunchRules, HIP_13_LaunchesOfImpossibleSizes) {
  const hipError_t empty = is7() ? hipErrorInvalidValue : hipErrorInvalidConfiguration;
  const hipError_t tooMany = is7() ? hipErrorInvalidConfiguration : hipErrorInvalidValue;
  EXPECT_EQ(launch(arguments, nullptr, 0), empty);
  EXPECT_EQ(launch(arguments, nullptr, 1, 0), empty);
  EXPECT_EQ(launch(arguments, nullptr, 1, 1025), tooMany);
  EXPECT_OK(launch(arguments, nullptr, 1, 4));
  EXPECT_THAT(listRules(), ElementsAre("KERNEL-1", "KERNEL-1", "KERNEL-1"));
}

TEST_P(HipLaunchRules, HIP_13_AnInvalidStreamIsNoMatterOfSize) {
  hipStream_t stream = createStream();
  EXPECT_OK(hip.hipStreamDestroy(stream));
  EXPECT_EQ(hip.hipModuleLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr),
            hipErrorContextIsDestroyed);
}

TEST_P(HipLaunchRules, HIP_15_ArgumentsFromOneBuffer) {
  void *extra[] = {token(HIP_LAUNCH_PARAM_BUFFER_POINTER), &packed, token(HIP_LAUNCH_PARAM_BUFFER_SIZE), &packedBytes,
                   token(HIP_LAUNCH_PARAM_END)};
  EXPECT_OK(launch(nullptr, extra));
  EXPECT_THAT(read(packed.address, 4), ElementsAre(7, 7, 7, 7));
}

TEST_P(HipLaunchRules, HIP_15_BothFormsOfArgumentsAreRefused) {
  void *extra[] = {token(HIP_LAUNCH_PARAM_BUFFER_POINTER), &packed, token(HIP_LAUNCH_PARAM_BUFFER_SIZE), &packedBytes,
                   token(HIP_LAUNCH_PARAM_END)};
  EXPECT_EQ(launch(arguments, extra), hipErrorInvalidValue);
  EXPECT_EQ(launch(nullptr, nullptr), hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("ERROR-6", "ERROR-6"));
}

TEST_P(HipLaunchRules, HIP_15_TheTokensStandInOneOrder) {
  void *turned[] = {token(HIP_LAUNCH_PARAM_BUFFER_SIZE), &packedBytes, token(HIP_LAUNCH_PARAM_BUFFER_POINTER), &packed,
                    token(HIP_LAUNCH_PARAM_END)};
  void *twice[] = {token(HIP_LAUNCH_PARAM_BUFFER_POINTER), &packed, token(HIP_LAUNCH_PARAM_BUFFER_POINTER),
                   &packedBytes, token(HIP_LAUNCH_PARAM_END)};
  void *open[] = {token(HIP_LAUNCH_PARAM_BUFFER_POINTER), &packed, token(HIP_LAUNCH_PARAM_BUFFER_SIZE), &packedBytes,
                  token(9)};
  void *null[] = {token(HIP_LAUNCH_PARAM_BUFFER_POINTER), nullptr, token(HIP_LAUNCH_PARAM_BUFFER_SIZE), &packedBytes,
                  token(HIP_LAUNCH_PARAM_END)};
  for (void **extra : {turned, twice, open, null})
    EXPECT_EQ(launch(nullptr, extra), hipErrorInvalidValue);
  EXPECT_THAT(listRules(), ElementsAre("HIP-15", "HIP-15", "HIP-15", "HIP-15"));
}

TEST_P(HipLaunchRules, HIP_18_KernelsOfOthersAreNamed) {
  hipModule_t module = nullptr;
  const std::string nvptx = bitcodeOf("target triple = \"nvptx64-nvidia-cuda\"\n");
  EXPECT_EQ(hip.hipModuleLoadData(&module, nvptx.data()), hipErrorInvalidImage);
  EXPECT_EQ(hip.hipModuleLoadData(&module, "\x7f"
                                           "ELF\2\1\1\100"),
            hipErrorInvalidImage);
  EXPECT_EQ(hip.hipModuleLoadData(&module, ".version 8.0\n.target sm_90\n"), hipErrorInvalidImage);
  EXPECT_EQ(hip.hipModuleLoadData(&module, "__CLANG_OFFLOAD_BUNDLE__"), hipErrorInvalidImage);
  EXPECT_THAT(hip.listFindings(),
              ElementsAre(HasSubstr("for 'nvptx64-nvidia-cuda', and this HIP driver takes LLVM bitcode for amdgcn"),
                          HasSubstr("ELF"), HasSubstr("PTX"), HasSubstr("bundle")));
}

} // namespace
} // namespace lockstep::simgpu::test
