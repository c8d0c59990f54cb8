// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/test/TestKernels.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace lockstep::simgpu::jit::test {

void *HostAllocator::allocateGlobal(size_t sizeBytes, size_t alignBytes) {
  if (exhausted)
    return nullptr;
  size_t align = std::max(alignBytes, sizeof(void *));
  std::shared_ptr<void> block(std::aligned_alloc(align, alignTo(sizeBytes, align)), free);
  blocks.push_back(block);
  return block.get();
}

void HostAllocator::writeGlobal(void *address, const void *bytes, size_t sizeBytes) {
  memcpy(address, bytes, sizeBytes);
}

const std::string prelude = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";

std::string kernelText(StringRef parameters, StringRef body, StringRef outside) {
  return (Twine(prelude) + outside + "\ndefine ptx_kernel void @k(" + parameters +
          ") {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + body + "\n  ret void\n}\n")
      .str();
}

std::string assemble(StringRef text) {
  bool hasOwnTarget = text.starts_with("target datalayout");
  std::string source = hasOwnTarget
                           ? text.str()
                           : "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
                             "target triple = \"nvptx64-nvidia-cuda\"\n" +
                                 text.str();
  LLVMContext context;
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(source, diagnostic, context);
  std::string image;
  if (!module) {
    raw_string_ostream stream(image);
    diagnostic.print("test", stream);
    ADD_FAILURE() << image;
    return "";
  }
  raw_string_ostream stream(image);
  WriteBitcodeToFile(*module, stream);
  return image;
}

TestModule::TestModule(StringRef text, const std::string &image) {
  auto loaded = Module::load(image, allocator);
  if (!loaded) {
    ADD_FAILURE() << toString(loaded.takeError()) << "\n" << text.str();
    abort();
  }
  module = *loaded;
}

const Kernel &TestModule::kernel(StringRef name) const {
  const Kernel *found = module->findKernel(name);
  if (!found) {
    ADD_FAILURE() << "no kernel " << name.str();
    abort();
  }
  return *found;
}

std::string TestModule::runForError(const LaunchShape &shape, std::initializer_list<const void *> arguments) const {
  Error error = kernel().run(shape, ArrayRef(arguments.begin(), arguments.size()));
  return error ? toString(std::move(error)) : "";
}

void TestModule::run(const LaunchShape &shape, std::initializer_list<const void *> arguments) const {
  EXPECT_EQ(runForError(shape, arguments), "");
}

std::string loadError(StringRef image) {
  HostAllocator allocator;
  auto loaded = Module::load(image, allocator);
  return loaded ? "" : toString(loaded.takeError());
}

} // namespace lockstep::simgpu::jit::test
