// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a strided copy or fill of any rank into the few rectangles that a driver can do in one call (rule ABI-8). Knows
// no driver: a backend turns each rectangle into its own calls.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_STRIDED_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_STRIDED_H

#include "runtime-api/Mgpu.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::runtime {

/// The two sides of a copy. A fill passes its destination as both.
enum Side : int { kDestination = 0, kSource = 1 };

/// One dimension; strides in bytes, one for each side.
struct StridedDimension {
  int64_t size = 1;
  int64_t strides[2] = {0, 0};
};

/// Bytes [lower, upper) that a side touches, relative to the address of its element (0, …, 0).
struct ByteRange {
  int64_t lower = 0;
  int64_t upper = 0;
};

/// A copy or fill as "for each point of `loops`: depth × height rows of `rowBytes` contiguous bytes".
struct StridedPlan {
  bool isEmpty = false; ///< Some size is zero: nothing to do.
  int64_t rowBytes = 0;
  StridedDimension height; ///< Both strides are at least rowBytes where size > 1.
  StridedDimension depth;  ///< Both strides are multiples of height's, at least height.size of them, where size > 1.
  std::vector<StridedDimension> loops;
  int64_t offsets[2] = {0, 0}; ///< Start of the first rectangle relative to element (0, …, 0).
  ByteRange ranges[2];

  /// Calls `visit(destinationOffset, sourceOffset)` for each rectangle until it returns false; returns the last result.
  template <typename Visitor> bool forEachRectangle(Visitor visit) const {
    return isEmpty || visitLoop(0, offsets[kDestination], offsets[kSource], visit);
  }

private:
  template <typename Visitor>
  bool visitLoop(size_t depthOfLoop, int64_t destination, int64_t source, Visitor &visit) const {
    if (depthOfLoop == loops.size())
      return visit(destination, source);
    const StridedDimension &loop = loops[depthOfLoop];
    for (int64_t index = 0; index < loop.size; ++index)
      if (!visitLoop(depthOfLoop + 1, destination + index * loop.strides[kDestination],
                     source + index * loop.strides[kSource], visit))
        return false;
    return true;
  }
};

/// What one driver call can do.
struct RectangleLimits {
  int64_t pitchBytesMax = 0x7fffffff;
  bool hasDepth = true; ///< Whether a call covers depth × height, or height only.
};

/// Strides count elements, as in a memref. Dimensions that lie one after the other on both sides are merged; where both
/// sides run backwards the dimension is turned round; where one side runs backwards, or the source repeats (stride 0),
/// it becomes a loop. A fill's dimension of stride 0 is dropped, since it writes the same bytes again. Returns nothing,
/// with `error` set, for a negative rank or size, a destination of a copy with stride 0 (which value wins would depend
/// on the order), an element size below 1, and a shape whose extent does not fit 63 bits.
std::optional<StridedPlan> planStrided(int64_t rank, const int64_t *sizes, const int64_t *destinationStrides,
                                       const int64_t *sourceStrides, int64_t elementBytes,
                                       const RectangleLimits &limits, std::string &error);

/// The same for a fill.
std::optional<StridedPlan> planStridedFill(int64_t rank, const int64_t *sizes, const int64_t *strides,
                                           int64_t elementBytes, const RectangleLimits &limits, std::string &error);

/// The address of element (0, …, 0).
inline char *firstElement(const MgpuMemRef &memref, int64_t elementBytes) {
  return memref.aligned + memref.offset * elementBytes;
}

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_STRIDED_H
