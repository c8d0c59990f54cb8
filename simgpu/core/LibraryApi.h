// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries: images that belong to no context, whose modules and functions appear in each context that asks for them
// (the driver API's library management; async-semantics 5.8). Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_LIBRARYAPI_H
#define LOCKSTEP_SIMGPU_CORE_LIBRARYAPI_H

#include "simgpu/core/Call.h"
#include "simgpu/core/Module.h"

namespace lockstep::simgpu {

struct LoadedLibrary : HandleObject {
  std::vector<char> image;
  std::map<std::string, uint64_t> kernels; ///< Handles given out, by name.
};

/// A kernel of a library, of no context.
struct LibraryKernel : HandleObject {
  uint64_t library = 0;
  std::string name;
};

/// Copies the image, which must be what loadModule takes; it is compiled for each context at first use.
Status loadLibrary(Call &call, const void *image, uint64_t &handle);

/// Also unloads the library's modules in every context.
Status unloadLibrary(Call &call, uint64_t handle);

/// The library's module in the current context. It cannot be unloaded by itself (rule ERROR-7).
Status getLibraryModule(Call &call, uint64_t library, uint64_t &module);

Status getLibraryKernel(Call &call, uint64_t library, const char *name, uint64_t &kernel);

/// The kernel as a function of the current context.
Status getKernelFunction(Call &call, uint64_t kernel, uint64_t &function);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_LIBRARYAPI_H
