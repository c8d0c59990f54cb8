// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built only where AMD's header is installed: compares this library's declarations with the vendor's. All comparisons
// are static, so that the test fails by not compiling. What the installed version lacks is left out by its number.

#include "simgpu/hip/HipApi.h"
#include "simgpu/test/SameSignature.h"

// What the vendor has as macros, before it has them.
namespace constants {
using namespace lockstep::simgpu::hip;
constexpr unsigned streams[] = {hipStreamDefault, hipStreamNonBlocking};
constexpr unsigned events[] = {hipEventDefault,      hipEventBlockingSync,    hipEventDisableTiming,
                               hipEventInterprocess, hipEventReleaseToDevice, hipEventReleaseToSystem};
constexpr unsigned attachment[] = {hipMemAttachGlobal, hipMemAttachHost};
constexpr unsigned hosts[] = {hipHostMallocPortable, hipHostMallocMapped,   hipHostMallocWriteCombined,
                              hipHostMallocNumaUser, hipHostMallocCoherent, hipHostMallocNonCoherent};
constexpr unsigned registration[] = {hipHostRegisterPortable, hipHostRegisterMapped};
constexpr uintptr_t tokens[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, HIP_LAUNCH_PARAM_BUFFER_SIZE, HIP_LAUNCH_PARAM_END};
} // namespace constants

// Our signatures, named in the namespace whose types they use.
namespace lockstep::simgpu::hip::signatures {
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) using name##Signature = hipError_t(*) parameters;
#include "simgpu/hip/HipCalls.def"
} // namespace lockstep::simgpu::hip::signatures

#define __HIP_PLATFORM_AMD__
// Without the overloads for C++, which would make the names ambiguous.
#define __HIP_DISABLE_CPP_FUNCTIONS__
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstddef>

#include <gtest/gtest.h>

namespace ours = lockstep::simgpu::hip;
using lockstep::simgpu::test::SameSignature;

#define LOCKSTEP_HIP_RESULT(name, number, text) static_assert(int(::name) == number);
#include "simgpu/hip/HipResults.def"

template <size_t Count> constexpr bool areSame(const unsigned (&our)[Count], const unsigned (&their)[Count]) {
  return std::equal(our, our + Count, their);
}
static_assert(!areSame({1u, 2u}, {1u, 3u}), "the checker itself must be able to say no");
static_assert(areSame(constants::streams, {hipStreamDefault, hipStreamNonBlocking}));
static_assert(areSame(constants::events, {hipEventDefault, hipEventBlockingSync, hipEventDisableTiming,
                                          hipEventInterprocess, hipEventReleaseToDevice, hipEventReleaseToSystem}));
static_assert(areSame(constants::attachment, {hipMemAttachGlobal, hipMemAttachHost}));
static_assert(areSame(constants::hosts, {hipHostMallocPortable, hipHostMallocMapped, hipHostMallocWriteCombined,
                                         hipHostMallocNumaUser, hipHostMallocCoherent, hipHostMallocNonCoherent}));
static_assert(areSame(constants::registration, {hipHostRegisterPortable, hipHostRegisterMapped}));

#define SAME_NUMBER(name) static_assert(int(ours::name) == int(::name))
SAME_NUMBER(hipMemcpyHostToHost);
SAME_NUMBER(hipMemcpyHostToDevice);
SAME_NUMBER(hipMemcpyDeviceToHost);
SAME_NUMBER(hipMemcpyDeviceToDevice);
SAME_NUMBER(hipMemcpyDefault);
SAME_NUMBER(hipStreamCaptureModeGlobal);
SAME_NUMBER(hipStreamCaptureModeThreadLocal);
SAME_NUMBER(hipStreamCaptureModeRelaxed);
SAME_NUMBER(hipStreamCaptureStatusNone);
SAME_NUMBER(hipStreamCaptureStatusActive);
SAME_NUMBER(hipStreamCaptureStatusInvalidated);
SAME_NUMBER(hipStreamAddCaptureDependencies);
SAME_NUMBER(hipStreamSetCaptureDependencies);
SAME_NUMBER(hipGraphExecUpdateSuccess);
SAME_NUMBER(hipGraphExecUpdateError);
SAME_NUMBER(hipGraphExecUpdateErrorTopologyChanged);
SAME_NUMBER(hipGraphExecUpdateErrorNodeTypeChanged);
SAME_NUMBER(hipGraphExecUpdateErrorFunctionChanged);
SAME_NUMBER(hipGraphExecUpdateErrorParametersChanged);
SAME_NUMBER(hipGraphExecUpdateErrorNotSupported);
SAME_NUMBER(hipGraphExecUpdateErrorUnsupportedFunctionChange);
#if HIP_VERSION >= 60000000 // Up to 5.2 at least, these were counted from 1.
SAME_NUMBER(hipGraphNodeTypeKernel);
SAME_NUMBER(hipGraphNodeTypeMemcpy);
SAME_NUMBER(hipGraphNodeTypeMemset);
SAME_NUMBER(hipGraphNodeTypeHost);
SAME_NUMBER(hipGraphNodeTypeGraph);
SAME_NUMBER(hipGraphNodeTypeEmpty);
SAME_NUMBER(hipGraphNodeTypeWaitEvent);
SAME_NUMBER(hipGraphNodeTypeEventRecord);
SAME_NUMBER(hipGraphNodeTypeMemAlloc);
SAME_NUMBER(hipGraphNodeTypeMemFree);
#endif
SAME_NUMBER(hipMemAllocationTypePinned);
SAME_NUMBER(hipMemHandleTypeNone);
SAME_NUMBER(hipMemLocationTypeDevice);

#if HIP_VERSION < 60000000
constexpr int hipDeviceAttributeHostRegisterSupported = 90; // Newer.
#endif
#define LOCKSTEP_HIP_DEVICE_ATTRIBUTE(name, number, value) SAME_NUMBER(hipDeviceAttribute##name);
#include "simgpu/hip/HipDeviceAttributes.def"
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_NUM_REGS);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_PTX_VERSION);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_NUMBER(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_CONTEXT);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_DEVICE_POINTER);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_HOST_POINTER);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_BUFFER_ID);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_IS_MANAGED);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_RANGE_SIZE);
SAME_NUMBER(HIP_POINTER_ATTRIBUTE_MAPPED);
SAME_NUMBER(hipMemPoolReuseFollowEventDependencies);
SAME_NUMBER(hipMemPoolReuseAllowOpportunistic);
SAME_NUMBER(hipMemPoolReuseAllowInternalDependencies);
SAME_NUMBER(hipMemPoolAttrReleaseThreshold);
SAME_NUMBER(hipMemPoolAttrReservedMemCurrent);
SAME_NUMBER(hipMemPoolAttrReservedMemHigh);
SAME_NUMBER(hipMemPoolAttrUsedMemCurrent);
SAME_NUMBER(hipMemPoolAttrUsedMemHigh);
#if HIP_VERSION >= 60000000 // Up to 5.2 at least, memory types had other numbers, and these were missing.
SAME_NUMBER(hipMemoryTypeUnregistered);
SAME_NUMBER(hipMemoryTypeHost);
SAME_NUMBER(hipMemoryTypeDevice);
SAME_NUMBER(hipMemoryTypeManaged);
SAME_NUMBER(hipMemoryTypeArray);
SAME_NUMBER(hipMemoryTypeUnified);
SAME_NUMBER(hipGraphMemAttrUsedMemCurrent);
SAME_NUMBER(hipGraphMemAttrUsedMemHigh);
SAME_NUMBER(hipGraphMemAttrReservedMemCurrent);
SAME_NUMBER(hipGraphMemAttrReservedMemHigh);
SAME_NUMBER(hipUserObjectNoDestructorSync);
SAME_NUMBER(hipGraphUserObjectMove);
#endif

#define SAME_SIZE(type) static_assert(sizeof(ours::type) == sizeof(::type) && alignof(ours::type) == alignof(::type))
#define SAME_FIELD_AS(type, other, field)                                                                              \
  static_assert(offsetof(ours::type, field) == offsetof(::other, field) &&                                             \
                sizeof(ours::type::field) == sizeof(::other::field))
#define SAME_FIELD(type, field) SAME_FIELD_AS(type, type, field)
SAME_SIZE(dim3);
SAME_FIELD(dim3, x);
SAME_FIELD(dim3, y);
SAME_FIELD(dim3, z);
SAME_SIZE(hipPos);
SAME_FIELD(hipPos, x);
SAME_FIELD(hipPos, y);
SAME_FIELD(hipPos, z);
SAME_SIZE(hipPitchedPtr);
SAME_FIELD(hipPitchedPtr, ptr);
SAME_FIELD(hipPitchedPtr, pitch);
SAME_FIELD(hipPitchedPtr, xsize);
SAME_FIELD(hipPitchedPtr, ysize);
SAME_SIZE(hipExtent);
SAME_FIELD(hipExtent, width);
SAME_FIELD(hipExtent, height);
SAME_FIELD(hipExtent, depth);
SAME_SIZE(hipMemcpy3DParms);
SAME_FIELD(hipMemcpy3DParms, srcArray);
SAME_FIELD(hipMemcpy3DParms, srcPos);
SAME_FIELD(hipMemcpy3DParms, srcPtr);
SAME_FIELD(hipMemcpy3DParms, dstArray);
SAME_FIELD(hipMemcpy3DParms, dstPos);
SAME_FIELD(hipMemcpy3DParms, dstPtr);
SAME_FIELD(hipMemcpy3DParms, extent);
SAME_FIELD(hipMemcpy3DParms, kind);
SAME_SIZE(hip_Memcpy2D);
SAME_FIELD(hip_Memcpy2D, srcXInBytes);
SAME_FIELD(hip_Memcpy2D, srcY);
SAME_FIELD(hip_Memcpy2D, srcMemoryType);
SAME_FIELD(hip_Memcpy2D, srcHost);
SAME_FIELD(hip_Memcpy2D, srcDevice);
SAME_FIELD(hip_Memcpy2D, srcArray);
SAME_FIELD(hip_Memcpy2D, srcPitch);
SAME_FIELD(hip_Memcpy2D, dstXInBytes);
SAME_FIELD(hip_Memcpy2D, dstY);
SAME_FIELD(hip_Memcpy2D, dstMemoryType);
SAME_FIELD(hip_Memcpy2D, dstHost);
SAME_FIELD(hip_Memcpy2D, dstDevice);
SAME_FIELD(hip_Memcpy2D, dstArray);
SAME_FIELD(hip_Memcpy2D, dstPitch);
SAME_FIELD(hip_Memcpy2D, WidthInBytes);
SAME_FIELD(hip_Memcpy2D, Height);
SAME_SIZE(hipPointerAttribute_t); // Its first field has another name in each version.
SAME_FIELD(hipPointerAttribute_t, device);
SAME_FIELD(hipPointerAttribute_t, devicePointer);
SAME_FIELD(hipPointerAttribute_t, hostPointer);
SAME_FIELD(hipPointerAttribute_t, isManaged);
SAME_FIELD(hipPointerAttribute_t, allocationFlags);

SAME_SIZE(hipKernelNodeParams);
SAME_FIELD(hipKernelNodeParams, blockDim);
SAME_FIELD(hipKernelNodeParams, extra);
SAME_FIELD(hipKernelNodeParams, func);
SAME_FIELD(hipKernelNodeParams, gridDim);
SAME_FIELD(hipKernelNodeParams, kernelParams);
SAME_FIELD(hipKernelNodeParams, sharedMemBytes);
SAME_SIZE(hipHostNodeParams);
SAME_FIELD(hipHostNodeParams, fn);
SAME_FIELD(hipHostNodeParams, userData);
#if HIP_VERSION < 70000000
#define SAME_MEMSET_FIELD(field) SAME_FIELD_AS(hipMemsetParams, hipMemsetParams, field)
#else
#define SAME_MEMSET_FIELD(field) SAME_FIELD_AS(hipMemsetParams7, hipMemsetParams, field)
#endif
static_assert(sizeof(ours::hipMemsetParams) == sizeof(::hipMemsetParams));
SAME_MEMSET_FIELD(dst);
SAME_MEMSET_FIELD(elementSize);
SAME_MEMSET_FIELD(height);
SAME_MEMSET_FIELD(pitch);
SAME_MEMSET_FIELD(value);
SAME_MEMSET_FIELD(width);
SAME_SIZE(hipMemLocation);
SAME_FIELD(hipMemLocation, type);
SAME_FIELD(hipMemLocation, id);
SAME_SIZE(hipMemPoolProps);
SAME_FIELD(hipMemPoolProps, allocType);
SAME_FIELD(hipMemPoolProps, handleTypes);
SAME_FIELD(hipMemPoolProps, location);
SAME_FIELD(hipMemPoolProps, win32SecurityAttributes);

// Some are deprecated, and exported all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// HIP 5.2 lacks these: stand-ins of our own types keep the table whole.
#if HIP_VERSION < 50500000
#define STAND_IN(name) extern std::remove_pointer_t<ours::signatures::name##Signature> name
STAND_IN(hipGraphAddMemAllocNode);
STAND_IN(hipGraphAddMemFreeNode);
STAND_IN(hipGraphUpload);
STAND_IN(hipGetDevicePropertiesR0000);
STAND_IN(hipGetProcAddress);
STAND_IN(hipEventRecordWithFlags);
STAND_IN(hipStreamBeginCaptureToGraph);
STAND_IN(hipGraphExecGetFlags);
STAND_IN(hipGraphInstantiateWithParams);
STAND_IN(hipStreamGetDevice);
STAND_IN(hipDeviceSetGraphMemAttribute);
STAND_IN(hipDeviceGetGraphMemAttribute);
STAND_IN(hipDeviceGraphMemTrim);
STAND_IN(hipGetDevicePropertiesR0600);
STAND_IN(hipGraphReleaseUserObject);
STAND_IN(hipGraphRetainUserObject);
STAND_IN(hipUserObjectRelease);
STAND_IN(hipUserObjectRetain);
STAND_IN(hipUserObjectCreate);
STAND_IN(hipGraphMemFreeNodeGetParams);
STAND_IN(hipGraphMemAllocNodeGetParams);
STAND_IN(hipGraphDebugDotPrint);
STAND_IN(hipGraphNodeSetEnabled);
STAND_IN(hipGraphNodeGetEnabled);
#endif

// The header overloads these even so: the signatures that C can have are the exported ones.
[[maybe_unused]] static hipError_t (*const pickedMallocAsync)(void **, size_t, hipStream_t) = hipMallocAsync;
[[maybe_unused]] static hipError_t (*const pickedMallocFromPoolAsync)(void **, size_t, hipMemPool_t,
                                                                      hipStream_t) = hipMallocFromPoolAsync;

template <typename Ours, typename Theirs>
constexpr bool isSame = SameSignature<Ours, std::remove_const_t<Theirs>>::value;
#define hipMallocAsync pickedMallocAsync
#define hipMallocFromPoolAsync pickedMallocFromPoolAsync
#define LOCKSTEP_HIP_CALL(name, parameters, arguments)                                                                 \
  static_assert(isSame<ours::signatures::name##Signature, std::decay_t<decltype(::name)>>, #name);
#include "simgpu/hip/HipCalls.def"

// Tokens are pointers made of numbers, which no constant expression can be.
TEST(HipVendorHeader, TokensOfALaunch) {
  EXPECT_EQ(constants::tokens[0], reinterpret_cast<uintptr_t>(HIP_LAUNCH_PARAM_BUFFER_POINTER));
  EXPECT_EQ(constants::tokens[1], reinterpret_cast<uintptr_t>(HIP_LAUNCH_PARAM_BUFFER_SIZE));
  EXPECT_EQ(constants::tokens[2], reinterpret_cast<uintptr_t>(HIP_LAUNCH_PARAM_END));
}
