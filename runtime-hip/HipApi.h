// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types and constants of the HIP runtime API that this library uses, declared here so that nothing needs AMD's
// header to build. Names are AMD's, inside a namespace. test/HipHeaderTest.cpp compares all of them with
// hip_runtime_api.h where that is installed. Structures have the fields that we set and, in between, all others, in the
// vendor's order.
//
// Chosen among the API's doubles are those whose layout is the same in HIP 5, 6 and 7: hipMemcpy3DParms, and not
// HIP_MEMCPY3D, whose fields became wider, nor hip_Memcpy2D, whose memory types were renumbered. The one structure that
// differs, hipMemsetParams, is here twice.

#ifndef LOCKSTEP_RUNTIME_HIP_HIPAPI_H
#define LOCKSTEP_RUNTIME_HIP_HIPAPI_H

#include <cstddef>
#include <cstdint>

namespace lockstep::hip {

using hipDevice_t = int;
/// A pointer in AMD's header. An integer here, which is passed the same way, because addresses are counted with.
using hipDeviceptr_t = uintptr_t;
using hipModule_t = struct ihipModule_t *;
using hipFunction_t = struct ihipModuleSymbol_t *;
using hipStream_t = struct ihipStream_t *;
using hipEvent_t = struct ihipEvent_t *;
using hipArray_t = struct hipArray *;
using hipGraph_t = struct ihipGraph *;
using hipGraphNode_t = struct hipGraphNode *;
using hipGraphExec_t = struct hipGraphExec *;
using hipHostFn_t = void (*)(void *userData);

enum hipError_t : int {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorNotInitialized = 3,
  hipErrorDeinitialized = 4,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidHandle = 400,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorNotSupported = 801,
  hipErrorGraphExecUpdateFailure = 910,
};

using hipStreamCallback_t = void (*)(hipStream_t stream, hipError_t status, void *userData);

enum hipStreamFlags : unsigned { hipStreamNonBlocking = 1 };
enum hipEventFlags : unsigned { hipEventDefault = 0, hipEventDisableTiming = 2 };
enum hipMemAttachFlags : unsigned { hipMemAttachGlobal = 1 };
enum hipMemcpyKind : int { hipMemcpyDefault = 4 };
enum hipJitOption : int {
  hipJitOptionErrorLogBuffer = 5,
  hipJitOptionErrorLogBufferSizeBytes = 6,
  hipJitOptionOptimizationLevel = 7,
};
enum hipStreamCaptureMode : int { hipStreamCaptureModeThreadLocal = 1, hipStreamCaptureModeRelaxed = 2 };
enum hipStreamCaptureStatus : int { hipStreamCaptureStatusNone = 0 };
enum hipMemAllocationType : int { hipMemAllocationTypePinned = 1 };
enum hipMemAllocationHandleType : int { hipMemHandleTypeNone = 0 };
enum hipMemLocationType : int { hipMemLocationTypeDevice = 1 };
enum hipGraphExecUpdateResult : int { hipGraphExecUpdateSuccess = 0 };

struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
};

struct hipPos {
  size_t x;
  size_t y;
  size_t z;
};

struct hipPitchedPtr {
  void *ptr;
  size_t pitch;
  size_t xsize;
  size_t ysize;
};

struct hipExtent {
  size_t width;
  size_t height;
  size_t depth;
};

struct hipMemcpy3DParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  hipExtent extent;
  hipMemcpyKind kind;
};

struct hipKernelNodeParams {
  dim3 blockDim;
  void **extra;
  void *func;
  dim3 gridDim;
  void **kernelParams;
  unsigned sharedMemBytes;
};

/// Up to HIP 6.
struct hipMemsetParams {
  void *dst;
  unsigned elementSize;
  size_t height;
  size_t pitch;
  unsigned value;
  size_t width;
};

/// From HIP 7 on, where it is called hipMemsetParams: the fields in CUDA's order.
struct hipMemsetParams7 {
  void *dst;
  size_t pitch;
  unsigned value;
  unsigned elementSize;
  size_t width;
  size_t height;
};

/// Not of HIP: either of the two, with a note for the recorder which one it is. The driver is given its address.
struct MemsetParamsOfVersion {
  union {
    hipMemsetParams upTo6;
    hipMemsetParams7 from7;
  };
  bool isFrom7;
};

struct hipHostNodeParams {
  hipHostFn_t fn;
  void *userData;
};

struct hipMemLocation {
  hipMemLocationType type;
  int id;
};

struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void *win32SecurityAttributes;
  /// HIP 6 names the first eight bytes maxSize.
  unsigned char reserved[64];
};

struct hipMemAccessDesc;

struct hipMemAllocNodeParams {
  hipMemPoolProps poolProps;
  const hipMemAccessDesc *accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void *dptr; ///< Written by the driver.
};

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_HIPAPI_H
