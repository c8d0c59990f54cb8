// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, functions and launches.

#include "simgpu/hip/NodeParameters.h"

namespace lockstep::simgpu::hip {

hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
  return runWithResult(__func__, module,
                       [&](Call &call, uint64_t &handle) { return loadModuleFile(call, path, handle); });
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return runWithResult(__func__, module, [&](Call &call, uint64_t &handle) { return loadModule(call, image, handle); });
}

/// The options tune the vendor's compiler; there is nothing here that they could change.
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned, hipJitOption *, void **) {
  return runWithResult(__func__, module, [&](Call &call, uint64_t &handle) { return loadModule(call, image, handle); });
}

hipError_t hipModuleUnload(hipModule_t module) {
  return run(__func__, [&](Call &call) { return unloadModule(call, toNumber(module)); });
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  return runWithResult(__func__, function,
                       [&](Call &call, uint64_t &handle) { return getFunction(call, toNumber(module), name, handle); });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *bytes, hipModule_t module, const char *name) {
  return run(__func__, [&](Call &call) {
    uint64_t start = 0, size = 0;
    Status status = getGlobal(call, toNumber(module), name, start, size);
    if (status == Status::Success && address)
      *address = reinterpret_cast<void *>(start);
    if (status == Status::Success && bytes)
      *bytes = size;
    return status;
  });
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute, hipFunction_t function) {
  return run(__func__, [&](Call &call) {
    return getFunctionAttribute(call, toNumber(function), static_cast<FunctionAttribute>(attribute), value);
  });
}

Status readExtra(Call &call, void **extra, LaunchArguments &arguments) {
  if (!extra)
    return Status::Success;
  auto is = [&](unsigned i, uintptr_t token) { return reinterpret_cast<uintptr_t>(extra[i]) == token; };
  if (!is(0, HIP_LAUNCH_PARAM_BUFFER_POINTER) || !extra[1] || !is(2, HIP_LAUNCH_PARAM_BUFFER_SIZE) || !extra[3] ||
      !is(4, HIP_LAUNCH_PARAM_END))
    return call.report(Status::InvalidValue, "errors", "HIP-15",
                       "argument extra is not a buffer, its size and the end, in this order");
  arguments.packed = extra[1];
  arguments.packedBytes = *static_cast<const size_t *>(extra[3]);
  return Status::Success;
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                 hipStream_t stream, void **params, void **extra) {
  return run(__func__, [&](Call &call) {
    LaunchArguments arguments;
    arguments.pointers = params;
    Status status = readExtra(call, extra, arguments);
    LaunchSize size{{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes};
    return status == Status::Success ? launchKernel(call, toNumber(function), size, arguments, toNumber(stream))
                                     : status;
  });
}

} // namespace lockstep::simgpu::hip
