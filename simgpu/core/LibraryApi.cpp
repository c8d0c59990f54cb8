// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/core/LibraryApi.h"

#include "simgpu/core/CaptureApi.h"

#include "simgpu/core/ModuleApi.h"

namespace lockstep::simgpu {

Status loadLibrary(Call &call, const void *image, uint64_t &handle) {
  std::optional<size_t> sizeBytes;
  Status status = refuseUnsafe(call);
  if (status == Status::Success)
    status = checkImage(call, image, sizeBytes);
  if (status != Status::Success)
    return status;
  auto library = std::make_shared<LoadedLibrary>();
  const char *bytes = static_cast<const char *>(image);
  library->image.assign(bytes, bytes + *sizeBytes);
  handle = call.machine.handles.create(HandleKind::Library, library);
  return Status::Success;
}

/// The library's module of the current context, where there is one already.
static std::shared_ptr<LoadedModule> findModule(Call &call, uint64_t library) {
  std::shared_ptr<LoadedModule> found;
  call.machine.handles.forEach(HandleKind::Module, [&](HandleObject &object) {
    auto &module = static_cast<LoadedModule &>(object);
    if (module.library == library && module.context.lock() == call.context)
      found =
          std::static_pointer_cast<LoadedModule>(call.machine.handles.lookup(module.handle, HandleKind::Module).object);
  });
  return found;
}

Status getLibraryModule(Call &call, uint64_t libraryHandle, uint64_t &handle) {
  Status status;
  auto library = call.resolve<LoadedLibrary>(libraryHandle, HandleKind::Library, "library", status);
  if (!library)
    return status;
  if (std::shared_ptr<LoadedModule> module = findModule(call, libraryHandle)) {
    handle = module->handle;
    return Status::Success;
  }
  status = loadModule(call, library->image.data(), handle);
  if (status == Status::Success)
    findModuleObject(call, handle).library = libraryHandle;
  return status;
}

Status getLibraryKernel(Call &call, uint64_t libraryHandle, const char *name, uint64_t &handle) {
  if (!name)
    return call.report(Status::InvalidValue, "errors", "ERROR-5", "argument name is null");
  Status status;
  auto library = call.resolve<LoadedLibrary>(libraryHandle, HandleKind::Library, "library", status);
  if (!library)
    return status;
  auto known = library->kernels.find(name);
  if (known != library->kernels.end()) {
    handle = known->second;
    return Status::Success;
  }
  uint64_t module = 0;
  if ((status = getLibraryModule(call, libraryHandle, module)) != Status::Success)
    return status;
  if (!findModuleObject(call, module).code->findKernel(name))
    return call.report(Status::NotFound, "errors", "ERROR-5", std::string("the library has no kernel '") + name + "'");
  auto kernel = std::make_shared<LibraryKernel>();
  kernel->library = libraryHandle;
  kernel->name = name;
  handle = call.machine.handles.create(HandleKind::Kernel, kernel);
  library->kernels.emplace(name, handle);
  return Status::Success;
}

Status getKernelFunction(Call &call, uint64_t kernelHandle, uint64_t &function) {
  Status status;
  auto kernel = call.resolve<LibraryKernel>(kernelHandle, HandleKind::Kernel, "kernel", status);
  if (!kernel)
    return status;
  uint64_t module = 0;
  if ((status = getLibraryModule(call, kernel->library, module)) != Status::Success)
    return status;
  return getFunction(call, module, kernel->name.c_str(), function);
}

Status unloadLibrary(Call &call, uint64_t handle) {
  Status status;
  auto library = call.resolve<LoadedLibrary>(handle, HandleKind::Library, "library", status);
  if (!library || (status = refuseUnsafe(call)) != Status::Success)
    return status;
  std::vector<uint64_t> modules;
  call.machine.handles.forEach(HandleKind::Module, [&](HandleObject &object) {
    if (static_cast<LoadedModule &>(object).library == handle)
      modules.push_back(object.handle);
  });
  for (uint64_t module : modules)
    releaseModule(call, findModuleObject(call, module));
  for (const auto &entry : library->kernels)
    call.machine.handles.destroy(entry.second);
  call.machine.handles.destroy(handle);
  return Status::Success;
}

} // namespace lockstep::simgpu
