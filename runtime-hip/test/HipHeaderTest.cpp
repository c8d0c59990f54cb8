// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares runtime-hip/HipApi.h and DriverSymbols.def with the installed hip_runtime_api.h, of HIP 5 or 6. What that
// header is too old for is left out by its version.

#include "runtime-hip/HipApi.h"

// What AMD's header has as macros, before it has them.
static constexpr unsigned kStreamNonBlocking = lockstep::hip::hipStreamNonBlocking;
static constexpr unsigned kEventDefault = lockstep::hip::hipEventDefault;
static constexpr unsigned kEventDisableTiming = lockstep::hip::hipEventDisableTiming;
static constexpr unsigned kMemAttachGlobal = lockstep::hip::hipMemAttachGlobal;

#define __HIP_PLATFORM_AMD__
// Without the overloads for C++, which would make the names ambiguous.
#define __HIP_DISABLE_CPP_FUNCTIONS__
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace ours = lockstep::hip;

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
  } else if constexpr (std::is_same_v<T, ours::hipDeviceptr_t> &&
                       std::is_same_v<std::remove_cv_t<std::remove_pointer_t<U>>, void>) {
    return true; // An address: ours is an integer.
  } else if constexpr (std::is_pointer_v<T> || std::is_pointer_v<U>) {
    return false;
  } else if constexpr (std::is_floating_point_v<T> || std::is_floating_point_v<U>) {
    return std::is_same_v<T, U>;
  } else {
    return sizeof(T) == sizeof(U) && alignof(T) == alignof(U);
  }
}

template <typename Ours, typename Theirs> struct SameFunction;
template <typename... A, typename R, typename... B> struct SameFunction<ours::hipError_t(A...), R(B...)> {
  static constexpr bool value() {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return sizeof(R) == sizeof(ours::hipError_t) && (isSameShape<A, B>() && ...);
  }
};

static_assert(!isSameShape<int *, int>());
static_assert(!isSameShape<const int *, int *>());
static_assert(!isSameShape<ours::hipStream_t *, hipStream_t>());
static_assert(!isSameShape<ours::hipDeviceptr_t, hipStream_t>());
static_assert(!SameFunction<ours::hipError_t(size_t), decltype(hipInit)>::value());
static_assert(!SameFunction<ours::hipError_t(), decltype(hipInit)>::value());
} // namespace

// Our signatures, named in the namespace whose types they use.
namespace lockstep::hip::signatures {
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS) using NAME##Signature = hipError_t PARAMETERS;
#include "runtime-hip/DriverSymbols.def"
} // namespace lockstep::hip::signatures

// HIP 5.2 has no memory nodes: a stand-in of our own type keeps the table whole.
#if HIP_VERSION < 50500000
extern ours::signatures::hipGraphAddMemAllocNodeSignature hipGraphAddMemAllocNode;
extern ours::signatures::hipGraphAddMemFreeNodeSignature hipGraphAddMemFreeNode;
#endif

// The header overloads this one even so: the signature without a pool is the exported one.
static hipError_t (*const pickedMallocAsync)(void **, size_t, hipStream_t) = hipMallocAsync;

namespace {
// NAME next to ## stays as it is.
#define hipMallocAsync pickedMallocAsync
#define LOCKSTEP_DRIVER_SYMBOL(NEED, NAME, SPELLING, PARAMETERS)                                                       \
  static_assert(SameFunction<ours::signatures::NAME##Signature,                                                        \
                             std::remove_cv_t<std::remove_pointer_t<std::remove_cv_t<decltype(::NAME)>>>>::value(),    \
                #NAME " differs from hip_runtime_api.h");
#include "runtime-hip/DriverSymbols.def"
#undef hipMallocAsync

#define EXPECT_CONSTANT(NAME) EXPECT_EQ(static_cast<int>(ours::NAME), static_cast<int>(::NAME)) << #NAME

TEST(HipHeaderTest, Abi19Constants) {
  EXPECT_CONSTANT(hipSuccess);
  EXPECT_CONSTANT(hipErrorInvalidValue);
  EXPECT_CONSTANT(hipErrorOutOfMemory);
  EXPECT_CONSTANT(hipErrorNotInitialized);
  EXPECT_CONSTANT(hipErrorDeinitialized);
  EXPECT_CONSTANT(hipErrorNoDevice);
  EXPECT_CONSTANT(hipErrorInvalidDevice);
  EXPECT_CONSTANT(hipErrorInvalidHandle);
  EXPECT_CONSTANT(hipErrorNotFound);
  EXPECT_CONSTANT(hipErrorNotReady);
  EXPECT_CONSTANT(hipErrorNotSupported);
  EXPECT_CONSTANT(hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(kStreamNonBlocking, static_cast<unsigned>(hipStreamNonBlocking));
  EXPECT_EQ(kEventDefault, static_cast<unsigned>(hipEventDefault));
  EXPECT_EQ(kEventDisableTiming, static_cast<unsigned>(hipEventDisableTiming));
  EXPECT_EQ(kMemAttachGlobal, static_cast<unsigned>(hipMemAttachGlobal));
  EXPECT_CONSTANT(hipMemcpyDefault);
  EXPECT_CONSTANT(hipStreamCaptureStatusNone);
  EXPECT_CONSTANT(hipStreamCaptureModeThreadLocal);
  EXPECT_CONSTANT(hipStreamCaptureModeRelaxed);
  EXPECT_CONSTANT(hipMemAllocationTypePinned);
  EXPECT_CONSTANT(hipMemHandleTypeNone);
  EXPECT_CONSTANT(hipMemLocationTypeDevice);
  EXPECT_CONSTANT(hipGraphExecUpdateSuccess);
}

#define EXPECT_SIZE(TYPE) EXPECT_EQ(sizeof(ours::TYPE), sizeof(::TYPE)) << #TYPE
#define EXPECT_FIELD(TYPE, FIELD) EXPECT_EQ(offsetof(ours::TYPE, FIELD), offsetof(::TYPE, FIELD)) << #TYPE "." #FIELD

TEST(HipHeaderTest, Abi19Structures) {
  EXPECT_SIZE(dim3);
  EXPECT_FIELD(dim3, x);
  EXPECT_FIELD(dim3, y);
  EXPECT_FIELD(dim3, z);
  EXPECT_SIZE(hipPos);
  EXPECT_FIELD(hipPos, x);
  EXPECT_FIELD(hipPos, y);
  EXPECT_FIELD(hipPos, z);
  EXPECT_SIZE(hipPitchedPtr);
  EXPECT_FIELD(hipPitchedPtr, ptr);
  EXPECT_FIELD(hipPitchedPtr, pitch);
  EXPECT_FIELD(hipPitchedPtr, xsize);
  EXPECT_FIELD(hipPitchedPtr, ysize);
  EXPECT_SIZE(hipExtent);
  EXPECT_FIELD(hipExtent, width);
  EXPECT_FIELD(hipExtent, height);
  EXPECT_FIELD(hipExtent, depth);
  EXPECT_SIZE(hipMemcpy3DParms);
  EXPECT_FIELD(hipMemcpy3DParms, srcArray);
  EXPECT_FIELD(hipMemcpy3DParms, srcPos);
  EXPECT_FIELD(hipMemcpy3DParms, srcPtr);
  EXPECT_FIELD(hipMemcpy3DParms, dstArray);
  EXPECT_FIELD(hipMemcpy3DParms, dstPos);
  EXPECT_FIELD(hipMemcpy3DParms, dstPtr);
  EXPECT_FIELD(hipMemcpy3DParms, extent);
  EXPECT_FIELD(hipMemcpy3DParms, kind);
  EXPECT_SIZE(hipKernelNodeParams);
  EXPECT_FIELD(hipKernelNodeParams, blockDim);
  EXPECT_FIELD(hipKernelNodeParams, extra);
  EXPECT_FIELD(hipKernelNodeParams, func);
  EXPECT_FIELD(hipKernelNodeParams, gridDim);
  EXPECT_FIELD(hipKernelNodeParams, kernelParams);
  EXPECT_FIELD(hipKernelNodeParams, sharedMemBytes);
  EXPECT_SIZE(hipHostNodeParams);
  EXPECT_FIELD(hipHostNodeParams, fn);
  EXPECT_FIELD(hipHostNodeParams, userData);
  EXPECT_SIZE(hipMemLocation);
  EXPECT_FIELD(hipMemLocation, type);
  EXPECT_FIELD(hipMemLocation, id);
  EXPECT_SIZE(hipMemPoolProps);
  EXPECT_FIELD(hipMemPoolProps, allocType);
  EXPECT_FIELD(hipMemPoolProps, handleTypes);
  EXPECT_FIELD(hipMemPoolProps, location);
  EXPECT_FIELD(hipMemPoolProps, win32SecurityAttributes);
}

TEST(HipHeaderTest, Abi19MemsetParams) {
#if HIP_VERSION < 70000000
  using Wanted = ours::hipMemsetParams;
#else
  using Wanted = ours::hipMemsetParams7;
#endif
  EXPECT_EQ(sizeof(Wanted), sizeof(::hipMemsetParams));
#define EXPECT_MEMSET_FIELD(FIELD) EXPECT_EQ(offsetof(Wanted, FIELD), offsetof(::hipMemsetParams, FIELD)) << #FIELD
  EXPECT_MEMSET_FIELD(dst);
  EXPECT_MEMSET_FIELD(pitch);
  EXPECT_MEMSET_FIELD(value);
  EXPECT_MEMSET_FIELD(elementSize);
  EXPECT_MEMSET_FIELD(width);
  EXPECT_MEMSET_FIELD(height);
}
} // namespace
