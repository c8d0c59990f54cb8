// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills.

#include "simgpu/hip/NodeParameters.h"

namespace lockstep::simgpu::hip {

static constexpr hipStream_t defaultStream = nullptr;

static Status readKind(Call &call, hipMemcpyKind kind, Region &destination, Region &source) {
  auto sides = [&](Side to, Side from) {
    destination.side = to;
    source.side = from;
    return Status::Success;
  };
  switch (kind) {
  case hipMemcpyHostToHost:
    return sides(Side::Host, Side::Host);
  case hipMemcpyHostToDevice:
    return sides(Side::Device, Side::Host);
  case hipMemcpyDeviceToHost:
    return sides(Side::Host, Side::Device);
  case hipMemcpyDeviceToDevice:
    return sides(Side::Device, Side::Device);
  case hipMemcpyDefault:
    return sides(Side::Unified, Side::Unified);
  }
  return call.report(Status::InvalidValue, "errors", "COPY-9", "unknown kind " + std::to_string(kind));
}

Status readCopy(Call &call, void *dst, const void *src, hipMemcpyKind kind, Region &destination, Region &source) {
  destination.address = toNumber(dst);
  source.address = toNumber(src);
  return readKind(call, kind, destination, source);
}

static hipError_t copyRows(const char *name, Form form, void *dst, size_t dstPitch, const void *src, size_t srcPitch,
                           size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return run(name, [&](Call &call) {
    Region destination, source;
    Status status = readCopy(call, dst, src, kind, destination, source);
    if (height > 1) {
      destination.rowPitchBytes = dstPitch;
      source.rowPitchBytes = srcPitch;
    }
    return status == Status::Success ? copy(call, form, destination, source, {width, height, 1}, toNumber(stream))
                                     : status;
  });
}

hipError_t hipMemcpy(void *dst, const void *src, size_t bytes, hipMemcpyKind kind) {
  return copyRows(__func__, Form::Synchronous, dst, 0, src, 0, bytes, 1, kind, defaultStream);
}
hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return copyRows(__func__, Form::Synchronous, dst, 0, src, 0, bytes, 1, kind, stream);
}
hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return copyRows(__func__, Form::Asynchronous, dst, 0, src, 0, bytes, 1, kind, stream);
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void *src, size_t bytes) {
  return copyRows(__func__, Form::Synchronous, dst, 0, src, 0, bytes, 1, hipMemcpyHostToDevice, defaultStream);
}
hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t bytes) {
  return copyRows(__func__, Form::Synchronous, dst, 0, src, 0, bytes, 1, hipMemcpyDeviceToHost, defaultStream);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes) {
  return copyRows(__func__, Form::Synchronous, dst, 0, src, 0, bytes, 1, hipMemcpyDeviceToDevice, defaultStream);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void *src, size_t bytes, hipStream_t stream) {
  return copyRows(__func__, Form::Asynchronous, dst, 0, src, 0, bytes, 1, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return copyRows(__func__, Form::Asynchronous, dst, 0, src, 0, bytes, 1, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return copyRows(__func__, Form::Asynchronous, dst, 0, src, 0, bytes, 1, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpy2D(void *dst, size_t dstPitch, const void *src, size_t srcPitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return copyRows(__func__, Form::Synchronous, dst, dstPitch, src, srcPitch, width, height, kind, defaultStream);
}
hipError_t hipMemcpy2DAsync(void *dst, size_t dstPitch, const void *src, size_t srcPitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return copyRows(__func__, Form::Asynchronous, dst, dstPitch, src, srcPitch, width, height, kind, stream);
}

/// The rows of a pitched pointer, from the position on.
static Region regionOf(const hipPitchedPtr &pointer, const hipPos &position) {
  Region region{toNumber(pointer.ptr), Side::Unified, pointer.pitch, pointer.pitch * pointer.ysize};
  region.address += position.x + position.y * region.rowPitchBytes + position.z * region.slicePitchBytes;
  return region;
}

Status readCopy(Call &call, const hipMemcpy3DParms *parameters, Region &destination, Region &source, Extent &extent) {
  if (!parameters)
    return call.report(Status::InvalidValue, "errors", "COPY-9", "the pointer to the parameters is null");
  const hipMemcpy3DParms &p = *parameters;
  if (p.srcArray || p.dstArray)
    return call.report(Status::NotSupported, "errors", "", "arrays are not supported");
  extent = {p.extent.width, p.extent.height, p.extent.depth};
  destination = regionOf(p.dstPtr, p.dstPos);
  source = regionOf(p.srcPtr, p.srcPos);
  return readKind(call, p.kind, destination, source);
}

static hipError_t copy3D(const char *name, Form form, const hipMemcpy3DParms *parameters, hipStream_t stream) {
  return run(name, [&](Call &call) {
    Region destination, source;
    Extent extent;
    Status status = readCopy(call, parameters, destination, source, extent);
    return status == Status::Success ? copy(call, form, destination, source, extent, toNumber(stream)) : status;
  });
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms *params) {
  return copy3D(__func__, Form::Synchronous, params, defaultStream);
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *params, hipStream_t stream) {
  return copy3D(__func__, Form::Asynchronous, params, stream);
}

/// One side of a copy by hip_Memcpy2D.
static Status readSide(Call &call, hipMemoryType type, const void *host, hipDeviceptr_t device, size_t x, size_t y,
                       size_t pitch, size_t height, Region &region) {
  if (type != hipMemoryTypeHost && type != hipMemoryTypeDevice && type != hipMemoryTypeUnified)
    return call.report(type == hipMemoryTypeArray ? Status::NotSupported : Status::InvalidValue, "errors", "COPY-9",
                       "memory type " + std::to_string(type) + " is none of host, device and unified");
  bool isHost = type == hipMemoryTypeHost;
  Side side = isHost ? Side::Host : type == hipMemoryTypeDevice ? Side::Device : Side::Unified;
  region = {(isHost ? toNumber(host) : toNumber(device)) + x + y * pitch, side, height > 1 ? pitch : 0, 0};
  return Status::Success;
}

static hipError_t copyParam2D(const char *name, Form form, const hip_Memcpy2D *params, hipStream_t stream) {
  return run(name, [&](Call &call) {
    if (!params)
      return call.report(Status::InvalidValue, "errors", "COPY-9", "the pointer to the parameters is null");
    const hip_Memcpy2D &p = *params;
    Region dst, src;
    Status status =
        readSide(call, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY, p.dstPitch, p.Height, dst);
    if (status == Status::Success)
      status =
          readSide(call, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY, p.srcPitch, p.Height, src);
    return status == Status::Success ? copy(call, form, dst, src, {p.WidthInBytes, p.Height, 1}, toNumber(stream))
                                     : status;
  });
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *params) {
  return copyParam2D(__func__, Form::Synchronous, params, defaultStream);
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *params, hipStream_t stream) {
  return copyParam2D(__func__, Form::Asynchronous, params, stream);
}

static hipError_t fillRows(const char *name, Form form, void *dst, size_t pitch, uint32_t value, uint32_t elementBytes,
                           size_t width, size_t height, hipStream_t stream) {
  return run(name, [&](Call &call) {
    return fill(call, form, {toNumber(dst), Side::Unified, pitch, 0}, {width * elementBytes, height, 1}, value,
                elementBytes, toNumber(stream));
  });
}

hipError_t hipMemset(void *dst, int value, size_t bytes) {
  return fillRows(__func__, Form::Synchronous, dst, 0, value & 0xFF, 1, bytes, 1, defaultStream);
}
hipError_t hipMemsetAsync(void *dst, int value, size_t bytes, hipStream_t stream) {
  return fillRows(__func__, Form::Asynchronous, dst, 0, value & 0xFF, 1, bytes, 1, stream);
}
hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
  return fillRows(__func__, Form::Synchronous, dst, pitch, value & 0xFF, 1, width, height, defaultStream);
}
hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fillRows(__func__, Form::Asynchronous, dst, pitch, value & 0xFF, 1, width, height, stream);
}

static hipError_t fill3D(const char *name, Form form, const hipPitchedPtr &dst, int value, const hipExtent &extent,
                         hipStream_t stream) {
  return run(name, [&](Call &call) {
    Region region{toNumber(dst.ptr), Side::Unified, dst.pitch, dst.pitch * dst.ysize};
    return fill(call, form, region, {extent.width, extent.height, extent.depth}, value & 0xFF, 1, toNumber(stream));
  });
}

hipError_t hipMemset3D(hipPitchedPtr dst, int value, hipExtent extent) {
  return fill3D(__func__, Form::Synchronous, dst, value, extent, defaultStream);
}
hipError_t hipMemset3DAsync(hipPitchedPtr dst, int value, hipExtent extent, hipStream_t stream) {
  return fill3D(__func__, Form::Asynchronous, dst, value, extent, stream);
}

#define LOCKSTEP_FILL(bits, type)                                                                                      \
  hipError_t hipMemsetD##bits(hipDeviceptr_t dst, type value, size_t count) {                                          \
    return fillRows(__func__, Form::Synchronous, dst, 0, value, bits / 8, count, 1, defaultStream);                    \
  }                                                                                                                    \
  hipError_t hipMemsetD##bits##Async(hipDeviceptr_t dst, type value, size_t count, hipStream_t stream) {               \
    return fillRows(__func__, Form::Asynchronous, dst, 0, value, bits / 8, count, 1, stream);                          \
  }
LOCKSTEP_FILL(8, unsigned char)
LOCKSTEP_FILL(16, unsigned short)
LOCKSTEP_FILL(32, int)
#undef LOCKSTEP_FILL

} // namespace lockstep::simgpu::hip
