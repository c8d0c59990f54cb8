// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/FillPieces.h"

using namespace lockstep::runtime;

/// The low `elementBytes` bytes.
static uint32_t truncate(uint64_t value, int64_t elementBytes) {
  return static_cast<uint32_t>(elementBytes < 4 ? value & ((uint64_t(1) << 8 * elementBytes) - 1) : value);
}

/// `count` elements of 8 bytes, one in `pitchBytes`, as a column of low and one of high halves.
static void appendWideColumn(std::vector<FillPiece> &pieces, uint64_t destination, uint64_t value, size_t count,
                             size_t pitchBytes) {
  size_t pitch = count > 1 ? pitchBytes : 0;
  pieces.push_back({destination, 4, truncate(value, 4), 1, count, pitch});
  pieces.push_back({destination + 4, 4, truncate(value >> 32, 4), 1, count, pitch});
}

void lockstep::runtime::appendFillPieces(std::vector<FillPiece> &pieces, uint64_t destination, int64_t elementBytes,
                                         uint64_t value, size_t width, size_t height, size_t pitchBytes) {
  if (elementBytes != 8) {
    pieces.push_back({destination, static_cast<uint32_t>(elementBytes), truncate(value, elementBytes), width, height,
                      height > 1 ? pitchBytes : 0});
    return;
  }
  if (width == 1 && height > 1)
    return appendWideColumn(pieces, destination, value, height, pitchBytes);
  // Equal halves, zero above all, need but one fill.
  bool hasEqualHalves = truncate(value, 4) == truncate(value >> 32, 4);
  for (size_t row = 0; row < height; ++row) {
    uint64_t start = destination + row * pitchBytes;
    if (hasEqualHalves)
      pieces.push_back({start, 4, truncate(value, 4), 2 * width, 1, 0});
    else
      appendWideColumn(pieces, start, value, width, 8);
  }
}
