// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kinds of images, the length of bitcode, the compile cache.

#include "simgpu/jit/Compiler.h"
#include "simgpu/jit/test/TestKernels.h"

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

std::string elfFor(uint16_t machine) {
  std::string image("\x7f"
                    "ELF",
                    4);
  image.resize(64);
  image[18] = char(machine & 0xFF);
  image[19] = char(machine >> 8);
  return image;
}

TEST(Image, OtherKindsAreRefusedByName) {
  const std::string end = ": the simulated device takes LLVM bitcode";
  EXPECT_EQ(loadError("//\n// Generated\n.version 8.0\n.target sm_80\n"), "the image is PTX text" + end);
  EXPECT_EQ(loadError(elfFor(190)), "the image is an ELF cubin for an NVIDIA GPU" + end);
  EXPECT_EQ(loadError(elfFor(224)), "the image is an ELF code object (HSACO) for an AMD GPU" + end);
  EXPECT_EQ(loadError(elfFor(62)), "the image is an ELF file for machine 62" + end);
  EXPECT_EQ(loadError(llvm::StringRef("\x50\xED\x55\xBA....", 8)), "the image is a CUDA fatbin" + end);
  EXPECT_EQ(loadError("__CLANG_OFFLOAD_BUNDLE__"), "the image is a clang offload bundle" + end);
  EXPECT_EQ(loadError("; ModuleID = 'x'\n"), "the image is LLVM IR text" + end);
  EXPECT_EQ(loadError("hello, world"), "the image is an image of unknown kind" + end);
  EXPECT_EQ(loadError(""), "the image is an empty image" + end);
}

TEST(Image, DamagedBitcodeIsAnError) {
  std::string image = assemble(kernelText("", ""));
  EXPECT_NE(loadError(llvm::StringRef(image).take_front(image.size() / 2)), "");
}

TEST(Image, OtherTargetIsRefused) {
  EXPECT_EQ(loadError(assemble("target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() { ret void }")),
            "the bitcode is for target 'x86_64-pc-linux-gnu': the simulated device takes bitcode for "
            "nvptx64-nvidia-cuda and amdgcn-amd-amdhsa");
}

TEST(Image, LengthOfRawBitcodeIsFound) {
  std::string image = assemble(kernelText("", ""));
  size_t size = image.size();
  image += std::string(64, '\xFF');
  EXPECT_EQ(Module::imageSizeBytes(image.data()), size);
  // What follows may look like another bitcode file.
  image = image.substr(0, size) + image.substr(0, size);
  EXPECT_EQ(Module::imageSizeBytes(image.data()), size);
}

TEST(Image, LengthOfWrappedBitcodeIsFound) {
  std::string image = assemble(kernelText("", ""));
  const uint32_t header[5] = {0x0B17C0DE, 0, 20, uint32_t(image.size()), 0};
  std::string wrapped(reinterpret_cast<const char *>(header), sizeof(header));
  wrapped += image;
  EXPECT_EQ(Module::imageSizeBytes(wrapped.data()), wrapped.size());
  EXPECT_EQ(loadError(wrapped), "");
}

TEST(Image, LengthOfOtherThingsIsUnknown) { EXPECT_EQ(Module::imageSizeBytes(".version 8.0"), std::nullopt); }

TEST(Cache, SameContentIsCompiledOnce) {
  std::string image = assemble(kernelText("ptr %p", "  store i32 11, ptr %p"));
  uint64_t before = Module::compileCount();
  EXPECT_EQ(loadError(image), "");
  EXPECT_EQ(Module::compileCount(), before + 1);
  std::string copy = image;
  EXPECT_EQ(loadError(copy), "");
  EXPECT_EQ(Module::compileCount(), before + 1);
  EXPECT_EQ(loadError(assemble(kernelText("ptr %p", "  store i32 12, ptr %p"))), "");
  EXPECT_EQ(Module::compileCount(), before + 2);
}

TEST(Cache, IsBounded) {
  auto image = [](size_t i) { return assemble(kernelText("ptr %p", "  store i64 " + std::to_string(i) + ", ptr %p")); };
  uint64_t before = Module::compileCount();
  for (size_t i = 0; i != cachedImagesMax + 1; ++i)
    EXPECT_EQ(loadError(image(i)), "");
  EXPECT_EQ(Module::compileCount(), before + cachedImagesMax + 1);
  EXPECT_EQ(loadError(image(cachedImagesMax)), "");
  EXPECT_EQ(Module::compileCount(), before + cachedImagesMax + 1);
  EXPECT_EQ(loadError(image(0)), "");
  EXPECT_EQ(Module::compileCount(), before + cachedImagesMax + 2);
}

TEST(Cache, ModulesOutliveTheirEntry) {
  TestModule module(kernelText("ptr %p", "  store i32 13, ptr %p"));
  for (size_t i = 0; i != cachedImagesMax; ++i)
    EXPECT_EQ(loadError(assemble(kernelText("ptr %p", "  store i16 " + std::to_string(i) + ", ptr %p"))), "");
  int value = 0, *address = &value;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&address});
  EXPECT_EQ(value, 13);
}

} // namespace
