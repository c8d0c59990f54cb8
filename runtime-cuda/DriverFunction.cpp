// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/DriverFunction.h"

using namespace lockstep::cuda;
using lockstep::runtime::ArgumentList;

template <typename... Fields> static void appendAll(ArgumentList &list, Fields... fields) {
  (list.append(fields), ...);
}

void lockstep::cuda::appendArgument(ArgumentList &list, const CUDA_MEMCPY2D *copy) {
  appendAll(list, copy, copy->srcXInBytes, copy->srcY, copy->srcMemoryType, copy->srcHost, copy->srcDevice,
            copy->srcArray, copy->srcPitch, copy->dstXInBytes, copy->dstY, copy->dstMemoryType, copy->dstHost,
            copy->dstDevice, copy->dstArray, copy->dstPitch, copy->WidthInBytes, copy->Height);
}

void lockstep::cuda::appendArgument(ArgumentList &list, const CUDA_MEMCPY3D *copy) {
  appendAll(list, copy, copy->srcXInBytes, copy->srcY, copy->srcZ, copy->srcLOD, copy->srcMemoryType, copy->srcHost,
            copy->srcDevice, copy->srcArray, copy->reserved0, copy->srcPitch, copy->srcHeight, copy->dstXInBytes,
            copy->dstY, copy->dstZ, copy->dstLOD, copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray,
            copy->reserved1, copy->dstPitch, copy->dstHeight, copy->WidthInBytes, copy->Height, copy->Depth);
}

void lockstep::cuda::appendArgument(ArgumentList &list, const CUlaunchConfig *config) {
  appendAll(list, config, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX, config->blockDimY,
            config->blockDimZ, config->sharedMemBytes, config->hStream, config->attrs, config->numAttrs);
}

void lockstep::cuda::appendArgument(ArgumentList &list, const CUDA_KERNEL_NODE_PARAMS *params) {
  appendAll(list, params, params->func, params->gridDimX, params->gridDimY, params->gridDimZ, params->blockDimX,
            params->blockDimY, params->blockDimZ, params->sharedMemBytes, params->kernelParams, params->extra,
            params->kern, params->ctx);
}

void lockstep::cuda::appendArgument(ArgumentList &list, const CUDA_MEMSET_NODE_PARAMS *params) {
  appendAll(list, params, params->dst, params->pitch, params->value, params->elementSize, params->width,
            params->height);
}

void lockstep::cuda::appendArgument(ArgumentList &list, const CUDA_HOST_NODE_PARAMS *params) {
  appendAll(list, params, reinterpret_cast<uintptr_t>(params->fn), params->userData);
}

void lockstep::cuda::appendArgument(ArgumentList &list, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
  const CUmemPoolProps &pool = params->poolProps;
  appendAll(list, params, pool.allocType, pool.handleTypes, pool.location.type, pool.location.id,
            pool.win32SecurityAttributes, pool.maxSize, pool.usage, params->accessDescs, params->accessDescCount,
            params->bytesize, params->dptr);
}

void lockstep::cuda::appendArgument(ArgumentList &list, CUgraphExecUpdateResultInfo *info) {
  appendAll(list, info, info->result, info->errorNode, info->errorFromNode);
}

void lockstep::cuda::appendArgument(ArgumentList &list, CUstreamCaptureMode *mode) { appendAll(list, mode, *mode); }
