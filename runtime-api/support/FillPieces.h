// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a fill into pieces that a driver has: elements of 1, 2 or 4 bytes, in rows at a pitch (rule ABI-8). No driver
// fills 8-byte elements: they are two columns of 4-byte ones, with the element's size as pitch.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_FILLPIECES_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_FILLPIECES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::runtime {

/// `height` rows of `width` elements; `pitchBytes` from row to row, of no meaning where height is 1.
struct FillPiece {
  uint64_t destination = 0;
  uint32_t elementBytes = 0; ///< 1, 2 or 4.
  uint32_t value = 0;
  size_t width = 0;
  size_t height = 1;
  size_t pitchBytes = 0;

  bool operator==(const FillPiece &) const = default;
};

/// Whether elements of `elementBytes` can be filled: 1, 2, 4, 8.
inline bool canFill(int64_t elementBytes) {
  return elementBytes == 1 || elementBytes == 2 || elementBytes == 4 || elementBytes == 8;
}

/// Appends the pieces that fill `height` > 0 rows of `width` > 0 elements with the low bytes of `value`. canFill() must
/// hold.
void appendFillPieces(std::vector<FillPiece> &pieces, uint64_t destination, int64_t elementBytes, uint64_t value,
                      size_t width, size_t height, size_t pitchBytes);

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_FILLPIECES_H
