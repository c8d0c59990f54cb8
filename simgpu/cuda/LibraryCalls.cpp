// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries and their kernels.

#include "simgpu/core/LibraryApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

/// The options tune the vendor's compiler and say when to load; there is nothing here that they could change.
CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *, void **, unsigned, CUlibraryOption *,
                           void **, unsigned) {
  return runWithResult(__func__, Needs::Driver, library,
                       [&](Call &call, uint64_t &handle) { return loadLibrary(call, image, handle); });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return run(__func__, Needs::Driver, [&](Call &call) { return unloadLibrary(call, toNumber(library)); });
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  return runWithResult(__func__, Needs::Context, module,
                       [&](Call &call, uint64_t &handle) { return getLibraryModule(call, toNumber(library), handle); });
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return runWithResult(__func__, Needs::Context, kernel, [&](Call &call, uint64_t &handle) {
    return getLibraryKernel(call, toNumber(library), name, handle);
  });
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  return runWithResult(__func__, Needs::Context, function,
                       [&](Call &call, uint64_t &handle) { return getKernelFunction(call, toNumber(kernel), handle); });
}

/// Runs `body` on a resolved kernel.
template <typename Body> static CUresult runOnKernel(const char *name, CUkernel kernel, const void *result, Body body) {
  return run(name, Needs::Driver, [&](Call &call) {
    Status status;
    auto object = call.resolve<LibraryKernel>(toNumber(kernel), HandleKind::Kernel, "kernel", status);
    if (!object)
      return status;
    if (!result)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    body(*object);
    return Status::Success;
  });
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  return runOnKernel(__func__, kernel, library,
                     [&](LibraryKernel &object) { *library = toHandle<CUlibrary>(object.library); });
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return runOnKernel(__func__, kernel, name, [&](LibraryKernel &object) { *name = object.name.c_str(); });
}

} // namespace lockstep::simgpu::cuda
