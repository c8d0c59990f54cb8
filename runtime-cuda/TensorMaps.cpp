// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Strided.h"
#include "runtime-cuda/Pools.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

namespace {
constexpr int64_t kTensorRankMax = 5;

/// What the driver wants of a tensor, innermost dimension first.
struct TensorShape {
  uint64_t sizes[kTensorRankMax];
  uint64_t stridesBytes[kTensorRankMax]; ///< Of all dimensions but the innermost, which is contiguous.
  uint32_t boxSizes[kTensorRankMax];
  uint32_t elementStrides[kTensorRankMax];
};
} // namespace

void TensorMaps::add(CUdeviceptr memory) {
  std::lock_guard<std::mutex> lock(mutex);
  memories.push_back(memory);
}

void TensorMaps::release(const Driver &driver) {
  std::lock_guard<std::mutex> lock(mutex);
  for (CUdeviceptr memory : memories)
    driver.cuMemFree(memory);
  memories.clear();
}

/// 0 for a type of no fixed size.
static int64_t elementBytesOf(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT32:
  case CU_TENSOR_MAP_DATA_TYPE_INT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
    return 4;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  }
  return 0;
}

static bool encode(ApiCall &call, CUtensorMap *tensorMap, int32_t dataType, uint32_t rank, void *address,
                   const uint64_t *sizes, const uint64_t *stridesBytes, const uint32_t *boxSizes,
                   const uint32_t *elementStrides, int32_t interleave, int32_t swizzle, int32_t l2Promotion,
                   int32_t outOfBoundsFill) {
  return call.invoke(call.driver().cuTensorMapEncodeTiled, tensorMap, CUtensorMapDataType(dataType), rank, address,
                     sizes, stridesBytes, boxSizes, elementStrides, CUtensorMapInterleave(interleave),
                     CUtensorMapSwizzle(swizzle), CUtensorMapL2promotion(l2Promotion),
                     CUtensorMapFloatOOBfill(outOfBoundsFill));
}

void mgpuTensorMapEncodeTiled(void *tensorMap, int32_t dataType, uint32_t rank, void *address, const uint64_t *sizes,
                              const uint64_t *stridesBytes, const uint32_t *boxSizes, const uint32_t *elementStrides,
                              int32_t interleave, int32_t swizzle, int32_t l2Promotion, int32_t outOfBoundsFill) {
  ApiCall call("mgpuTensorMapEncodeTiled");
  if (call && call.enterDefaultDevice())
    encode(call, static_cast<CUtensorMap *>(tensorMap), dataType, rank, address, sizes, stridesBytes, boxSizes,
           elementStrides, interleave, swizzle, l2Promotion, outOfBoundsFill);
}

/// Turns the memref's outermost-first shape round; false with the failure recorded where the driver cannot have it.
static bool describeTensor(ApiCall &call, int64_t rank, const MgpuMemRef &memref, int64_t elementBytes,
                           const int64_t *boxSizes, TensorShape &shape) {
  const int64_t *sizes = memref.shape;
  const int64_t *strides = memref.shape + rank;
  for (int64_t index = 0; index < rank; ++index) {
    int64_t outer = rank - 1 - index;
    if (index == 0 ? strides[outer] != 1 : strides[outer] <= 0) {
      call.refuse(kMgpuStatusInvalidValue, "dimension " + std::to_string(outer) + " of the tensor has stride " +
                                               std::to_string(strides[outer]) +
                                               "; the innermost must be 1 and the others positive");
      return false;
    }
    shape.sizes[index] = sizes[outer];
    shape.boxSizes[index] = static_cast<uint32_t>(boxSizes[outer]);
    shape.elementStrides[index] = 1;
    if (index != 0)
      shape.stridesBytes[index - 1] = strides[outer] * elementBytes;
  }
  return true;
}

/// Copies the map to the device on a stream of the pool and waits, since the map lives on this stack. The legacy
/// stream, which the driver's plain copy uses, would wait for work that has nothing to do with it.
static bool upload(ApiCall &call, CUdeviceptr memory, const CUtensorMap &tensorMap) {
  CUstream stream = acquireStream(call);
  if (!stream)
    return false;
  bool done = call.invoke(call.driver().cuMemcpyAsync, memory, toAddress(&tensorMap), sizeof(tensorMap), stream) &&
              call.invoke(call.driver().cuStreamSynchronize, stream);
  releaseStream(call, "stream", stream);
  return done;
}

void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor, int32_t dataType, int32_t interleave,
                                     int32_t swizzle, int32_t l2Promotion, int32_t outOfBoundsFill, int64_t *boxSizes) {
  ApiCall call("mgpuTensorMapEncodeTiledMemref");
  if (!call || !call.enterDefaultDevice())
    return nullptr;
  int64_t elementBytes = elementBytesOf(CUtensorMapDataType(dataType));
  if (rank < 1 || rank > kTensorRankMax || !descriptor || !boxSizes || elementBytes == 0) {
    call.refuse(kMgpuStatusInvalidValue, "no tensor map for rank " + std::to_string(rank) +
                                             " (1 to 5 can be had), data type " + std::to_string(dataType) +
                                             (descriptor && boxSizes ? "" : ", null pointers"));
    return nullptr;
  }
  const MgpuMemRef &memref = *static_cast<MgpuMemRef *>(descriptor);
  TensorShape shape = {};
  CUtensorMap tensorMap = {};
  if (!describeTensor(call, rank, memref, elementBytes, boxSizes, shape) ||
      !encode(call, &tensorMap, dataType, static_cast<uint32_t>(rank), firstElement(memref, elementBytes), shape.sizes,
              shape.stridesBytes, shape.boxSizes, shape.elementStrides, interleave, swizzle, l2Promotion,
              outOfBoundsFill))
    return nullptr;
  CUdeviceptr memory = 0;
  if (!call.invoke(call.driver().cuMemAlloc, &memory, sizeof(tensorMap)))
    return nullptr;
  runtimeState().tensorMaps.add(memory);
  return upload(call, memory, tensorMap) ? reinterpret_cast<void *>(memory) : nullptr;
}
