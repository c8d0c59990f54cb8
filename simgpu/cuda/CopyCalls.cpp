// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills.

#include "simgpu/core/CopyApi.h"
#include "simgpu/cuda/NodeParameters.h"

namespace lockstep::simgpu::cuda {

/// The synchronous forms name no stream; theirs is the default stream, whichever handle 0 means under the called name.
static constexpr CUstream defaultStream = nullptr;

static CUresult copyLinear(const char *name, Form form, uint64_t dst, Side dstSide, uint64_t src, Side srcSide,
                           size_t bytes, CUstream stream) {
  return run(name, Needs::Context, [&](Call &call) {
    return copy(call, form, {dst, dstSide, 0, 0}, {src, srcSide, 0, 0}, {bytes, 1, 1}, toNumber(stream));
  });
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return copyLinear(__func__, Form::Synchronous, dst, Side::Unified, src, Side::Unified, bytes, defaultStream);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t bytes) {
  return copyLinear(__func__, Form::Synchronous, dst, Side::Device, toNumber(src), Side::Host, bytes, defaultStream);
}
CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t bytes) {
  return copyLinear(__func__, Form::Synchronous, toNumber(dst), Side::Host, src, Side::Device, bytes, defaultStream);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return copyLinear(__func__, Form::Synchronous, dst, Side::Device, src, Side::Device, bytes, defaultStream);
}
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copyLinear(__func__, Form::Asynchronous, dst, Side::Unified, src, Side::Unified, bytes, stream);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream) {
  return copyLinear(__func__, Form::Asynchronous, dst, Side::Device, toNumber(src), Side::Host, bytes, stream);
}
CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copyLinear(__func__, Form::Asynchronous, toNumber(dst), Side::Host, src, Side::Device, bytes, stream);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copyLinear(__func__, Form::Asynchronous, dst, Side::Device, src, Side::Device, bytes, stream);
}

/// One side of a 2D or 3D copy: fills `region` from the fields of the vendor's structure.
static Status readSide(Call &call, CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y,
                       size_t z, size_t pitch, size_t rowsPerSlice, const Extent &extent, Region &region) {
  switch (type) {
  case CU_MEMORYTYPE_HOST:
    region.side = Side::Host;
    region.address = toNumber(host);
    break;
  case CU_MEMORYTYPE_DEVICE:
    region.side = Side::Device;
    region.address = device;
    break;
  case CU_MEMORYTYPE_UNIFIED:
    region.side = Side::Unified;
    region.address = device;
    break;
  case CU_MEMORYTYPE_ARRAY:
    return call.report(Status::NotSupported, "errors", "", "CUDA arrays are not supported");
  default:
    return call.report(Status::InvalidValue, "errors", "COPY-9", "unknown memory type " + std::to_string(type));
  }
  // A pitch of 0 stands for packed rows, a height of 0 for packed slices.
  region.rowPitchBytes = pitch ? pitch : x + extent.widthBytes;
  region.slicePitchBytes = region.rowPitchBytes * (rowsPerSlice ? rowsPerSlice : y + extent.height);
  if (region.address != 0)
    region.address += x + y * region.rowPitchBytes + z * region.slicePitchBytes;
  return Status::Success;
}

static CUresult copy2D(const char *name, Form form, const CUDA_MEMCPY2D *parameters, CUstream stream) {
  return run(name, Needs::Context, [&](Call &call) {
    if (!parameters)
      return call.report(Status::InvalidValue, "errors", "COPY-9", "the pointer to the parameters is null");
    const CUDA_MEMCPY2D &p = *parameters;
    Extent extent{p.WidthInBytes, p.Height, 1};
    Region dst, src;
    Status status =
        readSide(call, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY, 0, p.dstPitch, 0, extent, dst);
    if (status == Status::Success)
      status =
          readSide(call, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY, 0, p.srcPitch, 0, extent, src);
    return status == Status::Success ? copy(call, form, dst, src, extent, toNumber(stream)) : status;
  });
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *parameters) {
  return copy2D(__func__, Form::Synchronous, parameters, defaultStream);
}
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *parameters) {
  return copy2D(__func__, Form::Synchronous, parameters, defaultStream);
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *parameters, CUstream stream) {
  return copy2D(__func__, Form::Asynchronous, parameters, stream);
}

Status readCopy(Call &call, const CUDA_MEMCPY3D *parameters, Region &destination, Region &source, Extent &extent) {
  if (!parameters)
    return call.report(Status::InvalidValue, "errors", "COPY-9", "the pointer to the parameters is null");
  const CUDA_MEMCPY3D &p = *parameters;
  if (p.srcLOD != 0 || p.dstLOD != 0)
    return call.report(Status::InvalidValue, "errors", "COPY-9", "the level of detail must be 0");
  extent = {p.WidthInBytes, p.Height, p.Depth};
  Status status = readSide(call, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY, p.dstZ, p.dstPitch,
                           p.dstHeight, extent, destination);
  return status == Status::Success ? readSide(call, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY,
                                              p.srcZ, p.srcPitch, p.srcHeight, extent, source)
                                   : status;
}

static CUresult copy3D(const char *name, Form form, const CUDA_MEMCPY3D *parameters, CUstream stream) {
  return run(name, Needs::Context, [&](Call &call) {
    Region destination, source;
    Extent extent;
    Status status = readCopy(call, parameters, destination, source, extent);
    return status == Status::Success ? copy(call, form, destination, source, extent, toNumber(stream)) : status;
  });
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *parameters) {
  return copy3D(__func__, Form::Synchronous, parameters, defaultStream);
}
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *parameters, CUstream stream) {
  return copy3D(__func__, Form::Asynchronous, parameters, stream);
}

static CUresult fillRows(const char *name, Form form, CUdeviceptr dst, size_t pitch, uint32_t value,
                         uint32_t elementBytes, size_t width, size_t height, CUstream stream) {
  return run(name, Needs::Context, [&](Call &call) {
    return fill(call, form, {dst, Side::Unified, pitch, 0}, {width * elementBytes, height, 1}, value, elementBytes,
                toNumber(stream));
  });
}

#define LOCKSTEP_FILL(bits, type)                                                                                      \
  CUresult cuMemsetD##bits##_v2(CUdeviceptr dst, type value, size_t count) {                                           \
    return fillRows(__func__, Form::Synchronous, dst, 0, value, bits / 8, count, 1, defaultStream);                    \
  }                                                                                                                    \
  CUresult cuMemsetD##bits##Async(CUdeviceptr dst, type value, size_t count, CUstream stream) {                        \
    return fillRows(__func__, Form::Asynchronous, dst, 0, value, bits / 8, count, 1, stream);                          \
  }                                                                                                                    \
  CUresult cuMemsetD2D##bits##_v2(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height) {            \
    return fillRows(__func__, Form::Synchronous, dst, pitch, value, bits / 8, width, height, defaultStream);           \
  }                                                                                                                    \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height,            \
                                    CUstream stream) {                                                                 \
    return fillRows(__func__, Form::Asynchronous, dst, pitch, value, bits / 8, width, height, stream);                 \
  }
LOCKSTEP_FILL(8, unsigned char)
LOCKSTEP_FILL(16, unsigned short)
LOCKSTEP_FILL(32, unsigned)

} // namespace lockstep::simgpu::cuda
