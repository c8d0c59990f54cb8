// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Strided.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

using namespace lockstep::runtime;

static std::string describeDimension(int64_t index, const char *what, int64_t value) {
  return "dimension " + std::to_string(index) + " has " + what + " " + std::to_string(value);
}

/// Reads the shape into byte strides, without the dimensions of size 1. Returns false with `error` set for a bad shape.
static bool readDimensions(int64_t rank, const int64_t *sizes, const int64_t *destinationStrides,
                           const int64_t *sourceStrides, int64_t elementBytes, bool isFill,
                           std::vector<StridedDimension> &dimensions, bool &isEmpty, std::string &error) {
  if (rank < 0 || elementBytes < 1) {
    error = rank < 0 ? "rank is " + std::to_string(rank) : "element size is " + std::to_string(elementBytes) + " bytes";
    return false;
  }
  for (int64_t index = 0; index < rank; ++index) {
    if (sizes[index] < 0) {
      error = describeDimension(index, "size", sizes[index]);
      return false;
    }
    isEmpty |= sizes[index] == 0;
  }
  for (int64_t index = 0; index < rank && !isEmpty; ++index) {
    if (sizes[index] == 1)
      continue;
    if (destinationStrides[index] == 0 && isFill)
      continue;
    if (destinationStrides[index] == 0) {
      error = describeDimension(index, "destination stride", 0) + ", so that its elements overwrite each other";
      return false;
    }
    StridedDimension dimension{sizes[index], {0, 0}};
    if (__builtin_mul_overflow(destinationStrides[index], elementBytes, &dimension.strides[kDestination]) ||
        __builtin_mul_overflow(sourceStrides[index], elementBytes, &dimension.strides[kSource])) {
      error = describeDimension(index, "a stride that does not fit 63 bits:", destinationStrides[index]);
      return false;
    }
    dimensions.push_back(dimension);
  }
  return true;
}

/// The bytes that each side touches. Returns false where they do not fit 63 bits.
static bool computeRanges(const std::vector<StridedDimension> &dimensions, int64_t elementBytes, ByteRange *ranges) {
  for (int side : {kDestination, kSource}) {
    ranges[side] = {0, elementBytes};
    for (const StridedDimension &dimension : dimensions) {
      int64_t reach;
      if (__builtin_mul_overflow(dimension.size - 1, dimension.strides[side], &reach))
        return false;
      int64_t &bound = reach < 0 ? ranges[side].lower : ranges[side].upper;
      if (__builtin_add_overflow(bound, reach, &bound))
        return false;
    }
  }
  return true;
}

/// Turns round the dimensions in which no side runs forwards.
static void flipBackwardDimensions(std::vector<StridedDimension> &dimensions, int64_t *offsets) {
  for (StridedDimension &dimension : dimensions) {
    bool someForward = dimension.strides[kDestination] > 0 || dimension.strides[kSource] > 0;
    if (someForward)
      continue;
    for (int side : {kDestination, kSource}) {
      offsets[side] += (dimension.size - 1) * dimension.strides[side];
      dimension.strides[side] = -dimension.strides[side];
    }
  }
}

/// Orders the dimensions from the widest destination stride to the narrowest, and merges neighbours that lie one after
/// the other on both sides.
static void mergeDimensions(std::vector<StridedDimension> &dimensions) {
  std::sort(dimensions.begin(), dimensions.end(), [](const StridedDimension &a, const StridedDimension &b) {
    auto key = [](const StridedDimension &dimension) {
      return std::tuple(std::abs(dimension.strides[kDestination]), std::abs(dimension.strides[kSource]),
                        dimension.size);
    };
    return key(a) > key(b);
  });
  std::vector<StridedDimension> merged;
  for (const StridedDimension &inner : dimensions) {
    bool continues = !merged.empty();
    for (int side : {kDestination, kSource})
      continues = continues && merged.back().strides[side] == inner.size * inner.strides[side];
    if (!continues) {
      merged.push_back(inner);
      continue;
    }
    merged.back() = {merged.back().size * inner.size, {inner.strides[kDestination], inner.strides[kSource]}};
  }
  dimensions = std::move(merged);
}

/// Removes and returns the largest dimension that `fits`; a dimension of size 1 where none does.
template <typename Predicate>
static StridedDimension takeLargest(std::vector<StridedDimension> &dimensions, Predicate fits) {
  auto best = dimensions.end();
  for (auto candidate = dimensions.begin(); candidate != dimensions.end(); ++candidate)
    if (fits(*candidate) && (best == dimensions.end() || candidate->size > best->size))
      best = candidate;
  if (best == dimensions.end())
    return StridedDimension();
  StridedDimension result = *best;
  dimensions.erase(best);
  return result;
}

static void chooseRectangle(std::vector<StridedDimension> &dimensions, int64_t elementBytes,
                            const RectangleLimits &limits, StridedPlan &plan) {
  StridedDimension row = takeLargest(dimensions, [&](const StridedDimension &dimension) {
    return dimension.strides[kDestination] == elementBytes && dimension.strides[kSource] == elementBytes;
  });
  plan.rowBytes = row.size * elementBytes;
  plan.height = takeLargest(dimensions, [&](const StridedDimension &dimension) {
    for (int64_t stride : dimension.strides)
      if (stride < plan.rowBytes || stride > limits.pitchBytesMax)
        return false;
    return true;
  });
  if (plan.height.size > 1 && limits.hasDepth)
    plan.depth = takeLargest(dimensions, [&](const StridedDimension &dimension) {
      for (int side : {kDestination, kSource}) {
        int64_t pitch = plan.height.strides[side];
        if (dimension.strides[side] % pitch != 0 || dimension.strides[side] / pitch < plan.height.size)
          return false;
      }
      return true;
    });
  plan.loops = std::move(dimensions);
}

static std::optional<StridedPlan> makePlan(int64_t rank, const int64_t *sizes, const int64_t *destinationStrides,
                                           const int64_t *sourceStrides, int64_t elementBytes, bool isFill,
                                           const RectangleLimits &limits, std::string &error) {
  StridedPlan plan;
  std::vector<StridedDimension> dimensions;
  if (!readDimensions(rank, sizes, destinationStrides, sourceStrides, elementBytes, isFill, dimensions, plan.isEmpty,
                      error))
    return std::nullopt;
  if (plan.isEmpty)
    return plan;
  if (!computeRanges(dimensions, elementBytes, plan.ranges)) {
    error = "the extent of the shape does not fit 63 bits";
    return std::nullopt;
  }
  flipBackwardDimensions(dimensions, plan.offsets);
  mergeDimensions(dimensions);
  chooseRectangle(dimensions, elementBytes, limits, plan);
  return plan;
}

std::optional<StridedPlan> lockstep::runtime::planStrided(int64_t rank, const int64_t *sizes,
                                                          const int64_t *destinationStrides,
                                                          const int64_t *sourceStrides, int64_t elementBytes,
                                                          const RectangleLimits &limits, std::string &error) {
  return makePlan(rank, sizes, destinationStrides, sourceStrides, elementBytes, /*isFill=*/false, limits, error);
}

std::optional<StridedPlan> lockstep::runtime::planStridedFill(int64_t rank, const int64_t *sizes,
                                                              const int64_t *strides, int64_t elementBytes,
                                                              const RectangleLimits &limits, std::string &error) {
  return makePlan(rank, sizes, strides, strides, elementBytes, /*isFill=*/true, limits, error);
}
