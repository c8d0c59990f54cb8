// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Fills.h"

using namespace lockstep::hip;
using lockstep::runtime::FillPiece;

static bool fillRow(ApiCall &call, hipStream_t stream, const FillPiece &piece) {
  const Driver &driver = call.driver();
  hipDeviceptr_t destination = piece.destination;
  switch (piece.elementBytes) {
  case 1:
    return call.invoke(driver.hipMemsetD8Async, destination, static_cast<unsigned char>(piece.value), piece.width,
                       stream);
  case 2:
    return call.invoke(driver.hipMemsetD16Async, destination, static_cast<unsigned short>(piece.value), piece.width,
                       stream);
  default:
    return call.invoke(driver.hipMemsetD32Async, destination, static_cast<int>(piece.value), piece.width, stream);
  }
}

/// HIP fills rectangles with bytes only; wider elements take a call a row.
static bool fillRows(ApiCall &call, hipStream_t stream, const FillPiece &piece) {
  if (piece.elementBytes == 1)
    return call.invoke(call.driver().hipMemset2DAsync, piece.destination, piece.pitchBytes,
                       static_cast<int>(piece.value & 0xff), piece.width, piece.height, stream);
  FillPiece row = piece;
  for (size_t index = 0; index < piece.height; ++index, row.destination += piece.pitchBytes)
    if (!fillRow(call, stream, row))
      return false;
  return true;
}

bool lockstep::hip::fill(ApiCall &call, hipStream_t stream, const std::vector<FillPiece> &pieces) {
  for (const FillPiece &piece : pieces)
    if (!(piece.height > 1 ? fillRows(call, stream, piece) : fillRow(call, stream, piece)))
      return false;
  return true;
}
