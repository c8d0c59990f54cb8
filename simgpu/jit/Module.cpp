// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Module.h"
#include "simgpu/jit/Compiler.h"
#include "simgpu/jit/Executor.h"
#include "simgpu/jit/Image.h"
#include <cstring>

using namespace llvm;

namespace lockstep::simgpu::jit {

StringRef Kernel::name() const { return record.name; }
ArrayRef<KernelParameter> Kernel::parameters() const { return record.parameters; }
uint32_t Kernel::staticSharedBytes() const { return record.staticSharedBytes; }
uint32_t Kernel::maxThreadsPerBlock() const { return record.maxThreadsPerBlock; }
bool Kernel::usesFibers() const { return record.usesFibers; }

Error Kernel::run(const LaunchShape &shape, ArrayRef<const void *> arguments) const {
  return runKernel(record, globals, shape, arguments);
}

Module::Module(std::shared_ptr<const CompiledModule> compiled)
    : code(std::move(compiled)), globals(new void *[code->variables.size()]()) {
  for (const CompiledKernel &record : code->kernels)
    kernels.emplace_back(code, record, globals.get());
}

Module::~Module() = default;

Expected<std::shared_ptr<Module>> Module::load(StringRef image, DeviceAllocator &allocator) {
  auto code = compileCached(image);
  if (!code)
    return code.takeError();
  std::shared_ptr<Module> module(new Module(std::move(*code)));
  if (Error error = module->placeGlobals(allocator))
    return error;
  return module;
}

Error Module::placeGlobals(DeviceAllocator &allocator) {
  for (size_t i = 0; i != code->variables.size(); ++i) {
    const TableVariable &variable = code->variables[i];
    globals[i] = allocator.allocateGlobal(std::max<uint64_t>(variable.sizeBytes, 1), variable.alignBytes);
    if (!globals[i])
      return createStringError("no device memory for variable '" + variable.name + "' of " +
                               std::to_string(variable.sizeBytes) + " bytes");
  }
  for (size_t i = 0; i != code->variables.size(); ++i) {
    std::vector<char> bytes = code->variables[i].initialBytes;
    for (const TableVariable::Relocation &relocation : code->variables[i].relocations) {
      char *address = static_cast<char *>(globals[relocation.variable]) + relocation.addend;
      memcpy(bytes.data() + relocation.offsetBytes, &address, sizeof(address));
    }
    if (!bytes.empty())
      allocator.writeGlobal(globals[i], bytes.data(), bytes.size());
  }
  return Error::success();
}

const Kernel *Module::findKernel(StringRef name) const {
  for (const Kernel &kernel : kernels)
    if (kernel.name() == name)
      return &kernel;
  return nullptr;
}

std::optional<Global> Module::findGlobal(StringRef name) const {
  for (size_t i = 0; i != code->variables.size(); ++i)
    if (code->variables[i].visibleToHost && code->variables[i].name == name)
      return Global{globals[i], size_t(code->variables[i].sizeBytes)};
  return std::nullopt;
}

std::optional<size_t> Module::imageSizeBytes(const void *image) { return bitcodeSizeBytes(image); }

uint64_t Module::compileCount() { return cacheCompileCount(); }

} // namespace lockstep::simgpu::jit
