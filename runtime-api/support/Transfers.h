// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a strided copy or fill asks for, and the driver's work that it comes to (rule ABI-8), for streams and graphs
// alike.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_TRANSFERS_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_TRANSFERS_H

#include "runtime-api/support/FillPieces.h"
#include "runtime-api/support/Strided.h"

namespace lockstep::runtime {

/// A view of memory: strides count elements.
struct View {
  uint64_t address = 0;
  const int64_t *strides = nullptr;
};

struct CopyRequest {
  int64_t rank = 0;
  const int64_t *sizes = nullptr;
  View destination;
  View source;
  int64_t elementBytes = 0;
};

struct FillRequest {
  int64_t rank = 0;
  const int64_t *sizes = nullptr;
  View destination;
  int64_t elementBytes = 0;
  uint64_t value = 0;
};

/// A copy is one plan, or two by way of dense memory in between where the byte ranges of the views overlap, so that no
/// element is overwritten before it is read. Views that interleave without a common byte count as overlapping: telling
/// them apart is not worth it.
struct CopyPlan {
  StridedPlan direct;
  size_t stagingBytes = 0; ///< 0 where `direct` does it all; else `direct` is of no meaning.
  StridedPlan in;          ///< From the source to the dense memory.
  StridedPlan out;         ///< From the dense memory to the destination.
};

/// These return nothing with `error` set, a text for a person, for a request that cannot be met. Pointers of a request
/// must outlive what is made of it; those made from memrefs point into the memrefs.
std::optional<CopyPlan> planCopy(const CopyRequest &request, std::string &error);
std::optional<std::vector<FillPiece>> planFill(const FillRequest &request, std::string &error);
std::optional<CopyRequest> requestCopy(int64_t destinationRank, const MgpuMemRef *destination, int64_t sourceRank,
                                       const MgpuMemRef *source, int64_t elementBytes, std::string &error);
std::optional<FillRequest> requestFill(int64_t rank, const MgpuMemRef *destination, int64_t elementBytes,
                                       uint64_t value, std::string &error);

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_TRANSFERS_H
