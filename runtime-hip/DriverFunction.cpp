// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/DriverFunction.h"

using namespace lockstep::hip;
using lockstep::runtime::ArgumentList;

template <typename... Fields> static void appendAll(ArgumentList &list, Fields... fields) {
  (list.append(fields), ...);
}

void lockstep::hip::appendArgument(ArgumentList &list, const hipMemcpy3DParms *copy) {
  appendAll(list, copy, copy->srcArray, copy->srcPos.x, copy->srcPos.y, copy->srcPos.z, copy->srcPtr.ptr,
            copy->srcPtr.pitch, copy->srcPtr.xsize, copy->srcPtr.ysize, copy->dstArray, copy->dstPos.x, copy->dstPos.y,
            copy->dstPos.z, copy->dstPtr.ptr, copy->dstPtr.pitch, copy->dstPtr.xsize, copy->dstPtr.ysize,
            copy->extent.width, copy->extent.height, copy->extent.depth, copy->kind);
}

void lockstep::hip::appendArgument(ArgumentList &list, const hipKernelNodeParams *params) {
  appendAll(list, params, params->blockDim.x, params->blockDim.y, params->blockDim.z, params->extra, params->func,
            params->gridDim.x, params->gridDim.y, params->gridDim.z, params->kernelParams, params->sharedMemBytes);
}

void lockstep::hip::appendArgument(ArgumentList &list, const MemsetParamsOfVersion *params) {
  if (params->isFrom7)
    appendAll(list, params, params->from7.dst, params->from7.pitch, params->from7.value, params->from7.elementSize,
              params->from7.width, params->from7.height);
  else
    appendAll(list, params, params->upTo6.dst, params->upTo6.elementSize, params->upTo6.height, params->upTo6.pitch,
              params->upTo6.value, params->upTo6.width);
}

void lockstep::hip::appendArgument(ArgumentList &list, const hipHostNodeParams *params) {
  appendAll(list, params, reinterpret_cast<uintptr_t>(params->fn), params->userData);
}

void lockstep::hip::appendArgument(ArgumentList &list, hipMemAllocNodeParams *params) {
  const hipMemPoolProps &pool = params->poolProps;
  appendAll(list, params, pool.allocType, pool.handleTypes, pool.location.type, pool.location.id,
            pool.win32SecurityAttributes, params->accessDescs, params->accessDescCount, params->bytesize, params->dptr);
}

void lockstep::hip::appendArgument(ArgumentList &list, hipGraphExecUpdateResult *result) {
  appendAll(list, result, *result);
}

void lockstep::hip::appendArgument(ArgumentList &list, hipStreamCaptureMode *mode) { appendAll(list, mode, *mode); }
