// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares runtime-cuda/CudaApi.h and DriverSymbols.def with the installed cuda.h. The macros of cuda.h map each name
// to the newest version of its function, which is what DriverSymbols.def is written for. Built for headers of CUDA 12
// and up.

#include <cuda.h>

#include "runtime-cuda/CudaApi.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace ours = lockstep::cuda;

namespace {
/// What the calling convention and the memory layout see of a type. Pointers count by what they point to, so that a
/// handle and a pointer to a handle differ; structures count by size.
template <typename A, typename B> constexpr bool isSameShape() {
  using T = std::remove_cv_t<A>;
  using U = std::remove_cv_t<B>;
  if constexpr (std::is_pointer_v<T> && std::is_pointer_v<U>) {
    using P = std::remove_pointer_t<T>;
    using Q = std::remove_pointer_t<U>;
    if constexpr (std::is_pointer_v<P> || std::is_pointer_v<Q> || std::is_arithmetic_v<P> || std::is_arithmetic_v<Q>)
      return isSameShape<P, Q>() && std::is_const_v<P> == std::is_const_v<Q>;
    else
      return std::is_const_v<P> == std::is_const_v<Q>;
  } else if constexpr (std::is_pointer_v<T> || std::is_pointer_v<U>) {
    return false;
  } else if constexpr (std::is_floating_point_v<T> || std::is_floating_point_v<U>) {
    return std::is_same_v<T, U>;
  } else {
    return sizeof(T) == sizeof(U) && alignof(T) == alignof(U);
  }
}

template <typename Ours, typename Theirs> struct SameFunction;
template <typename... A, typename R, typename... B> struct SameFunction<ours::CUresult(A...), R(B...)> {
  static constexpr bool value() {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return sizeof(R) == sizeof(ours::CUresult) && (isSameShape<A, B>() && ...);
  }
};

static_assert(!isSameShape<int *, int>());
static_assert(!isSameShape<const int *, int *>());
static_assert(!isSameShape<ours::CUstream *, CUstream>());
static_assert(!SameFunction<ours::CUresult(size_t), decltype(cuInit)>::value());
static_assert(!SameFunction<ours::CUresult(), decltype(cuInit)>::value());
} // namespace

// Our signatures, named in the namespace whose types they use.
namespace lockstep::cuda::signatures {
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS) using NAME##Signature = CUresult PARAMETERS;
#include "runtime-cuda/DriverSymbols.def"
} // namespace lockstep::cuda::signatures

namespace {
// NAME next to ## stays as it is; elsewhere the header's macros turn it into the versioned function.
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS)                                                       \
  static_assert(SameFunction<ours::signatures::NAME##Signature, decltype(::NAME)>::value(),                            \
                #NAME " differs from cuda.h");
#include "runtime-cuda/DriverSymbols.def"

#define TEXT_OF(NAME) #NAME
#define EXPANDED_TEXT_OF(NAME) TEXT_OF(NAME)

/// cuda.h of CUDA 13 maps some names to versions that older drivers lack; the older ones stay exported, unchanged.
bool isOlderSpelling(const std::string &name) { return name == "cuEventElapsedTime"; }

TEST(CudaHeaderTest, Abi19SpellingsAreTheHeaders) {
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS)                                                       \
  EXPECT_STREQ(SPELLING, isOlderSpelling(#NAME) ? #NAME : EXPANDED_TEXT_OF(NAME));
#include "runtime-cuda/DriverSymbols.def"
}

#define EXPECT_CONSTANT(NAME) EXPECT_EQ(static_cast<int>(ours::NAME), static_cast<int>(::NAME)) << #NAME

TEST(CudaHeaderTest, Abi19Constants) {
  EXPECT_CONSTANT(CUDA_SUCCESS);
  EXPECT_CONSTANT(CUDA_ERROR_INVALID_VALUE);
  EXPECT_CONSTANT(CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_CONSTANT(CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_CONSTANT(CUDA_ERROR_DEINITIALIZED);
  EXPECT_CONSTANT(CUDA_ERROR_STUB_LIBRARY);
  EXPECT_CONSTANT(CUDA_ERROR_NO_DEVICE);
  EXPECT_CONSTANT(CUDA_ERROR_INVALID_DEVICE);
  EXPECT_CONSTANT(CUDA_ERROR_INVALID_HANDLE);
  EXPECT_CONSTANT(CUDA_ERROR_NOT_FOUND);
  EXPECT_CONSTANT(CUDA_ERROR_NOT_READY);
  EXPECT_CONSTANT(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
  EXPECT_CONSTANT(CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_CONSTANT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_CONSTANT(CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_CONSTANT(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  EXPECT_CONSTANT(CU_STREAM_CAPTURE_MODE_RELAXED);
  EXPECT_CONSTANT(CU_MEM_ALLOCATION_TYPE_PINNED);
  EXPECT_CONSTANT(CU_MEM_HANDLE_TYPE_NONE);
  EXPECT_CONSTANT(CU_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_CONSTANT(CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_CONSTANT(CU_STREAM_NON_BLOCKING);
  EXPECT_CONSTANT(CU_EVENT_DEFAULT);
  EXPECT_CONSTANT(CU_EVENT_DISABLE_TIMING);
  EXPECT_CONSTANT(CU_MEM_ATTACH_GLOBAL);
  EXPECT_CONSTANT(CU_MEMORYTYPE_UNIFIED);
  EXPECT_CONSTANT(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_CONSTANT(CU_JIT_ERROR_LOG_BUFFER);
  EXPECT_CONSTANT(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  EXPECT_CONSTANT(CU_JIT_OPTIMIZATION_LEVEL);
  EXPECT_CONSTANT(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_UINT8);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_UINT16);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_UINT32);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_INT32);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_UINT64);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_INT64);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
  EXPECT_CONSTANT(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
  EXPECT_CONSTANT(CU_TENSOR_MAP_INTERLEAVE_NONE);
  EXPECT_CONSTANT(CU_TENSOR_MAP_SWIZZLE_NONE);
  EXPECT_CONSTANT(CU_TENSOR_MAP_L2_PROMOTION_NONE);
  EXPECT_CONSTANT(CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

#define EXPECT_FIELD(TYPE, FIELD)                                                                                      \
  EXPECT_EQ(offsetof(ours::TYPE, FIELD), offsetof(::TYPE, FIELD)) << #TYPE "::" #FIELD;                                \
  EXPECT_EQ(sizeof(ours::TYPE::FIELD), sizeof(::TYPE::FIELD)) << #TYPE "::" #FIELD
#define EXPECT_SIZE(TYPE)                                                                                              \
  EXPECT_EQ(sizeof(ours::TYPE), sizeof(::TYPE)) << #TYPE;                                                              \
  EXPECT_EQ(alignof(ours::TYPE), alignof(::TYPE)) << #TYPE

TEST(CudaHeaderTest, Abi19Structures) {
  EXPECT_SIZE(CUDA_MEMCPY2D);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcXInBytes);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcY);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcMemoryType);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcHost);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcDevice);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcArray);
  EXPECT_FIELD(CUDA_MEMCPY2D, srcPitch);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstXInBytes);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstY);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstMemoryType);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstHost);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstDevice);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstArray);
  EXPECT_FIELD(CUDA_MEMCPY2D, dstPitch);
  EXPECT_FIELD(CUDA_MEMCPY2D, WidthInBytes);
  EXPECT_FIELD(CUDA_MEMCPY2D, Height);
  EXPECT_SIZE(CUDA_MEMCPY3D);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcXInBytes);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcY);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcZ);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcLOD);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcMemoryType);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcHost);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcDevice);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcArray);
  EXPECT_FIELD(CUDA_MEMCPY3D, reserved0);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcPitch);
  EXPECT_FIELD(CUDA_MEMCPY3D, srcHeight);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstXInBytes);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstY);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstZ);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstLOD);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstMemoryType);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstHost);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstDevice);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstArray);
  EXPECT_FIELD(CUDA_MEMCPY3D, reserved1);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstPitch);
  EXPECT_FIELD(CUDA_MEMCPY3D, dstHeight);
  EXPECT_FIELD(CUDA_MEMCPY3D, WidthInBytes);
  EXPECT_FIELD(CUDA_MEMCPY3D, Height);
  EXPECT_FIELD(CUDA_MEMCPY3D, Depth);
  EXPECT_EQ(sizeof(ours::CUtensorMap), sizeof(::CUtensorMap));
  EXPECT_GE(alignof(ours::CUtensorMap), alignof(::CUtensorMap));
  EXPECT_SIZE(CUlaunchAttributeValue);
  EXPECT_EQ(offsetof(ours::CUlaunchAttributeValue, clusterDim.x), offsetof(::CUlaunchAttributeValue, clusterDim.x));
  EXPECT_EQ(offsetof(ours::CUlaunchAttributeValue, clusterDim.z), offsetof(::CUlaunchAttributeValue, clusterDim.z));
  EXPECT_SIZE(CUlaunchAttribute);
  EXPECT_FIELD(CUlaunchAttribute, id);
  EXPECT_FIELD(CUlaunchAttribute, value);
  EXPECT_SIZE(CUlaunchConfig);
  EXPECT_FIELD(CUlaunchConfig, gridDimX);
  EXPECT_FIELD(CUlaunchConfig, gridDimZ);
  EXPECT_FIELD(CUlaunchConfig, blockDimX);
  EXPECT_FIELD(CUlaunchConfig, blockDimZ);
  EXPECT_FIELD(CUlaunchConfig, sharedMemBytes);
  EXPECT_FIELD(CUlaunchConfig, hStream);
  EXPECT_FIELD(CUlaunchConfig, attrs);
  EXPECT_FIELD(CUlaunchConfig, numAttrs);
}

TEST(CudaHeaderTest, Abi19GraphStructures) {
  EXPECT_SIZE(CUDA_KERNEL_NODE_PARAMS);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, func);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimX);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimY);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimZ);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimX);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimY);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimZ);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, kernelParams);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, extra);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, kern);
  EXPECT_FIELD(CUDA_KERNEL_NODE_PARAMS, ctx);
  EXPECT_SIZE(CUDA_MEMSET_NODE_PARAMS);
  EXPECT_FIELD(CUDA_MEMSET_NODE_PARAMS, dst);
  EXPECT_FIELD(CUDA_MEMSET_NODE_PARAMS, pitch);
  EXPECT_FIELD(CUDA_MEMSET_NODE_PARAMS, value);
  EXPECT_FIELD(CUDA_MEMSET_NODE_PARAMS, elementSize);
  EXPECT_FIELD(CUDA_MEMSET_NODE_PARAMS, width);
  EXPECT_FIELD(CUDA_MEMSET_NODE_PARAMS, height);
  EXPECT_SIZE(CUDA_HOST_NODE_PARAMS);
  EXPECT_FIELD(CUDA_HOST_NODE_PARAMS, fn);
  EXPECT_FIELD(CUDA_HOST_NODE_PARAMS, userData);
  EXPECT_SIZE(CUmemLocation);
  EXPECT_FIELD(CUmemLocation, type);
  EXPECT_FIELD(CUmemLocation, id);
  EXPECT_SIZE(CUmemPoolProps);
  EXPECT_FIELD(CUmemPoolProps, allocType);
  EXPECT_FIELD(CUmemPoolProps, handleTypes);
  EXPECT_FIELD(CUmemPoolProps, location);
  EXPECT_FIELD(CUmemPoolProps, win32SecurityAttributes);
  EXPECT_FIELD(CUmemPoolProps, maxSize);
  EXPECT_FIELD(CUmemPoolProps, usage);
  EXPECT_FIELD(CUmemPoolProps, reserved);
  EXPECT_SIZE(CUDA_MEM_ALLOC_NODE_PARAMS);
  EXPECT_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, poolProps);
  EXPECT_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescs);
  EXPECT_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescCount);
  EXPECT_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, bytesize);
  EXPECT_FIELD(CUDA_MEM_ALLOC_NODE_PARAMS, dptr);
  EXPECT_SIZE(CUgraphExecUpdateResultInfo);
  EXPECT_FIELD(CUgraphExecUpdateResultInfo, result);
  EXPECT_FIELD(CUgraphExecUpdateResultInfo, errorNode);
  EXPECT_FIELD(CUgraphExecUpdateResultInfo, errorFromNode);
}
} // namespace
