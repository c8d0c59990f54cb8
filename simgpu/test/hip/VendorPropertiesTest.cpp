// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of the structure that describes a device, against the vendor's. As in VendorHeaderTest.cpp, all
// comparisons are static.

#include "simgpu/hip/HipDeviceTypes.h"

#define __HIP_PLATFORM_AMD__
#define __HIP_DISABLE_CPP_FUNCTIONS__
#include <hip/hip_runtime_api.h>

#include <cstddef>

namespace ours = lockstep::simgpu::hip;

// The header names the layout of its own version so.
#if HIP_VERSION < 60000000
using Ours = ours::hipDeviceProp_tR0000;
#else
using Ours = ours::hipDeviceProp_tR0600;
#endif
using Theirs = ::hipDeviceProp_t;

#define SAME_FIELD(field)                                                                                              \
  static_assert(offsetof(Ours, field) == offsetof(Theirs, field) && sizeof(Ours::field) == sizeof(Theirs::field))

static_assert(sizeof(Ours) == sizeof(Theirs));
SAME_FIELD(name);
SAME_FIELD(totalGlobalMem);
SAME_FIELD(sharedMemPerBlock);
SAME_FIELD(regsPerBlock);
SAME_FIELD(warpSize);
SAME_FIELD(maxThreadsPerBlock);
SAME_FIELD(maxThreadsDim);
SAME_FIELD(maxGridSize);
SAME_FIELD(clockRate);
SAME_FIELD(memoryClockRate);
SAME_FIELD(memoryBusWidth);
SAME_FIELD(totalConstMem);
SAME_FIELD(major);
SAME_FIELD(minor);
SAME_FIELD(multiProcessorCount);
SAME_FIELD(l2CacheSize);
SAME_FIELD(maxThreadsPerMultiProcessor);
SAME_FIELD(computeMode);
SAME_FIELD(clockInstructionRate);
SAME_FIELD(arch);
SAME_FIELD(concurrentKernels);
SAME_FIELD(pciDomainID);
SAME_FIELD(pciBusID);
SAME_FIELD(pciDeviceID);
SAME_FIELD(maxSharedMemoryPerMultiProcessor);
SAME_FIELD(isMultiGpuBoard);
SAME_FIELD(canMapHostMemory);
SAME_FIELD(gcnArchName);
SAME_FIELD(integrated);
SAME_FIELD(cooperativeLaunch);
SAME_FIELD(cooperativeMultiDeviceLaunch);
SAME_FIELD(maxTexture1DLinear);
SAME_FIELD(maxTexture1D);
SAME_FIELD(maxTexture2D);
SAME_FIELD(maxTexture3D);
SAME_FIELD(hdpMemFlushCntl);
SAME_FIELD(hdpRegFlushCntl);
SAME_FIELD(memPitch);
SAME_FIELD(textureAlignment);
SAME_FIELD(texturePitchAlignment);
SAME_FIELD(kernelExecTimeoutEnabled);
SAME_FIELD(ECCEnabled);
SAME_FIELD(tccDriver);
SAME_FIELD(cooperativeMultiDeviceUnmatchedFunc);
SAME_FIELD(cooperativeMultiDeviceUnmatchedGridDim);
SAME_FIELD(cooperativeMultiDeviceUnmatchedBlockDim);
SAME_FIELD(cooperativeMultiDeviceUnmatchedSharedMem);
SAME_FIELD(isLargeBar);
SAME_FIELD(asicRevision);
SAME_FIELD(managedMemory);
SAME_FIELD(directManagedMemAccessFromHost);
SAME_FIELD(concurrentManagedAccess);
SAME_FIELD(pageableMemoryAccess);
SAME_FIELD(pageableMemoryAccessUsesHostPageTables);
#if HIP_VERSION < 60000000
SAME_FIELD(gcnArch);
#else
SAME_FIELD(uuid);
SAME_FIELD(luid);
SAME_FIELD(luidDeviceNodeMask);
SAME_FIELD(deviceOverlap);
SAME_FIELD(maxTexture1DMipmap);
SAME_FIELD(maxTexture2DMipmap);
SAME_FIELD(maxTexture2DLinear);
SAME_FIELD(maxTexture2DGather);
SAME_FIELD(maxTexture3DAlt);
SAME_FIELD(maxTextureCubemap);
SAME_FIELD(maxTexture1DLayered);
SAME_FIELD(maxTexture2DLayered);
SAME_FIELD(maxTextureCubemapLayered);
SAME_FIELD(maxSurface1D);
SAME_FIELD(maxSurface2D);
SAME_FIELD(maxSurface3D);
SAME_FIELD(maxSurface1DLayered);
SAME_FIELD(maxSurface2DLayered);
SAME_FIELD(maxSurfaceCubemap);
SAME_FIELD(maxSurfaceCubemapLayered);
SAME_FIELD(surfaceAlignment);
SAME_FIELD(asyncEngineCount);
SAME_FIELD(unifiedAddressing);
SAME_FIELD(persistingL2CacheMaxSize);
SAME_FIELD(streamPrioritiesSupported);
SAME_FIELD(globalL1CacheSupported);
SAME_FIELD(localL1CacheSupported);
SAME_FIELD(sharedMemPerMultiprocessor);
SAME_FIELD(regsPerMultiprocessor);
SAME_FIELD(multiGpuBoardGroupID);
SAME_FIELD(hostNativeAtomicSupported);
SAME_FIELD(singleToDoublePrecisionPerfRatio);
SAME_FIELD(computePreemptionSupported);
SAME_FIELD(canUseHostPointerForRegisteredMem);
SAME_FIELD(sharedMemPerBlockOptin);
SAME_FIELD(maxBlocksPerMultiProcessor);
SAME_FIELD(accessPolicyMaxWindowSize);
SAME_FIELD(reservedSharedMemPerBlock);
SAME_FIELD(hostRegisterSupported);
SAME_FIELD(sparseHipArraySupported);
SAME_FIELD(hostRegisterReadOnlySupported);
SAME_FIELD(timelineSemaphoreInteropSupported);
SAME_FIELD(memoryPoolsSupported);
SAME_FIELD(gpuDirectRDMASupported);
SAME_FIELD(gpuDirectRDMAFlushWritesOptions);
SAME_FIELD(gpuDirectRDMAWritesOrdering);
SAME_FIELD(memoryPoolSupportedHandleTypes);
SAME_FIELD(deferredMappingHipArraySupported);
SAME_FIELD(ipcEventSupported);
SAME_FIELD(clusterLaunch);
SAME_FIELD(unifiedFunctionPointers);
SAME_FIELD(reserved);
SAME_FIELD(hipReserved);
#endif
