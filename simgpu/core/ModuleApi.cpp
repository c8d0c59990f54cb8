// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images become modules, names become functions.

#include "simgpu/core/ModuleApi.h"

#include "simgpu/core/CaptureApi.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace lockstep::simgpu {

DeviceKernel::~DeviceKernel() = default;
DeviceModule::~DeviceModule() = default;
DeviceCompiler::~DeviceCompiler() = default;

/// A word for what an image looks like, from its first bytes. The caller knows that it is not bitcode.
static const char *guessFormat(const void *image) {
  const char *bytes = static_cast<const char *>(image);
  if (memcmp(bytes,
             "\x7f"
             "ELF",
             4) == 0)
    return "an ELF image (cubin or HSACO)";
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  if (word == 0xBA55ED50 || word == 0x466243B1)
    return "a fat binary";
  if (strncmp(bytes, "HIPF", 4) == 0 || strncmp(bytes, "CCOB", 4) == 0 ||
      strncmp(bytes, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0)
    return "an offload bundle";
  for (unsigned i = 0; i < 64 && bytes[i]; ++i)
    if (strncmp(bytes + i, "//", 2) == 0 || strncmp(bytes + i, ".version", 8) == 0)
      return "PTX text";
  return "an unknown image";
}

Status checkImage(Call &call, const void *image, std::optional<size_t> &sizeBytes) {
  if (!image)
    return call.report(Status::InvalidValue, "errors", "ERROR-5", "argument image is null");
  sizeBytes = call.machine.compiler->findImageSize(image);
  if (sizeBytes)
    return Status::Success;
  return call.report(Status::InvalidImage, "errors", "ERROR-5",
                     std::string("argument image is ") + guessFormat(image) +
                         "; the simulated device takes LLVM bitcode (serialize kernels with format=bitcode)");
}

Status loadModule(Call &call, const void *image, uint64_t &handle) {
  std::optional<size_t> sizeBytes;
  Status status = refuseUnsafe(call);
  if (status == Status::Success)
    status = checkImage(call, image, sizeBytes);
  if (status != Status::Success)
    return status;
  Machine &machine = call.machine;
  auto module = std::make_shared<LoadedModule>();
  bool outOfMemory = false;
  GlobalAllocator allocate = [&](size_t bytes, size_t) -> void * {
    AllocationPtr global = machine.memory.allocate(MemoryKind::ModuleGlobal, call.context->deviceOrdinal, bytes);
    if (!global) {
      outOfMemory = true;
      return nullptr;
    }
    global->call = call.name;
    global->context = call.context;
    module->globals.push_back(global);
    return reinterpret_cast<void *>(global->address);
  };
  std::string error;
  module->code = machine.compiler->load(image, *sizeBytes, allocate, error);
  if (!module->code) {
    for (const AllocationPtr &global : module->globals)
      machine.memory.release(global);
    return call.report(outOfMemory ? Status::OutOfMemory : Status::InvalidImage, "errors", "ERROR-5",
                       "the image cannot be loaded: " + error);
  }
  module->context = call.context;
  handle = machine.handles.create(HandleKind::Module, module);
  return Status::Success;
}

Status loadModuleFile(Call &call, const char *path, uint64_t &handle) {
  if (!path)
    return call.report(Status::InvalidValue, "errors", "ERROR-5", "argument fname is null");
  std::ifstream file(path, std::ios::binary);
  std::string image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad())
    return call.report(Status::FileNotFound, "errors", "ERROR-5", std::string("cannot read '") + path + "'");
  image.resize(image.size() + 64); // Guessing the format may look this far.
  return loadModule(call, image.data(), handle);
}

LoadedModule &findModuleObject(Call &call, uint64_t handle) {
  return static_cast<LoadedModule &>(*call.machine.handles.lookup(handle, HandleKind::Module).object);
}

void releaseModule(Call &call, LoadedModule &module) {
  for (const auto &entry : module.functions)
    call.machine.handles.destroy(entry.second);
  for (const AllocationPtr &global : module.globals)
    call.machine.memory.release(global);
  call.machine.handles.destroy(module.handle);
}

Status unloadModule(Call &call, uint64_t handle) {
  Status status;
  auto module = call.resolve<LoadedModule>(handle, HandleKind::Module, "hmod", status);
  if (!module)
    return status;
  if (module->library)
    return call.report(Status::NotPermitted, "lifetime", "ERROR-7",
                       "the module belongs to " + call.machine.handles.describe(module->library) +
                           ", which alone unloads it");
  if ((status = refuseUnsafe(call)) != Status::Success)
    return status;
  releaseModule(call, *module);
  return Status::Success;
}

Status getFunction(Call &call, uint64_t moduleHandle, const char *name, uint64_t &handle) {
  if (!name)
    return call.report(Status::InvalidValue, "errors", "ERROR-5", "argument name is null");
  Status status;
  auto module = call.resolve<LoadedModule>(moduleHandle, HandleKind::Module, "hmod", status);
  if (!module)
    return status;
  auto known = module->functions.find(name);
  if (known != module->functions.end()) {
    handle = known->second;
    return Status::Success;
  }
  std::shared_ptr<const DeviceKernel> kernel = module->code->findKernel(name);
  if (!kernel)
    return call.report(Status::NotFound, "errors", "ERROR-5", std::string("the module has no kernel '") + name + "'");
  auto function = std::make_shared<LoadedFunction>();
  function->context = module->context;
  function->name = name;
  function->module = moduleHandle;
  function->maxDynamicSharedBytes =
      sharedBytesPerBlockMax - std::min(sharedBytesPerBlockMax, kernel->getStaticSharedBytes());
  function->code = std::move(kernel);
  handle = call.machine.handles.create(HandleKind::Function, function);
  module->functions.emplace(name, handle);
  return Status::Success;
}

Status getGlobal(Call &call, uint64_t moduleHandle, const char *name, uint64_t &address, uint64_t &sizeBytes) {
  if (!name)
    return call.report(Status::InvalidValue, "errors", "ERROR-5", "argument name is null");
  Status status;
  auto module = call.resolve<LoadedModule>(moduleHandle, HandleKind::Module, "hmod", status);
  if (!module)
    return status;
  std::optional<DeviceModule::Global> global = module->code->findGlobal(name);
  if (!global)
    return call.report(Status::NotFound, "errors", "ERROR-5", std::string("the module has no variable '") + name + "'");
  address = global->address;
  sizeBytes = global->sizeBytes;
  return Status::Success;
}

Status getFunctionAttribute(Call &call, uint64_t handle, FunctionAttribute attribute, int *value) {
  Status status;
  auto function = call.resolve<LoadedFunction>(handle, HandleKind::Function, "hfunc", status);
  if (!function)
    return status;
  if (!value)
    return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
  auto write = [&](int64_t number) {
    *value = static_cast<int>(number);
    return Status::Success;
  };
  switch (attribute) {
  case FunctionAttribute::MaxThreadsPerBlock: {
    uint32_t bound = function->code->getMaxThreadsPerBlock();
    return write(bound ? std::min(bound, threadsPerBlockMax) : threadsPerBlockMax);
  }
  case FunctionAttribute::StaticSharedBytes:
    return write(function->code->getStaticSharedBytes());
  case FunctionAttribute::ConstantBytes:
  case FunctionAttribute::LocalBytes:
    return write(0);
  case FunctionAttribute::Registers:
    return write(32); // Something a program can divide by.
  case FunctionAttribute::PtxVersion:
  case FunctionAttribute::BinaryVersion:
    return write(80);
  case FunctionAttribute::MaxDynamicSharedBytes:
    return write(function->maxDynamicSharedBytes);
  case FunctionAttribute::SharedMemoryCarveout:
    return write(-1);
  }
  return call.report(Status::InvalidValue, "errors", "",
                     "unknown attribute " + std::to_string(static_cast<uint32_t>(attribute)));
}

Status setFunctionAttribute(Call &call, uint64_t handle, FunctionAttribute attribute, int value) {
  Status status;
  auto function = call.resolve<LoadedFunction>(handle, HandleKind::Function, "hfunc", status);
  if (!function || attribute == FunctionAttribute::SharedMemoryCarveout)
    return status;
  if (attribute != FunctionAttribute::MaxDynamicSharedBytes)
    return call.report(Status::InvalidValue, "errors", "",
                       "attribute " + std::to_string(static_cast<uint32_t>(attribute)) + " cannot be set");
  int64_t most = int64_t(sharedBytesPerBlockOptInMax) - function->code->getStaticSharedBytes();
  if (value < 0 || value > most)
    return call.report(Status::InvalidValue, "errors", "KERNEL-1",
                       std::to_string(value) + " bytes of dynamic shared memory are not between 0 and " +
                           std::to_string(most));
  function->maxDynamicSharedBytes = static_cast<uint32_t>(value);
  return Status::Success;
}

} // namespace lockstep::simgpu
