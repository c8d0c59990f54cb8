// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types and constants of the HIP runtime API's binary interface that this library supports, in our own
// declarations. A test compares them with AMD's header where it is installed. What HIP 7 changed is here twice.

#ifndef LOCKSTEP_SIMGPU_HIP_HIPTYPES_H
#define LOCKSTEP_SIMGPU_HIP_HIPTYPES_H

#include "simgpu/hip/HipDeviceTypes.h"

#include <cstddef>
#include <cstdint>

namespace lockstep::simgpu::hip {

enum hipError_t : unsigned {
#define LOCKSTEP_HIP_RESULT(name, number, text) name = number,
#include "simgpu/hip/HipResults.def"
};

using hipDevice_t = int;
using hipDeviceptr_t = void *;
using hipStream_t = struct ihipStream_t *;
using hipEvent_t = struct ihipEvent_t *;
using hipModule_t = struct ihipModule_t *;
using hipFunction_t = struct ihipModuleSymbol_t *;
using hipArray_t = struct hipArray *;
using hipGraph_t = struct ihipGraph *;
using hipGraphNode_t = struct hipGraphNode *;
using hipGraphExec_t = struct hipGraphExec *;
using hipMemPool_t = struct ihipMemPoolHandle_t *;
using hipUserObject_t = struct hipUserObject *;
using hipHostFn_t = void (*)(void *data);
using hipStreamCallback_t = void (*)(hipStream_t stream, hipError_t status, void *data);

enum hipMemcpyKind : unsigned {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,
};

enum hipStreamFlags : unsigned { hipStreamDefault = 0, hipStreamNonBlocking = 1 };
enum hipEventFlags : unsigned {
  hipEventDefault = 0,
  hipEventBlockingSync = 1,
  hipEventDisableTiming = 2,
  hipEventInterprocess = 4,
  hipEventDisableSystemFence = 0x20000000,
  hipEventReleaseToDevice = 0x40000000,
  hipEventReleaseToSystem = 0x80000000,
};
enum hipEventRecordFlags : unsigned { hipEventRecordDefault = 0, hipEventRecordExternal = 1 };
enum hipMemAttachFlags : unsigned { hipMemAttachGlobal = 1, hipMemAttachHost = 2 };
enum hipHostMallocFlags : unsigned {
  hipHostMallocPortable = 1,
  hipHostMallocMapped = 2,
  hipHostMallocWriteCombined = 4,
  hipHostMallocNumaUser = 0x20000000,
  hipHostMallocCoherent = 0x40000000,
  hipHostMallocNonCoherent = 0x80000000,
};
enum hipHostRegisterFlags : unsigned { hipHostRegisterPortable = 1, hipHostRegisterMapped = 2 };
enum hipJitOption : int;

enum hipStreamCaptureMode : unsigned {
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal = 1,
  hipStreamCaptureModeRelaxed = 2,
};
enum hipStreamCaptureStatus : unsigned {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive = 1,
  hipStreamCaptureStatusInvalidated = 2,
};
enum hipStreamUpdateCaptureDependenciesFlags : unsigned {
  hipStreamAddCaptureDependencies = 0,
  hipStreamSetCaptureDependencies = 1,
};

enum hipGraphExecUpdateResult : unsigned {
  hipGraphExecUpdateSuccess = 0,
  hipGraphExecUpdateError = 1,
  hipGraphExecUpdateErrorTopologyChanged = 2,
  hipGraphExecUpdateErrorNodeTypeChanged = 3,
  hipGraphExecUpdateErrorFunctionChanged = 4,
  hipGraphExecUpdateErrorParametersChanged = 5,
  hipGraphExecUpdateErrorNotSupported = 6,
  hipGraphExecUpdateErrorUnsupportedFunctionChange = 7,
};

enum hipGraphInstantiateFlags : unsigned {
  hipGraphInstantiateFlagAutoFreeOnLaunch = 1,
  hipGraphInstantiateFlagUpload = 2,
};
enum hipGraphInstantiateResult : unsigned {
  hipGraphInstantiateSuccess = 0,
  hipGraphInstantiateError = 1,
  hipGraphInstantiateInvalidStructure = 2,
};

enum hipGraphNodeType : unsigned {
  hipGraphNodeTypeKernel = 0,
  hipGraphNodeTypeMemcpy = 1,
  hipGraphNodeTypeMemset = 2,
  hipGraphNodeTypeHost = 3,
  hipGraphNodeTypeGraph = 4,
  hipGraphNodeTypeEmpty = 5,
  hipGraphNodeTypeWaitEvent = 6,
  hipGraphNodeTypeEventRecord = 7,
  hipGraphNodeTypeMemAlloc = 10,
  hipGraphNodeTypeMemFree = 11,
};

enum hipUserObjectFlags : unsigned { hipUserObjectNoDestructorSync = 1 };
enum hipUserObjectRetainFlags : unsigned { hipGraphUserObjectMove = 1 };

enum hipMemAllocationType : unsigned { hipMemAllocationTypePinned = 1 };
enum hipMemAllocationHandleType : unsigned { hipMemHandleTypeNone = 0 };
enum hipMemLocationType : unsigned { hipMemLocationTypeDevice = 1 };

enum hipDriverProcAddressQueryResult : unsigned {
  HIP_GET_PROC_ADDRESS_SUCCESS = 0,
  HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
};

/// Tokens of the `extra` argument of a launch.
inline constexpr uintptr_t HIP_LAUNCH_PARAM_BUFFER_POINTER = 1;
inline constexpr uintptr_t HIP_LAUNCH_PARAM_BUFFER_SIZE = 2;
inline constexpr uintptr_t HIP_LAUNCH_PARAM_END = 3;

struct dim3 {
  uint32_t x, y, z;
};
struct hipPos {
  size_t x, y, z;
};
struct hipPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct hipExtent {
  size_t width, height, depth;
};

struct hip_Memcpy2D {
  size_t srcXInBytes, srcY;
  hipMemoryType srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  hipMemoryType dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
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

struct hipHostNodeParams {
  hipHostFn_t fn;
  void *userData;
};

/// Up to HIP 6.
struct hipMemsetParams {
  void *dst;
  unsigned elementSize;
  size_t height, pitch;
  unsigned value;
  size_t width;
};

/// From HIP 7 on, under the same name.
struct hipMemsetParams7 {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};

/// One of these two, by the version of the library.
struct hipMemsetParamsOfVersion;

struct hipGraphInstantiateParams {
  hipGraphNode_t errNode_out;
  unsigned long long flags;
  hipGraphInstantiateResult result_out;
  hipStream_t uploadStream;
};

struct hipGraphEdgeData {
  unsigned char from_port, reserved[5], to_port, type;
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

} // namespace lockstep::simgpu::hip

#endif // LOCKSTEP_SIMGPU_HIP_HIPTYPES_H
