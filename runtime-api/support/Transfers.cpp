// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Transfers.h"

using namespace lockstep::runtime;

static std::optional<StridedPlan> makePlan(const CopyRequest &request, std::string &error) {
  auto plan = planStrided(request.rank, request.sizes, request.destination.strides, request.source.strides,
                          request.elementBytes, RectangleLimits(), error);
  if (!plan)
    error = "cannot copy: " + error;
  return plan;
}

/// Row-major strides of the request's shape; false with `error` set where it has too many bytes.
static bool makeDense(const CopyRequest &request, std::vector<int64_t> &strides, size_t &sizeBytes,
                      std::string &error) {
  strides.resize(request.rank);
  int64_t count = 1;
  for (int64_t index = request.rank; index-- > 0;) {
    strides[index] = count;
    if (__builtin_mul_overflow(count, request.sizes[index], &count)) {
      error = "cannot copy: the number of elements does not fit 63 bits";
      return false;
    }
  }
  if (!__builtin_mul_overflow(count, request.elementBytes, &sizeBytes))
    return true;
  error = "cannot copy: the number of bytes does not fit 64 bits";
  return false;
}

std::optional<CopyPlan> lockstep::runtime::planCopy(const CopyRequest &request, std::string &error) {
  CopyPlan result;
  auto direct = makePlan(request, error);
  if (!direct)
    return std::nullopt;
  result.direct = std::move(*direct);
  const ByteRange &to = result.direct.ranges[kDestination];
  const ByteRange &from = result.direct.ranges[kSource];
  bool mayOverlap = request.destination.address + to.lower < request.source.address + from.upper &&
                    request.source.address + from.lower < request.destination.address + to.upper;
  if (result.direct.isEmpty || !mayOverlap)
    return result;
  std::vector<int64_t> strides;
  if (!makeDense(request, strides, result.stagingBytes, error))
    return std::nullopt;
  // A plan holds offsets only, so the dense memory need not exist yet.
  CopyRequest in = request, out = request;
  in.destination = {0, strides.data()};
  out.source = {0, strides.data()};
  auto inPlan = makePlan(in, error);
  auto outPlan = inPlan ? makePlan(out, error) : std::nullopt;
  if (!outPlan)
    return std::nullopt;
  result.in = std::move(*inPlan);
  result.out = std::move(*outPlan);
  return result;
}

std::optional<std::vector<FillPiece>> lockstep::runtime::planFill(const FillRequest &request, std::string &error) {
  RectangleLimits limits;
  limits.hasDepth = false;
  auto plan =
      planStridedFill(request.rank, request.sizes, request.destination.strides, request.elementBytes, limits, error);
  if (!plan) {
    error = "cannot fill: " + error;
    return std::nullopt;
  }
  std::vector<FillPiece> pieces;
  if (plan->isEmpty)
    return pieces;
  if (!canFill(request.elementBytes)) {
    error = "cannot fill elements of " + std::to_string(request.elementBytes) + " bytes, only of 1, 2, 4 and 8";
    return std::nullopt;
  }
  plan->forEachRectangle([&](int64_t offset, int64_t) {
    appendFillPieces(pieces, request.destination.address + offset, request.elementBytes, request.value,
                     plan->rowBytes / request.elementBytes, plan->height.size, plan->height.strides[kDestination]);
    return true;
  });
  return pieces;
}

/// Refuses a null descriptor and a negative rank, behind which no shape can be read.
static bool checkMemRef(const char *argument, int64_t rank, const MgpuMemRef *memref, std::string &error) {
  if (memref && rank >= 0)
    return true;
  error = std::string("argument '") + argument + "' is " + (memref ? "of rank " + std::to_string(rank) : "null");
  return false;
}

std::optional<CopyRequest> lockstep::runtime::requestCopy(int64_t destinationRank, const MgpuMemRef *destination,
                                                          int64_t sourceRank, const MgpuMemRef *source,
                                                          int64_t elementBytes, std::string &error) {
  if (!checkMemRef("destination", destinationRank, destination, error) ||
      !checkMemRef("source", sourceRank, source, error))
    return std::nullopt;
  if (destinationRank != sourceRank) {
    error = "the destination has rank " + std::to_string(destinationRank) + ", the source rank " +
            std::to_string(sourceRank);
    return std::nullopt;
  }
  for (int64_t index = 0; index < sourceRank; ++index)
    if (destination->shape[index] != source->shape[index]) {
      error = "dimension " + std::to_string(index) + " of the destination has size " +
              std::to_string(destination->shape[index]) + ", of the source " + std::to_string(source->shape[index]);
      return std::nullopt;
    }
  return CopyRequest{
      sourceRank,
      source->shape,
      {reinterpret_cast<uintptr_t>(firstElement(*destination, elementBytes)), destination->shape + sourceRank},
      {reinterpret_cast<uintptr_t>(firstElement(*source, elementBytes)), source->shape + sourceRank},
      elementBytes};
}

std::optional<FillRequest> lockstep::runtime::requestFill(int64_t rank, const MgpuMemRef *destination,
                                                          int64_t elementBytes, uint64_t value, std::string &error) {
  if (!checkMemRef("destination", rank, destination, error))
    return std::nullopt;
  return FillRequest{rank,
                     destination->shape,
                     {reinterpret_cast<uintptr_t>(firstElement(*destination, elementBytes)), destination->shape + rank},
                     elementBytes,
                     value};
}
