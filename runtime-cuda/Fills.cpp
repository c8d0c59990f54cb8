// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Fills.h"

using namespace lockstep::cuda;

/// `count` elements of 8 bytes, their starts `pitchBytes` apart.
static bool fillWideColumn(ApiCall &call, CUstream stream, CUdeviceptr destination, uint64_t value, size_t pitchBytes,
                           size_t count) {
  size_t width = 1;
  return call.invoke(call.driver().cuMemsetD2D32Async, destination, pitchBytes, static_cast<unsigned>(value), width,
                     count, stream) &&
         call.invoke(call.driver().cuMemsetD2D32Async, destination + 4, pitchBytes, static_cast<unsigned>(value >> 32),
                     width, count, stream);
}

bool lockstep::cuda::fillRow(ApiCall &call, CUstream stream, CUdeviceptr destination, int64_t elementBytes,
                             uint64_t value, size_t count) {
  const Driver &driver = call.driver();
  switch (elementBytes) {
  case 1:
    return call.invoke(driver.cuMemsetD8Async, destination, static_cast<unsigned char>(value), count, stream);
  case 2:
    return call.invoke(driver.cuMemsetD16Async, destination, static_cast<unsigned short>(value), count, stream);
  case 4:
    return call.invoke(driver.cuMemsetD32Async, destination, static_cast<unsigned>(value), count, stream);
  case 8:
    // Equal halves, zero above all, need but one fill.
    if (static_cast<uint32_t>(value) == value >> 32)
      return call.invoke(driver.cuMemsetD32Async, destination, static_cast<unsigned>(value), 2 * count, stream);
    return fillWideColumn(call, stream, destination, value, 8, count);
  }
  call.refuse(kMgpuStatusInvalidValue,
              "cannot fill elements of " + std::to_string(elementBytes) + " bytes, only of 1, 2, 4 and 8");
  return false;
}

bool lockstep::cuda::fillRows(ApiCall &call, CUstream stream, CUdeviceptr destination, int64_t elementBytes,
                              uint64_t value, size_t count, size_t pitchBytes, size_t height) {
  const Driver &driver = call.driver();
  switch (elementBytes) {
  case 1:
    return call.invoke(driver.cuMemsetD2D8Async, destination, pitchBytes, static_cast<unsigned char>(value), count,
                       height, stream);
  case 2:
    return call.invoke(driver.cuMemsetD2D16Async, destination, pitchBytes, static_cast<unsigned short>(value), count,
                       height, stream);
  case 4:
    return call.invoke(driver.cuMemsetD2D32Async, destination, pitchBytes, static_cast<unsigned>(value), count, height,
                       stream);
  }
  if (elementBytes == 8 && count == 1)
    return fillWideColumn(call, stream, destination, value, pitchBytes, height);
  for (size_t row = 0; row < height; ++row)
    if (!fillRow(call, stream, destination + row * pitchBytes, elementBytes, value, count))
      return false;
  return true;
}
