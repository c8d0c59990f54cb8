// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_WARPOPERATION_H
#define LOCKSTEP_SIMGPU_JIT_WARPOPERATION_H

#include <cstdint>

namespace lockstep::simgpu::jit {

/// Operations that lanes of a warp do together. The numbers are written into compiled code.
enum class WarpOperation : uint32_t {
  sync,
  shuffleUp,
  shuffleDown,
  shuffleXor,
  shuffleIndex,
  voteAll,
  voteAny,
  voteUniform,
  ballot,
  matchAny,
  matchAll,
  reduceAdd,
  reduceMin,
  reduceMax,
  reduceUnsignedMin,
  reduceUnsignedMax,
  reduceAnd,
  reduceOr,
  reduceXor,
  reduceFloatMin,
  reduceFloatMax,
  elect,
  // Without mask, of AMD's targets; `lane` is the lane to read from or, for pushes, to write to.
  read,      ///< A lane that does not take part gives 0.
  push,      ///< A lane that nobody writes to gets 0; of several that write the highest wins.
  readFirst, ///< From the first that takes part.
  readLane,  ///< All name one lane, which takes part; otherwise the value is undefined.
};

const char *warpOperationName(WarpOperation operation);

/// What one lane brings: a value, and for shuffles the lane operand and the clamp and segment mask, packed as PTX does.
struct LaneOperands {
  uint64_t value;
  uint32_t lane;
  uint32_t clamp;
};

/// What a lane gets where the rules leave the value undefined: one that stands out, in each half.
constexpr uint32_t undefinedLaneValue = 0xBADC0DE5;
constexpr uint64_t undefinedWideLaneValue = uint64_t(undefinedLaneValue) << 32 | undefinedLaneValue;

/// The predicate of shfl.sync, match.all and elect stands above the 32 bits of the value.
constexpr uint64_t warpPredicateBit = uint64_t(1) << 32;

/// Computes the result of every lane in `present` (the lanes that take part). Pure.
void computeWarpOperation(WarpOperation operation, uint64_t present, const LaneOperands *operands, uint64_t *results);

} // namespace lockstep::simgpu::jit

#endif
