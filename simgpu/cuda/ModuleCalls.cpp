// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, functions and launches.

#include "simgpu/core/ModuleApi.h"
#include "simgpu/cuda/NodeParameters.h"

#include <algorithm>

namespace lockstep::simgpu::cuda {

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  return runWithResult(__func__, Needs::Context, module,
                       [&](Call &call, uint64_t &handle) { return loadModuleFile(call, path, handle); });
}

static CUresult loadImage(const char *name, CUmodule *module, const void *image) {
  return runWithResult(name, Needs::Context, module,
                       [&](Call &call, uint64_t &handle) { return loadModule(call, image, handle); });
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) { return loadImage(__func__, module, image); }

/// The options tune the vendor's compiler; there is nothing here that they could change.
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, CUjit_option *, void **) {
  return loadImage(__func__, module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) { return loadImage(__func__, module, image); }

CUresult cuModuleUnload(CUmodule module) {
  return run(__func__, Needs::Context, [&](Call &call) { return unloadModule(call, toNumber(module)); });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  return runWithResult(__func__, Needs::Driver, mode, [&](Call &, uint64_t &value) {
    value = CU_MODULE_EAGER_LOADING;
    return Status::Success;
  });
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return runWithResult(__func__, Needs::Context, function,
                       [&](Call &call, uint64_t &handle) { return getFunction(call, toNumber(module), name, handle); });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  return run(__func__, Needs::Context, [&](Call &call) {
    uint64_t start = 0, size = 0;
    Status status = getGlobal(call, toNumber(module), name, start, size);
    if (status != Status::Success)
      return status;
    if (address)
      *address = start;
    if (bytes)
      *bytes = size;
    return Status::Success;
  });
}

/// Runs `body` on a resolved function.
template <typename Body>
static CUresult runOnFunction(const char *name, CUfunction handle, const void *result, Body body) {
  return run(name, Needs::Context, [&](Call &call) {
    Status status;
    auto function = call.resolve<LoadedFunction>(toNumber(handle), HandleKind::Function, "hfunc", status);
    if (!function)
      return status;
    if (!result)
      return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
    return body(call, *function);
  });
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  return run(__func__, Needs::Context, [&](Call &call) {
    return getFunctionAttribute(call, toNumber(function), static_cast<FunctionAttribute>(attribute), value);
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return run(__func__, Needs::Context, [&](Call &call) {
    return setFunctionAttribute(call, toNumber(function), static_cast<FunctionAttribute>(attribute), value);
  });
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
  return runOnFunction(__func__, function, name, [&](Call &, LoadedFunction &object) {
    *name = object.name.c_str();
    return Status::Success;
  });
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  return runOnFunction(__func__, function, module, [&](Call &, LoadedFunction &object) {
    *module = toHandle<CUmodule>(object.module);
    return Status::Success;
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
  return runOnFunction(__func__, function, offset, [&](Call &call, LoadedFunction &object) {
    const std::vector<ParameterLayout> &parameters = object.code->getParameters();
    if (index >= parameters.size())
      return call.report(Status::InvalidValue, "errors", "",
                         "kernel " + object.name + " has " + std::to_string(parameters.size()) + " parameters");
    *offset = parameters[index].offsetBytes;
    if (bytes)
      *bytes = parameters[index].sizeBytes;
    return Status::Success;
  });
}

Status readExtra(Call &call, void **extra, LaunchArguments &arguments) {
  for (unsigned i = 0; extra && extra[i] != nullptr; i += 2) {
    uintptr_t token = reinterpret_cast<uintptr_t>(extra[i]);
    if (token == CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT && extra[i + 1])
      arguments.packed = extra[i + 1];
    else if (token == CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT && extra[i + 1])
      arguments.packedBytes = *static_cast<const size_t *>(extra[i + 1]);
    else
      return call.report(Status::InvalidValue, "errors", "ERROR-6",
                         "argument extra has an unknown token or a null value");
  }
  return Status::Success;
}

static CUresult launch(const char *name, const CUlaunchConfig &config, CUfunction function, void **parameters,
                       void **extra) {
  return run(name, Needs::Context, [&](Call &call) {
    LaunchArguments arguments;
    arguments.pointers = parameters;
    Status status = readExtra(call, extra, arguments);
    if (status != Status::Success)
      return status;
    LaunchSize size{{config.gridDimX, config.gridDimY, config.gridDimZ},
                    {config.blockDimX, config.blockDimY, config.blockDimZ},
                    config.sharedMemBytes};
    return launchKernel(call, toNumber(function), size, arguments, toNumber(config.hStream));
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream, void **parameters,
                        void **extra) {
  CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, nullptr, 0};
  return launch(__func__, config, function, parameters, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    switch (config->attrs[i].id) {
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      break;
    default: {
      static bool wasSaid = false;
      return refuseUnsupported("a launch attribute given to cuLaunchKernelEx", wasSaid);
    }
    }
  return launch(__func__, *config, function, parameters, extra);
}

} // namespace lockstep::simgpu::cuda
