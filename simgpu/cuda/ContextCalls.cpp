// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts.

#include "simgpu/core/ContextApi.h"
#include "simgpu/core/StreamApi.h"
#include "simgpu/cuda/Facade.h"

namespace lockstep::simgpu::cuda {

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return runWithResult(__func__, Needs::Driver, context,
                       [&](Call &call, uint64_t &handle) { return retainPrimary(call, device, handle); });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return run(__func__, Needs::Driver, [&](Call &call) { return releasePrimary(call, device); });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return run(__func__, Needs::Driver, [&](Call &call) { return resetPrimary(call, device); });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    Status status = checkDevice(call, device);
    if (status == Status::Success)
      status = checkFlags(call, flags, CU_CTX_FLAGS_MASK);
    if (status != Status::Success)
      return status;
    Device &object = call.machine.devices[device];
    object.primaryFlags = flags;
    if (object.primary)
      object.primary->flags = flags;
    return Status::Success;
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    Status status = checkDevice(call, device);
    if (status != Status::Success)
      return status;
    if (!flags || !active)
      return call.report(Status::InvalidValue, "errors", "", "a pointer to a result is null");
    *flags = call.machine.devices[device].primaryFlags;
    *active = call.machine.devices[device].primary != nullptr;
    return Status::Success;
  });
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  return runWithResult(__func__, Needs::Driver, context, [&](Call &call, uint64_t &handle) {
    Status status = checkFlags(call, flags, CU_CTX_FLAGS_MASK);
    return status == Status::Success ? createContext(call, device, flags, handle) : status;
  });
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device) {
  if (parameters && (parameters->numExecAffinityParams > 0 || parameters->cigParams))
    return CUDA_ERROR_NOT_SUPPORTED;
  return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return run(__func__, Needs::Driver, [&](Call &call) { return destroyContext(call, toNumber(context)); });
}
CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return run(__func__, Needs::Driver, [&](Call &call) { return pushContext(call, toNumber(context)); });
}
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  return run(__func__, Needs::Driver, [&](Call &call) {
    uint64_t handle = 0;
    Status status = popContext(call, &handle);
    if (status == Status::Success && context)
      *context = toHandle<CUcontext>(handle);
    return status;
  });
}
CUresult cuCtxPopCurrent(CUcontext *context) { return cuCtxPopCurrent_v2(context); }

CUresult cuCtxSetCurrent(CUcontext context) {
  return run(__func__, Needs::Driver, [&](Call &call) { return setCurrentContext(call, toNumber(context)); });
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  return runWithResult(__func__, Needs::Driver, context, [&](Call &call, uint64_t &handle) {
    handle = currentContext(call);
    return Status::Success;
  });
}

CUresult cuCtxGetDevice(CUdevice *device) {
  return runWithResult(__func__, Needs::BrokenContext, device, [&](Call &call, uint64_t &value) {
    value = static_cast<uint64_t>(call.context->deviceOrdinal);
    return Status::Success;
  });
}

CUresult cuCtxGetFlags(unsigned *flags) {
  return runWithResult(__func__, Needs::BrokenContext, flags, [&](Call &call, uint64_t &value) {
    value = call.context->flags;
    return Status::Success;
  });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  return runWithResult(__func__, Needs::Driver, version, [&](Call &call, uint64_t &value) {
    Status status = Status::Success;
    value = 3020; // The version of the context interface, which has not changed since CUDA 3.2.
    if (context)
      call.resolve<Context>(toNumber(context), HandleKind::Context, "ctx", status);
    return status;
  });
}

CUresult cuCtxSynchronize() {
  return run(__func__, Needs::Context, [&](Call &call) { return synchronizeContext(call); });
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return run(__func__, Needs::Context, [&](Call &) {
    if (least)
      *least = leastStreamPriority;
    if (greatest)
      *greatest = greatestStreamPriority;
    return Status::Success;
  });
}

} // namespace lockstep::simgpu::cuda
