// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapts simgpu/jit to the interface that the core asks for. The only file of the core that sees LLVM.

#include "simgpu/core/JitCompiler.h"

#include "simgpu/core/Memory.h"
#include "simgpu/core/Vendor.h"
#include "simgpu/jit/Module.h"

#include "llvm/Bitcode/BitcodeReader.h"

#include <cstring>

namespace lockstep::simgpu {

namespace {
/// The code that the documentation has for what a kernel did.
Status statusOf(const llvm::ErrorInfoBase &error) {
  if (error.isA<jit::KernelAssert>())
    return Status::Assert;
  if (error.isA<jit::KernelTrap>())
    return Status::IllegalInstruction;
  if (error.isA<jit::KernelDeadlock>())
    return Status::LaunchTimeout; // Hardware would run on until somebody's patience ends.
  if (!error.isA<jit::KernelFault>())
    return Status::LaunchFailed;
  switch (static_cast<const jit::KernelFault &>(error).getKind()) {
  case jit::KernelFault::Kind::memoryAccess:
    return Status::IllegalAddress;
  case jit::KernelFault::Kind::stack:
    return Status::HardwareStackError;
  case jit::KernelFault::Kind::unreachableCode:
    return Status::IllegalInstruction;
  case jit::KernelFault::Kind::arithmetic:
    return Status::LaunchFailed;
  }
  return Status::LaunchFailed;
}

class JitKernel final : public DeviceKernel {
public:
  JitKernel(std::shared_ptr<jit::Module> module, const jit::Kernel &kernel)
      : module(std::move(module)), kernel(kernel) {
    for (const jit::KernelParameter &parameter : kernel.parameters())
      parameters.push_back({parameter.sizeBytes, parameter.offsetBytes});
  }

  const std::vector<ParameterLayout> &getParameters() const override { return parameters; }
  uint32_t getStaticSharedBytes() const override { return kernel.staticSharedBytes(); }
  uint32_t getMaxThreadsPerBlock() const override { return kernel.maxThreadsPerBlock(); }

  std::optional<KernelFailure> run(const LaunchSize &size, const std::vector<const void *> &arguments) const override {
    jit::LaunchShape shape;
    shape.grid = {size.grid[0], size.grid[1], size.grid[2]};
    shape.block = {size.block[0], size.block[1], size.block[2]};
    shape.dynamicSharedBytes = size.dynamicSharedBytes;
    llvm::Error error = kernel.run(shape, arguments);
    if (!error)
      return std::nullopt;
    KernelFailure failure{Status::LaunchFailed, ""};
    llvm::handleAllErrors(std::move(error),
                          [&](const llvm::ErrorInfoBase &kind) { failure = {statusOf(kind), kind.message()}; });
    return failure;
  }

private:
  std::shared_ptr<jit::Module> module; ///< Keeps the kernel's code.
  const jit::Kernel &kernel;
  std::vector<ParameterLayout> parameters;
};

class JitModule final : public DeviceModule {
public:
  explicit JitModule(std::shared_ptr<jit::Module> module) : module(std::move(module)) {}

  std::shared_ptr<const DeviceKernel> findKernel(const std::string &name) const override {
    const jit::Kernel *kernel = module->findKernel(name);
    return kernel ? std::make_shared<JitKernel>(module, *kernel) : nullptr;
  }
  std::optional<Global> findGlobal(const std::string &name) const override {
    std::optional<jit::Global> global = module->findGlobal(name);
    if (!global)
      return std::nullopt;
    return Global{reinterpret_cast<uint64_t>(global->address), global->sizeBytes};
  }

private:
  std::shared_ptr<jit::Module> module;
};

class ArenaAllocator final : public jit::DeviceAllocator {
public:
  ArenaAllocator(Memory &memory, const GlobalAllocator &allocate) : memory(memory), allocate(allocate) {}
  void *allocateGlobal(size_t sizeBytes, size_t alignBytes) override { return allocate(sizeBytes, alignBytes); }
  void writeGlobal(void *address, const void *bytes, size_t sizeBytes) override {
    memcpy(memory.view(reinterpret_cast<uint64_t>(address)), bytes, sizeBytes);
  }

private:
  Memory &memory;
  const GlobalAllocator &allocate;
};

/// The compiler takes kernels of all vendors; a driver takes those of its own.
std::string explainForeign(llvm::StringRef bitcode) {
  llvm::Expected<std::string> triple = llvm::getBitcodeTargetTriple(llvm::MemoryBufferRef(bitcode, "image"));
  if (!triple) {
    llvm::consumeError(triple.takeError());
    return ""; // Loading says more.
  }
  if (triple->empty() || llvm::StringRef(*triple).starts_with(vendor().architecture))
    return "";
  return "its kernels are for '" + *triple + "', and this " + vendor().interfaceName +
         " driver takes LLVM bitcode for " + vendor().architecture +
         " (serialize kernels for the backend that runs them)";
}

class JitCompiler final : public DeviceCompiler {
public:
  explicit JitCompiler(Memory &memory) : memory(memory) {}

  std::optional<size_t> findImageSize(const void *image) const override { return jit::Module::imageSizeBytes(image); }

  std::shared_ptr<DeviceModule> load(const void *image, size_t sizeBytes, const GlobalAllocator &allocate,
                                     std::string &error) const override {
    llvm::StringRef bitcode(static_cast<const char *>(image), sizeBytes);
    error = explainForeign(bitcode);
    if (!error.empty())
      return nullptr;
    ArenaAllocator allocator(memory, allocate);
    llvm::Expected<std::shared_ptr<jit::Module>> module = jit::Module::load(bitcode, allocator);
    if (module)
      return std::make_shared<JitModule>(std::move(*module));
    error = llvm::toString(module.takeError());
    return nullptr;
  }

private:
  Memory &memory;
};
} // namespace

std::unique_ptr<DeviceCompiler> createJitCompiler(Memory &memory) { return std::make_unique<JitCompiler>(memory); }

} // namespace lockstep::simgpu
