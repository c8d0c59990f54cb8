// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Fills.h"

using namespace lockstep::cuda;
using lockstep::runtime::FillPiece;

static bool fillRow(ApiCall &call, CUstream stream, const FillPiece &piece) {
  const Driver &driver = call.driver();
  CUdeviceptr destination = piece.destination;
  switch (piece.elementBytes) {
  case 1:
    return call.invoke(driver.cuMemsetD8Async, destination, static_cast<unsigned char>(piece.value), piece.width,
                       stream);
  case 2:
    return call.invoke(driver.cuMemsetD16Async, destination, static_cast<unsigned short>(piece.value), piece.width,
                       stream);
  default:
    return call.invoke(driver.cuMemsetD32Async, destination, static_cast<unsigned>(piece.value), piece.width, stream);
  }
}

static bool fillRows(ApiCall &call, CUstream stream, const FillPiece &piece) {
  const Driver &driver = call.driver();
  CUdeviceptr destination = piece.destination;
  switch (piece.elementBytes) {
  case 1:
    return call.invoke(driver.cuMemsetD2D8Async, destination, piece.pitchBytes, static_cast<unsigned char>(piece.value),
                       piece.width, piece.height, stream);
  case 2:
    return call.invoke(driver.cuMemsetD2D16Async, destination, piece.pitchBytes,
                       static_cast<unsigned short>(piece.value), piece.width, piece.height, stream);
  default:
    return call.invoke(driver.cuMemsetD2D32Async, destination, piece.pitchBytes, static_cast<unsigned>(piece.value),
                       piece.width, piece.height, stream);
  }
}

bool lockstep::cuda::fill(ApiCall &call, CUstream stream, const std::vector<FillPiece> &pieces) {
  for (const FillPiece &piece : pieces)
    if (!(piece.height > 1 ? fillRows(call, stream, piece) : fillRow(call, stream, piece)))
      return false;
  return true;
}
