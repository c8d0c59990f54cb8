// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Capture.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

static MgpuModule enterModule(hipModule_t module) {
  HandleInfo info;
  info.kind = HandleKind::Module;
  info.device = runtimeState().defaultDevice.load(std::memory_order_relaxed);
  runtimeState().handles.add(module, info);
  return toMgpu(module);
}

MgpuModule mgpuModuleLoad(void *data, size_t sizeBytes) {
  ApiCall call("mgpuModuleLoad");
  if (!call || !call.enterDefaultDevice())
    return nullptr;
  if (!data) {
    call.refuse(kMgpuStatusInvalidValue, "argument 'data' is null");
    return nullptr;
  }
  hipModule_t module = nullptr;
  return call.invoke(call.driver().hipModuleLoadData, &module, static_cast<const void *>(data)) ? enterModule(module)
                                                                                                : nullptr;
}

MgpuModule mgpuModuleLoadJIT(void *data, int optLevel) {
  ApiCall call("mgpuModuleLoadJIT");
  if (!call || !call.enterDefaultDevice())
    return nullptr;
  char log[4096] = "";
  hipJitOption options[] = {hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes,
                            hipJitOptionOptimizationLevel};
  // The driver takes numbers in place of pointers here.
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log)),
                    reinterpret_cast<void *>(static_cast<intptr_t>(optLevel))};
  hipModule_t module = nullptr;
  hipError_t result = call.driver().hipModuleLoadDataEx(&module, data, 3u, options, values);
  if (result == hipSuccess)
    return enterModule(module);
  Failure failure = call.driver().describe("hipModuleLoadDataEx", result);
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
  hipError_t result = call.driver().hipModuleUnload(reinterpret_cast<hipModule_t>(module));
  // A lowered program unloads in a global destructor. Where the driver ended before, the module went with it.
  if (result != hipSuccess && result != hipErrorDeinitialized)
    call.fail(call.driver().describe("hipModuleUnload", result));
}

MgpuFunction mgpuModuleGetFunction(MgpuModule module, const char *name) {
  ApiCall call("mgpuModuleGetFunction");
  if (!call)
    return nullptr;
  hipModule_t driverModule = call.module("module", module);
  if (!driverModule)
    return nullptr;
  hipFunction_t function = nullptr;
  // The driver may load the kernel only now.
  RelaxedCapture relaxed(call);
  hipError_t result = call.driver().hipModuleGetFunction(&function, driverModule, name);
  if (result != hipSuccess) {
    Failure failure = call.driver().describe("hipModuleGetFunction", result);
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
