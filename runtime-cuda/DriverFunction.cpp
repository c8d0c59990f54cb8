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
