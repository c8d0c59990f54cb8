// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, kernels and launches: async-semantics 5.8. Every function is one driver call's body; see Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_MODULEAPI_H
#define LOCKSTEP_SIMGPU_CORE_MODULEAPI_H

#include "simgpu/core/Call.h"
#include "simgpu/core/Module.h"
#include "simgpu/core/Task.h"

namespace lockstep::simgpu {

/// Limits of the simulated device; those of a common device of compute capability 8.0.
inline constexpr uint32_t threadsPerBlockMax = 1024;
inline constexpr uint32_t blockDimensionMax[3] = {1024, 1024, 64};
inline constexpr uint32_t gridDimensionMax[3] = {2147483647, 65535, 65535};
inline constexpr uint32_t sharedBytesPerBlockMax = 48 << 10;
inline constexpr uint32_t sharedBytesPerBlockOptInMax = 99 << 10;
inline constexpr uint32_t parameterBytesMax = 4096;

/// `image` is LLVM bitcode. Anything else is refused with a finding that names what is expected.
Status loadModule(Call &call, const void *image, uint64_t &handle);
Status loadModuleFile(Call &call, const char *path, uint64_t &handle);
/// Checks that an image is one that loadModule takes, and finds its size.
Status checkImage(Call &call, const void *image, std::optional<size_t> &sizeBytes);
/// The module behind a handle that is known to be live.
LoadedModule &findModuleObject(Call &call, uint64_t handle);
/// Destroys a module with its functions and variables.
void releaseModule(Call &call, LoadedModule &module);
Status unloadModule(Call &call, uint64_t handle);
Status getFunction(Call &call, uint64_t module, const char *name, uint64_t &handle);
Status getGlobal(Call &call, uint64_t module, const char *name, uint64_t &address, uint64_t &sizeBytes);

/// In the numbers of the CUDA Driver API, which HIP shares.
enum class FunctionAttribute : uint32_t {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  ConstantBytes = 2,
  LocalBytes = 3,
  Registers = 4,
  PtxVersion = 5,
  BinaryVersion = 6,
  MaxDynamicSharedBytes = 8,
  SharedMemoryCarveout = 9, ///< A hint.
};
Status getFunctionAttribute(Call &call, uint64_t function, FunctionAttribute attribute, int *value);
/// The last two only.
Status setFunctionAttribute(Call &call, uint64_t function, FunctionAttribute attribute, int value);

/// Where the arguments of a launch come from; both given is an error.
struct LaunchArguments {
  void **pointers = nullptr;    ///< One pointer for each parameter.
  const void *packed = nullptr; ///< All parameters in one buffer, of `packedBytes`.
  size_t packedBytes = 0;
};

/// Judges the launch and copies its arguments.
Status makeKernelTask(Call &call, Use use, uint64_t function, const LaunchSize &size, const LaunchArguments &arguments,
                      KernelTask &task);
/// `call` and `op` name the launch in a finding. `hasLock`: the machine's lock is held.
Status runKernel(Machine &machine, const KernelTask &task, const std::string &call, const std::string &op,
                 bool hasLock);

/// Reads the arguments during the call.
Status launchKernel(Call &call, uint64_t function, const LaunchSize &size, const LaunchArguments &arguments,
                    uint64_t stream);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_MODULEAPI_H
