// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built only where the CUDA toolkit's header is installed: compares this library's declarations with the vendor's. All
// comparisons are static, so that the test fails by not compiling.

#include "simgpu/cuda/CudaApi.h"

#include <cuda.h>

#include <tuple>
#include <type_traits>

#include <gtest/gtest.h>

namespace ours = lockstep::simgpu::cuda;

#define LOCKSTEP_CUDA_RESULT(name, number, text) static_assert(int(::name) == number);
#include "simgpu/cuda/CudaResults.def"

#define LOCKSTEP_CUDA_DEVICE_ATTRIBUTE(name, number, value) static_assert(int(::CU_DEVICE_ATTRIBUTE_##name) == number);
#include "simgpu/cuda/CudaDeviceAttributes.def"
static_assert(int(ours::deviceAttributeEnd) == int(::CU_DEVICE_ATTRIBUTE_MAX));

#define SAME_NUMBER(name) static_assert(int(ours::name) == int(::name))
SAME_NUMBER(CU_MEMORYTYPE_HOST);
SAME_NUMBER(CU_MEMORYTYPE_DEVICE);
SAME_NUMBER(CU_MEMORYTYPE_ARRAY);
SAME_NUMBER(CU_MEMORYTYPE_UNIFIED);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_CONTEXT);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_HOST_POINTER);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_BUFFER_ID);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_IS_MANAGED);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_RANGE_SIZE);
SAME_NUMBER(CU_POINTER_ATTRIBUTE_MAPPED);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_PTX_VERSION);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_NUMBER(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
SAME_NUMBER(CU_GET_PROC_ADDRESS_SUCCESS);
SAME_NUMBER(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
SAME_NUMBER(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
SAME_NUMBER(CU_GET_PROC_ADDRESS_DEFAULT);
SAME_NUMBER(CU_GET_PROC_ADDRESS_LEGACY_STREAM);
SAME_NUMBER(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
SAME_NUMBER(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES);
SAME_NUMBER(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC);
SAME_NUMBER(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES);
SAME_NUMBER(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME_NUMBER(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
SAME_NUMBER(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
SAME_NUMBER(CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
SAME_NUMBER(CU_MEMPOOL_ATTR_USED_MEM_HIGH);
SAME_NUMBER(CU_EVENT_DEFAULT);
SAME_NUMBER(CU_CTX_FLAGS_MASK);
SAME_NUMBER(CU_CTX_SYNC_MEMOPS);
SAME_NUMBER(CU_EVENT_BLOCKING_SYNC);
SAME_NUMBER(CU_EVENT_DISABLE_TIMING);
SAME_NUMBER(CU_EVENT_INTERPROCESS);
SAME_NUMBER(CU_STREAM_DEFAULT);
SAME_NUMBER(CU_STREAM_NON_BLOCKING);
SAME_NUMBER(CU_EVENT_RECORD_DEFAULT);
SAME_NUMBER(CU_EVENT_RECORD_EXTERNAL);
SAME_NUMBER(CU_EVENT_WAIT_DEFAULT);
SAME_NUMBER(CU_EVENT_WAIT_EXTERNAL);
SAME_NUMBER(CU_MEM_ATTACH_GLOBAL);
SAME_NUMBER(CU_MEM_ATTACH_HOST);
SAME_NUMBER(CU_MEM_ATTACH_SINGLE);
SAME_NUMBER(CU_JIT_MAX_REGISTERS);
SAME_NUMBER(CU_LIMIT_STACK_SIZE);
SAME_NUMBER(CU_LIMIT_PRINTF_FIFO_SIZE);
SAME_NUMBER(CU_LIMIT_MALLOC_HEAP_SIZE);
SAME_NUMBER(CU_MODULE_EAGER_LOADING);
SAME_NUMBER(CU_MODULE_LAZY_LOADING);
SAME_NUMBER(CU_LAUNCH_ATTRIBUTE_IGNORE);
SAME_NUMBER(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY);
SAME_NUMBER(CU_LAUNCH_ATTRIBUTE_PRIORITY);

// The vendor's are macros, which would replace the names of ours.
static_assert(CU_MEMHOSTALLOC_PORTABLE == 1 && CU_MEMHOSTALLOC_DEVICEMAP == 2 && CU_MEMHOSTALLOC_WRITECOMBINED == 4);
static_assert(CU_MEMHOSTREGISTER_PORTABLE == 1 && CU_MEMHOSTREGISTER_DEVICEMAP == 2);
static_assert(CU_MEMHOSTREGISTER_IOMEMORY == 4 && CU_MEMHOSTREGISTER_READ_ONLY == 8);
static_assert(CU_LAUNCH_PARAM_END_AS_INT == 0 && CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT == 1 &&
              CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT == 2);

#define SAME_SIZE(type) static_assert(sizeof(ours::type) == sizeof(::type) && alignof(ours::type) == alignof(::type))
#define SAME_FIELD(type, field)                                                                                        \
  static_assert(offsetof(ours::type, field) == offsetof(::type, field) &&                                              \
                sizeof(ours::type::field) == sizeof(::type::field))
SAME_SIZE(CUuuid);
SAME_SIZE(CUdeviceptr);
SAME_SIZE(CUDA_MEMCPY2D);
SAME_FIELD(CUDA_MEMCPY2D, srcXInBytes);
SAME_FIELD(CUDA_MEMCPY2D, srcY);
SAME_FIELD(CUDA_MEMCPY2D, srcMemoryType);
SAME_FIELD(CUDA_MEMCPY2D, srcHost);
SAME_FIELD(CUDA_MEMCPY2D, srcDevice);
SAME_FIELD(CUDA_MEMCPY2D, srcArray);
SAME_FIELD(CUDA_MEMCPY2D, srcPitch);
SAME_FIELD(CUDA_MEMCPY2D, dstXInBytes);
SAME_FIELD(CUDA_MEMCPY2D, dstY);
SAME_FIELD(CUDA_MEMCPY2D, dstMemoryType);
SAME_FIELD(CUDA_MEMCPY2D, dstHost);
SAME_FIELD(CUDA_MEMCPY2D, dstDevice);
SAME_FIELD(CUDA_MEMCPY2D, dstArray);
SAME_FIELD(CUDA_MEMCPY2D, dstPitch);
SAME_FIELD(CUDA_MEMCPY2D, WidthInBytes);
SAME_FIELD(CUDA_MEMCPY2D, Height);
SAME_SIZE(CUDA_MEMCPY3D);
SAME_FIELD(CUDA_MEMCPY3D, srcXInBytes);
SAME_FIELD(CUDA_MEMCPY3D, srcY);
SAME_FIELD(CUDA_MEMCPY3D, srcZ);
SAME_FIELD(CUDA_MEMCPY3D, srcLOD);
SAME_FIELD(CUDA_MEMCPY3D, srcMemoryType);
SAME_FIELD(CUDA_MEMCPY3D, srcHost);
SAME_FIELD(CUDA_MEMCPY3D, srcDevice);
SAME_FIELD(CUDA_MEMCPY3D, srcArray);
SAME_FIELD(CUDA_MEMCPY3D, reserved0);
SAME_FIELD(CUDA_MEMCPY3D, srcPitch);
SAME_FIELD(CUDA_MEMCPY3D, srcHeight);
SAME_FIELD(CUDA_MEMCPY3D, dstXInBytes);
SAME_FIELD(CUDA_MEMCPY3D, dstY);
SAME_FIELD(CUDA_MEMCPY3D, dstZ);
SAME_FIELD(CUDA_MEMCPY3D, dstLOD);
SAME_FIELD(CUDA_MEMCPY3D, dstMemoryType);
SAME_FIELD(CUDA_MEMCPY3D, dstHost);
SAME_FIELD(CUDA_MEMCPY3D, dstDevice);
SAME_FIELD(CUDA_MEMCPY3D, dstArray);
SAME_FIELD(CUDA_MEMCPY3D, reserved1);
SAME_FIELD(CUDA_MEMCPY3D, dstPitch);
SAME_FIELD(CUDA_MEMCPY3D, dstHeight);
SAME_FIELD(CUDA_MEMCPY3D, WidthInBytes);
SAME_FIELD(CUDA_MEMCPY3D, Height);
SAME_FIELD(CUDA_MEMCPY3D, Depth);
SAME_SIZE(CUlaunchAttribute);
SAME_FIELD(CUlaunchAttribute, id);
SAME_FIELD(CUlaunchAttribute, value);
SAME_SIZE(CUlaunchConfig);
SAME_FIELD(CUlaunchConfig, gridDimX);
SAME_FIELD(CUlaunchConfig, gridDimY);
SAME_FIELD(CUlaunchConfig, gridDimZ);
SAME_FIELD(CUlaunchConfig, blockDimX);
SAME_FIELD(CUlaunchConfig, blockDimY);
SAME_FIELD(CUlaunchConfig, blockDimZ);
SAME_FIELD(CUlaunchConfig, sharedMemBytes);
SAME_FIELD(CUlaunchConfig, hStream);
SAME_FIELD(CUlaunchConfig, attrs);
SAME_FIELD(CUlaunchConfig, numAttrs);
SAME_SIZE(CUctxCreateParams);
SAME_FIELD(CUctxCreateParams, execAffinityParams);
SAME_FIELD(CUctxCreateParams, numExecAffinityParams);
SAME_FIELD(CUctxCreateParams, cigParams);

// Graphs.
SAME_NUMBER(CU_GRAPH_NODE_TYPE_KERNEL);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_MEMCPY);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_MEMSET);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_HOST);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_GRAPH);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_EMPTY);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_WAIT_EVENT);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_EVENT_RECORD);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
SAME_NUMBER(CU_GRAPH_NODE_TYPE_MEM_FREE);
SAME_NUMBER(CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
SAME_NUMBER(CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC);
SAME_NUMBER(CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE);
SAME_NUMBER(CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
SAME_NUMBER(CU_MEM_ALLOCATION_TYPE_PINNED);
SAME_NUMBER(CU_MEM_HANDLE_TYPE_NONE);
SAME_NUMBER(CU_MEM_LOCATION_TYPE_DEVICE);
SAME_NUMBER(CU_MEM_LOCATION_TYPE_HOST);
SAME_NUMBER(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_SUCCESS);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_ERROR);
SAME_NUMBER(CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_SUCCESS);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_ERROR);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED);
SAME_NUMBER(CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE);
SAME_NUMBER(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT);
SAME_NUMBER(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH);
SAME_NUMBER(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT);
SAME_NUMBER(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH);
SAME_NUMBER(CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
SAME_NUMBER(CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
SAME_NUMBER(CU_GRAPH_USER_OBJECT_MOVE);
SAME_SIZE(CUgraphEdgeData);
SAME_FIELD(CUgraphEdgeData, from_port);
SAME_FIELD(CUgraphEdgeData, to_port);
SAME_FIELD(CUgraphEdgeData, type);
SAME_FIELD(CUgraphEdgeData, reserved);
SAME_SIZE(CUDA_KERNEL_NODE_PARAMS_v1);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, func);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, gridDimX);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, gridDimY);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, gridDimZ);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, blockDimX);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, blockDimY);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, blockDimZ);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, sharedMemBytes);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, kernelParams);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS_v1, extra);
SAME_SIZE(CUDA_KERNEL_NODE_PARAMS);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, func);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimX);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimY);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimZ);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimX);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimY);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimZ);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, kernelParams);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, extra);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, kern);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, ctx);
SAME_SIZE(CUDA_MEMSET_NODE_PARAMS);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS, dst);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS, pitch);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS, value);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS, elementSize);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS, width);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS, height);
SAME_SIZE(CUDA_MEMSET_NODE_PARAMS_v2);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, dst);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, pitch);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, value);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, elementSize);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, width);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, height);
SAME_FIELD(CUDA_MEMSET_NODE_PARAMS_v2, ctx);
SAME_SIZE(CUDA_HOST_NODE_PARAMS);
SAME_FIELD(CUDA_HOST_NODE_PARAMS, fn);
SAME_FIELD(CUDA_HOST_NODE_PARAMS, userData);
SAME_SIZE(CUDA_MEMCPY_NODE_PARAMS);
SAME_FIELD(CUDA_MEMCPY_NODE_PARAMS, flags);
SAME_FIELD(CUDA_MEMCPY_NODE_PARAMS, reserved);
SAME_FIELD(CUDA_MEMCPY_NODE_PARAMS, copyCtx);
SAME_FIELD(CUDA_MEMCPY_NODE_PARAMS, copyParams);
SAME_SIZE(CUDA_CHILD_GRAPH_NODE_PARAMS);
SAME_FIELD(CUDA_CHILD_GRAPH_NODE_PARAMS, graph);
SAME_FIELD(CUDA_CHILD_GRAPH_NODE_PARAMS, ownership);
SAME_SIZE(CUDA_EVENT_RECORD_NODE_PARAMS);
SAME_FIELD(CUDA_EVENT_RECORD_NODE_PARAMS, event);
SAME_SIZE(CUDA_EVENT_WAIT_NODE_PARAMS);
SAME_FIELD(CUDA_EVENT_WAIT_NODE_PARAMS, event);
SAME_SIZE(CUmemLocation);
SAME_FIELD(CUmemLocation, type);
SAME_FIELD(CUmemLocation, id);
SAME_SIZE(CUmemAccessDesc);
SAME_FIELD(CUmemAccessDesc, location);
SAME_FIELD(CUmemAccessDesc, flags);
SAME_SIZE(CUmemPoolProps);
SAME_FIELD(CUmemPoolProps, allocType);
SAME_FIELD(CUmemPoolProps, handleTypes);
SAME_FIELD(CUmemPoolProps, location);
SAME_FIELD(CUmemPoolProps, win32SecurityAttributes);
SAME_FIELD(CUmemPoolProps, maxSize);
SAME_FIELD(CUmemPoolProps, usage);
SAME_FIELD(CUmemPoolProps, reserved);
SAME_SIZE(CUDA_MEM_ALLOC_NODE_PARAMS);
SAME_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, poolProps);
SAME_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescs);
SAME_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescCount);
SAME_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, bytesize);
SAME_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, dptr);
SAME_SIZE(CUDA_MEM_FREE_NODE_PARAMS);
SAME_FIELD(CUDA_MEM_FREE_NODE_PARAMS, dptr);
SAME_SIZE(CUgraphNodeParams);
SAME_FIELD(CUgraphNodeParams, type);
SAME_FIELD(CUgraphNodeParams, reserved0);
SAME_FIELD(CUgraphNodeParams, reserved2);
SAME_SIZE(CUDA_GRAPH_INSTANTIATE_PARAMS);
SAME_FIELD(CUDA_GRAPH_INSTANTIATE_PARAMS, flags);
SAME_FIELD(CUDA_GRAPH_INSTANTIATE_PARAMS, hUploadStream);
SAME_FIELD(CUDA_GRAPH_INSTANTIATE_PARAMS, hErrNode_out);
SAME_FIELD(CUDA_GRAPH_INSTANTIATE_PARAMS, result_out);
SAME_SIZE(CUgraphExecUpdateResultInfo);
SAME_FIELD(CUgraphExecUpdateResultInfo, result);
SAME_FIELD(CUgraphExecUpdateResultInfo, errorNode);
SAME_FIELD(CUgraphExecUpdateResultInfo, errorFromNode);
SAME_FIELD(CUgraphNodeParams, kernel);
SAME_FIELD(CUgraphNodeParams, memcpy);
SAME_FIELD(CUgraphNodeParams, memset);
SAME_FIELD(CUgraphNodeParams, host);
SAME_FIELD(CUgraphNodeParams, graph);
SAME_FIELD(CUgraphNodeParams, eventWait);
SAME_FIELD(CUgraphNodeParams, eventRecord);
SAME_FIELD(CUgraphNodeParams, alloc);
SAME_FIELD(CUgraphNodeParams, free);

namespace {

/// Whether a parameter is passed the same way: pointers agree in depth and constness and in what a scalar pointee is; a
/// scalar agrees in size and kind. Names of structures and handles may differ.
template <typename A, typename B> constexpr bool isSameShape() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>) {
    if constexpr (!std::is_pointer_v<A> || !std::is_pointer_v<B>)
      return false;
    else {
      using PointeeA = std::remove_pointer_t<A>;
      using PointeeB = std::remove_pointer_t<B>;
      if constexpr (std::is_const_v<PointeeA> != std::is_const_v<PointeeB> ||
                    std::is_void_v<PointeeA> != std::is_void_v<PointeeB> ||
                    std::is_function_v<PointeeA> != std::is_function_v<PointeeB>)
        return false;
      else if constexpr (std::is_void_v<PointeeA> || std::is_function_v<PointeeA> || std::is_class_v<PointeeA> ||
                         std::is_class_v<PointeeB>)
        return std::is_class_v<PointeeA> == std::is_class_v<PointeeB>;
      else
        return isSameShape<std::remove_cv_t<PointeeA>, std::remove_cv_t<PointeeB>>();
    }
  } else {
    return sizeof(A) == sizeof(B) && std::is_enum_v<A> == std::is_enum_v<B> &&
           std::is_floating_point_v<A> == std::is_floating_point_v<B> && std::is_integral_v<A> == std::is_integral_v<B>;
  }
}

template <typename A, typename B> struct SameSignature;
template <typename ResultA, typename... A, typename ResultB, typename... B>
struct SameSignature<ResultA (*)(A...), ResultB (*)(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return (isSameShape<A, B>() && ...);
  }();
};

// The checker itself must be able to say no.
static_assert(!SameSignature<int (*)(int), int (*)(long)>::value);
static_assert(!SameSignature<int (*)(int), int (*)(int, int)>::value);
static_assert(!SameSignature<int (*)(void *), int (*)(const void *)>::value);
static_assert(!SameSignature<int (*)(int *), int (*)(int **)>::value);
static_assert(!SameSignature<int (*)(float), int (*)(int)>::value);

} // namespace

// The header maps plain names to their newest spellings, so a name is compared where it stands for itself. Spellings
// that CUDA 13 no longer declares (cuCtxCreate_v2 and the oldest plain names) cannot be compared.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define SAME_SIGNATURE(name) static_assert(SameSignature<decltype(&ours::name), decltype(&::name)>::value, #name)
SAME_SIGNATURE(cuInit);
SAME_SIGNATURE(cuDriverGetVersion);
SAME_SIGNATURE(cuGetErrorName);
SAME_SIGNATURE(cuGetErrorString);
SAME_SIGNATURE(cuGetProcAddress_v2);
SAME_SIGNATURE(cuDeviceGet);
SAME_SIGNATURE(cuDeviceGetCount);
SAME_SIGNATURE(cuDeviceGetName);
SAME_SIGNATURE(cuDeviceGetUuid_v2);
SAME_SIGNATURE(cuDeviceTotalMem_v2);
SAME_SIGNATURE(cuDeviceGetAttribute);
SAME_SIGNATURE(cuDeviceGetPCIBusId);
SAME_SIGNATURE(cuDeviceComputeCapability);
SAME_SIGNATURE(cuDeviceCanAccessPeer);
SAME_SIGNATURE(cuDevicePrimaryCtxRetain);
SAME_SIGNATURE(cuDevicePrimaryCtxRelease_v2);
SAME_SIGNATURE(cuDevicePrimaryCtxReset_v2);
SAME_SIGNATURE(cuDevicePrimaryCtxSetFlags_v2);
SAME_SIGNATURE(cuDevicePrimaryCtxGetState);
SAME_SIGNATURE(cuCtxCreate_v4);
SAME_SIGNATURE(cuCtxDestroy_v2);
SAME_SIGNATURE(cuCtxPushCurrent_v2);
SAME_SIGNATURE(cuCtxPopCurrent_v2);
SAME_SIGNATURE(cuCtxSetCurrent);
SAME_SIGNATURE(cuCtxGetCurrent);
SAME_SIGNATURE(cuCtxGetDevice);
SAME_SIGNATURE(cuCtxGetFlags);
SAME_SIGNATURE(cuCtxGetApiVersion);
SAME_SIGNATURE(cuCtxSynchronize);
SAME_SIGNATURE(cuCtxGetStreamPriorityRange);
SAME_SIGNATURE(cuStreamCreate);
SAME_SIGNATURE(cuStreamCreateWithPriority);
SAME_SIGNATURE(cuStreamDestroy_v2);
SAME_SIGNATURE(cuStreamSynchronize);
SAME_SIGNATURE(cuStreamQuery);
SAME_SIGNATURE(cuStreamWaitEvent);
SAME_SIGNATURE(cuStreamAddCallback);
SAME_SIGNATURE(cuStreamGetFlags);
SAME_SIGNATURE(cuStreamGetPriority);
SAME_SIGNATURE(cuStreamGetCtx);
SAME_SIGNATURE(cuStreamGetId);
SAME_SIGNATURE(cuLaunchHostFunc);
SAME_SIGNATURE(cuEventCreate);
SAME_SIGNATURE(cuEventDestroy_v2);
SAME_SIGNATURE(cuEventRecord);
SAME_SIGNATURE(cuEventRecordWithFlags);
SAME_SIGNATURE(cuEventQuery);
SAME_SIGNATURE(cuEventSynchronize);
SAME_SIGNATURE(cuEventElapsedTime_v2);
SAME_SIGNATURE(cuMemGetInfo_v2);
SAME_SIGNATURE(cuMemAlloc_v2);
SAME_SIGNATURE(cuMemAllocPitch_v2);
SAME_SIGNATURE(cuMemFree_v2);
SAME_SIGNATURE(cuMemGetAddressRange_v2);
SAME_SIGNATURE(cuMemAllocManaged);
SAME_SIGNATURE(cuMemAllocAsync);
SAME_SIGNATURE(cuMemAllocFromPoolAsync);
SAME_SIGNATURE(cuMemFreeAsync);
SAME_SIGNATURE(cuDeviceGetDefaultMemPool);
SAME_SIGNATURE(cuDeviceGetMemPool);
SAME_SIGNATURE(cuMemPoolGetAttribute);
SAME_SIGNATURE(cuMemPoolSetAttribute);
SAME_SIGNATURE(cuMemPoolTrimTo);
SAME_SIGNATURE(cuMemAllocHost_v2);
SAME_SIGNATURE(cuMemHostAlloc);
SAME_SIGNATURE(cuMemFreeHost);
SAME_SIGNATURE(cuMemHostRegister_v2);
SAME_SIGNATURE(cuMemHostUnregister);
SAME_SIGNATURE(cuMemHostGetDevicePointer_v2);
SAME_SIGNATURE(cuMemHostGetFlags);
SAME_SIGNATURE(cuPointerGetAttribute);
SAME_SIGNATURE(cuPointerGetAttributes);
SAME_SIGNATURE(cuMemcpy);
SAME_SIGNATURE(cuMemcpyHtoD_v2);
SAME_SIGNATURE(cuMemcpyDtoH_v2);
SAME_SIGNATURE(cuMemcpyDtoD_v2);
SAME_SIGNATURE(cuMemcpyAsync);
SAME_SIGNATURE(cuMemcpyHtoDAsync_v2);
SAME_SIGNATURE(cuMemcpyDtoHAsync_v2);
SAME_SIGNATURE(cuMemcpyDtoDAsync_v2);
SAME_SIGNATURE(cuMemcpy2D_v2);
SAME_SIGNATURE(cuMemcpy2DUnaligned_v2);
SAME_SIGNATURE(cuMemcpy2DAsync_v2);
SAME_SIGNATURE(cuMemcpy3D_v2);
SAME_SIGNATURE(cuMemcpy3DAsync_v2);
SAME_SIGNATURE(cuMemsetD8_v2);
SAME_SIGNATURE(cuMemsetD16_v2);
SAME_SIGNATURE(cuMemsetD32_v2);
SAME_SIGNATURE(cuMemsetD2D8_v2);
SAME_SIGNATURE(cuMemsetD2D16_v2);
SAME_SIGNATURE(cuMemsetD2D32_v2);
SAME_SIGNATURE(cuMemsetD8Async);
SAME_SIGNATURE(cuMemsetD16Async);
SAME_SIGNATURE(cuMemsetD32Async);
SAME_SIGNATURE(cuMemsetD2D8Async);
SAME_SIGNATURE(cuMemsetD2D16Async);
SAME_SIGNATURE(cuMemsetD2D32Async);
SAME_SIGNATURE(cuModuleLoad);
SAME_SIGNATURE(cuModuleLoadData);
SAME_SIGNATURE(cuModuleLoadDataEx);
SAME_SIGNATURE(cuModuleLoadFatBinary);
SAME_SIGNATURE(cuModuleUnload);
SAME_SIGNATURE(cuModuleGetLoadingMode);
SAME_SIGNATURE(cuModuleGetFunction);
SAME_SIGNATURE(cuModuleGetGlobal_v2);
SAME_SIGNATURE(cuFuncGetAttribute);
SAME_SIGNATURE(cuFuncSetAttribute);
SAME_SIGNATURE(cuFuncGetName);
SAME_SIGNATURE(cuFuncGetModule);
SAME_SIGNATURE(cuLaunchKernel);
SAME_SIGNATURE(cuLaunchKernelEx);
SAME_SIGNATURE(cuGraphCreate);
SAME_SIGNATURE(cuGraphDestroy);
SAME_SIGNATURE(cuGraphClone);
SAME_SIGNATURE(cuGraphNodeFindInClone);
SAME_SIGNATURE(cuGraphDebugDotPrint);
SAME_SIGNATURE(cuGraphAddKernelNode_v2);
SAME_SIGNATURE(cuGraphAddHostNode);
SAME_SIGNATURE(cuGraphAddChildGraphNode);
SAME_SIGNATURE(cuGraphAddEventRecordNode);
SAME_SIGNATURE(cuGraphAddEventWaitNode);
SAME_SIGNATURE(cuGraphAddMemAllocNode);
SAME_SIGNATURE(cuGraphAddMemFreeNode);
SAME_SIGNATURE(cuGraphAddEmptyNode);
SAME_SIGNATURE(cuGraphAddMemcpyNode);
SAME_SIGNATURE(cuGraphAddMemsetNode);
SAME_SIGNATURE(cuGraphAddNode_v2);
SAME_SIGNATURE(cuGraphDestroyNode);
SAME_SIGNATURE(cuGraphAddDependencies_v2);
SAME_SIGNATURE(cuGraphRemoveDependencies_v2);
SAME_SIGNATURE(cuGraphGetNodes);
SAME_SIGNATURE(cuGraphGetRootNodes);
SAME_SIGNATURE(cuGraphGetEdges_v2);
SAME_SIGNATURE(cuGraphNodeGetType);
SAME_SIGNATURE(cuGraphNodeGetDependencies_v2);
SAME_SIGNATURE(cuGraphNodeGetDependentNodes_v2);
SAME_SIGNATURE(cuGraphKernelNodeGetParams_v2);
SAME_SIGNATURE(cuGraphKernelNodeSetParams_v2);
SAME_SIGNATURE(cuGraphMemcpyNodeGetParams);
SAME_SIGNATURE(cuGraphMemcpyNodeSetParams);
SAME_SIGNATURE(cuGraphMemsetNodeGetParams);
SAME_SIGNATURE(cuGraphMemsetNodeSetParams);
SAME_SIGNATURE(cuGraphHostNodeGetParams);
SAME_SIGNATURE(cuGraphHostNodeSetParams);
SAME_SIGNATURE(cuGraphChildGraphNodeGetGraph);
SAME_SIGNATURE(cuGraphEventRecordNodeGetEvent);
SAME_SIGNATURE(cuGraphEventRecordNodeSetEvent);
SAME_SIGNATURE(cuGraphEventWaitNodeGetEvent);
SAME_SIGNATURE(cuGraphEventWaitNodeSetEvent);
SAME_SIGNATURE(cuGraphMemAllocNodeGetParams);
SAME_SIGNATURE(cuGraphMemFreeNodeGetParams);
SAME_SIGNATURE(cuGraphNodeSetParams);
SAME_SIGNATURE(cuGraphInstantiateWithFlags);
SAME_SIGNATURE(cuGraphInstantiateWithParams);
SAME_SIGNATURE(cuGraphExecDestroy);
SAME_SIGNATURE(cuGraphExecGetFlags);
SAME_SIGNATURE(cuGraphLaunch);
SAME_SIGNATURE(cuGraphUpload);
SAME_SIGNATURE(cuGraphExecKernelNodeSetParams_v2);
SAME_SIGNATURE(cuGraphExecMemcpyNodeSetParams);
SAME_SIGNATURE(cuGraphExecMemsetNodeSetParams);
SAME_SIGNATURE(cuGraphExecHostNodeSetParams);
SAME_SIGNATURE(cuGraphExecChildGraphNodeSetParams);
SAME_SIGNATURE(cuGraphExecEventRecordNodeSetEvent);
SAME_SIGNATURE(cuGraphExecEventWaitNodeSetEvent);
SAME_SIGNATURE(cuGraphExecNodeSetParams);
SAME_SIGNATURE(cuGraphNodeSetEnabled);
SAME_SIGNATURE(cuGraphNodeGetEnabled);
SAME_SIGNATURE(cuGraphExecUpdate_v2);
SAME_SIGNATURE(cuDeviceGraphMemTrim);
SAME_SIGNATURE(cuDeviceGetGraphMemAttribute);
SAME_SIGNATURE(cuDeviceSetGraphMemAttribute);
SAME_SIGNATURE(cuUserObjectCreate);
SAME_SIGNATURE(cuUserObjectRetain);
SAME_SIGNATURE(cuUserObjectRelease);
SAME_SIGNATURE(cuGraphRetainUserObject);
SAME_SIGNATURE(cuGraphReleaseUserObject);
SAME_SIGNATURE(cuFuncGetParamInfo);

TEST(VendorHeader, OurDeclarationsAreTheVendors) { SUCCEED() << "compared at compile time"; }
