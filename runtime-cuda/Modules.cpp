// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Capture.h"

#include <cstring>

using namespace lockstep::cuda;
using namespace lockstep::runtime;

static MgpuModule enterModule(CUmodule module) {
  HandleInfo info;
  info.kind = HandleKind::Module;
  info.device = runtimeState().defaultDevice.load(std::memory_order_relaxed);
  runtimeState().handles.add(module, info);
  return toMgpu(module);
}

/// Whether `data` is PTX, which the driver reads up to a zero byte, as opposed to a binary that knows its own length.
static bool isText(const void *data, size_t sizeBytes) {
  return sizeBytes != 0 && std::memchr("/.\n\r\t ", *static_cast<const char *>(data), 6) != nullptr;
}

MgpuModule mgpuModuleLoad(void *data, size_t sizeBytes) {
  ApiCall call("mgpuModuleLoad");
  if (!call || !call.enterDefaultDevice())
    return nullptr;
  if (!data) {
    call.refuse(kMgpuStatusInvalidValue, "argument 'data' is null");
    return nullptr;
  }
  CUmodule module = nullptr;
  std::string terminated;
  const void *image = data;
  if (isText(data, sizeBytes) && static_cast<const char *>(data)[sizeBytes - 1] != '\0') {
    terminated.assign(static_cast<const char *>(data), sizeBytes);
    image = terminated.c_str();
  }
  return call.invoke(call.driver().cuModuleLoadData, &module, image) ? enterModule(module) : nullptr;
}

MgpuModule mgpuModuleLoadJIT(void *data, int optLevel) {
  ApiCall call("mgpuModuleLoadJIT");
  if (!call || !call.enterDefaultDevice())
    return nullptr;
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
  // The driver takes numbers in place of pointers here.
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log)),
                    reinterpret_cast<void *>(static_cast<intptr_t>(optLevel))};
  CUmodule module = nullptr;
  CUresult result = call.driver().cuModuleLoadDataEx(&module, data, 3u, options, values);
  if (result == CUDA_SUCCESS)
    return enterModule(module);
  Failure failure = call.driver().describe("cuModuleLoadDataEx", result);
  log[sizeof(log) - 1] = '\0';
  if (log[0])
    failure.detail = std::string("the compiler says: ") + log;
  call.fail(failure);
  return nullptr;
}

void mgpuModuleUnload(MgpuModule module) {
  ApiCall call("mgpuModuleUnload");
  if (!call || !call.retire("module", module, HandleKind::Module))
    return;
  runtimeState().handles.retireOwnedBy(module);
  CUresult result = call.driver().cuModuleUnload(reinterpret_cast<CUmodule>(module));
  // A lowered program unloads in a global destructor. Where the driver ended before, the module went with it.
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_DEINITIALIZED)
    call.fail(call.driver().describe("cuModuleUnload", result));
}

MgpuFunction mgpuModuleGetFunction(MgpuModule module, const char *name) {
  ApiCall call("mgpuModuleGetFunction");
  if (!call)
    return nullptr;
  CUmodule driverModule = call.module("module", module);
  if (!driverModule)
    return nullptr;
  CUfunction function = nullptr;
  // The driver may load the kernel only now.
  RelaxedCapture relaxed(call);
  CUresult result = call.driver().cuModuleGetFunction(&function, driverModule, name);
  if (result != CUDA_SUCCESS) {
    Failure failure = call.driver().describe("cuModuleGetFunction", result);
    failure.detail = std::string("the kernel asked for is '") + (name ? name : "(null)") + "'";
    call.fail(failure);
    return nullptr;
  }
  HandleInfo info;
  info.kind = HandleKind::Function;
  info.device = runtimeState().handles.find(module).value_or(HandleInfo()).device;
  info.owner = module;
  runtimeState().handles.add(function, info);
  return toMgpu(function);
}
