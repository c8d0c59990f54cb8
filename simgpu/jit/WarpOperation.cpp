// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/WarpOperation.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep::simgpu::jit {

namespace {

template <typename Visit> void forEachLane(uint64_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    visit(unsigned(llvm::countr_zero(lanes)));
}

/// The PTX rule for shfl: the clamp operand holds the bound in bits 0 to 4 and the segment mask in bits 8 to 12.
uint64_t shuffle(WarpOperation operation, uint64_t present, const LaneOperands *operands, int lane) {
  int distance = operands[lane].lane & 31;
  int segment = (operands[lane].clamp >> 8) & 31;
  int bound = (lane & segment) | (operands[lane].clamp & 31 & ~segment);
  int from = 0;
  bool inside = false;
  switch (operation) {
  case WarpOperation::shuffleUp:
    from = lane - distance;
    inside = from >= bound;
    break;
  case WarpOperation::shuffleDown:
    from = lane + distance;
    inside = from <= bound;
    break;
  case WarpOperation::shuffleXor:
    from = lane ^ distance;
    inside = from <= bound;
    break;
  default:
    from = (lane & segment) | (distance & ~segment);
    inside = from <= bound;
    break;
  }
  if (!inside)
    from = lane;
  uint64_t value = (present >> from) & 1 ? uint32_t(operands[from].value) : undefinedLaneValue;
  return value | (inside ? warpPredicateBit : 0);
}

uint64_t lanesWithTrue(uint64_t present, const LaneOperands *operands) {
  uint64_t lanes = 0;
  forEachLane(present, [&](unsigned lane) { lanes |= uint64_t(operands[lane].value != 0) << lane; });
  return lanes;
}

uint64_t lanesEqualTo(uint64_t value, uint64_t present, const LaneOperands *operands) {
  uint64_t lanes = 0;
  forEachLane(present, [&](unsigned lane) { lanes |= uint64_t(operands[lane].value == value) << lane; });
  return lanes;
}

uint32_t combine(WarpOperation operation, uint32_t a, uint32_t b) {
  auto number = [](uint32_t bits) { return std::bit_cast<float>(bits); };
  switch (operation) {
  case WarpOperation::reduceAdd:
    return a + b;
  case WarpOperation::reduceMin:
    return std::min(int32_t(a), int32_t(b));
  case WarpOperation::reduceMax:
    return std::max(int32_t(a), int32_t(b));
  case WarpOperation::reduceUnsignedMin:
    return std::min(a, b);
  case WarpOperation::reduceUnsignedMax:
    return std::max(a, b);
  case WarpOperation::reduceAnd:
    return a & b;
  case WarpOperation::reduceOr:
    return a | b;
  case WarpOperation::reduceXor:
    return a ^ b;
  case WarpOperation::reduceFloatMin:
    return std::bit_cast<uint32_t>(std::fmin(number(a), number(b)));
  default:
    return std::bit_cast<uint32_t>(std::fmax(number(a), number(b)));
  }
}

uint64_t reduce(WarpOperation operation, uint64_t present, const LaneOperands *operands) {
  uint32_t result = uint32_t(operands[llvm::countr_zero(present)].value);
  forEachLane(present & (present - 1),
              [&](unsigned lane) { result = combine(operation, result, uint32_t(operands[lane].value)); });
  return result;
}

uint64_t readLane(uint64_t present, const LaneOperands *operands) {
  uint32_t from = operands[llvm::countr_zero(present)].lane;
  bool isDefined = (present >> from) & 1;
  forEachLane(present, [&](unsigned lane) { isDefined &= operands[lane].lane == from; });
  return isDefined ? operands[from].value : undefinedWideLaneValue;
}

uint64_t uniformResult(WarpOperation operation, uint64_t present, const LaneOperands *operands) {
  uint64_t truths = lanesWithTrue(present, operands);
  switch (operation) {
  case WarpOperation::sync:
    return 0;
  case WarpOperation::voteAll:
    return truths == present;
  case WarpOperation::voteAny:
    return truths != 0;
  case WarpOperation::voteUniform:
    return truths == present || truths == 0;
  case WarpOperation::ballot:
    return truths;
  case WarpOperation::matchAll:
    return lanesEqualTo(operands[llvm::countr_zero(present)].value, present, operands) == present
               ? present | warpPredicateBit
               : 0;
  case WarpOperation::readFirst:
    return operands[llvm::countr_zero(present)].value;
  case WarpOperation::readLane:
    return readLane(present, operands);
  default:
    return reduce(operation, present, operands);
  }
}

} // namespace

const char *warpOperationName(WarpOperation operation) {
  switch (operation) {
  case WarpOperation::sync:
    return "bar.warp.sync";
  case WarpOperation::shuffleUp:
    return "shfl.sync.up";
  case WarpOperation::shuffleDown:
    return "shfl.sync.down";
  case WarpOperation::shuffleXor:
    return "shfl.sync.bfly";
  case WarpOperation::shuffleIndex:
    return "shfl.sync.idx";
  case WarpOperation::voteAll:
  case WarpOperation::voteAny:
  case WarpOperation::voteUniform:
  case WarpOperation::ballot:
    return "vote.sync";
  case WarpOperation::matchAny:
  case WarpOperation::matchAll:
    return "match.sync";
  case WarpOperation::elect:
    return "elect.sync";
  case WarpOperation::read:
    return "a read of another lane";
  case WarpOperation::push:
    return "ds_permute";
  case WarpOperation::readFirst:
    return "readfirstlane";
  case WarpOperation::readLane:
    return "readlane";
  default:
    return "redux.sync";
  }
}

void computeWarpOperation(WarpOperation operation, uint64_t present, const LaneOperands *operands, uint64_t *results) {
  switch (operation) {
  case WarpOperation::shuffleUp:
  case WarpOperation::shuffleDown:
  case WarpOperation::shuffleXor:
  case WarpOperation::shuffleIndex:
    return forEachLane(present,
                       [&](unsigned lane) { results[lane] = shuffle(operation, present, operands, int(lane)); });
  case WarpOperation::matchAny:
    return forEachLane(present,
                       [&](unsigned lane) { results[lane] = lanesEqualTo(operands[lane].value, present, operands); });
  case WarpOperation::read:
    return forEachLane(present, [&](unsigned lane) {
      uint32_t from = operands[lane].lane;
      results[lane] = (present >> from) & 1 ? operands[from].value : 0;
    });
  case WarpOperation::push:
    forEachLane(present, [&](unsigned lane) { results[lane] = 0; });
    return forEachLane(present, [&](unsigned lane) { results[operands[lane].lane] = operands[lane].value; });
  case WarpOperation::elect: {
    // Which lane leads is not said, only that it is the same one each time: so not the first.
    unsigned leader = 63 - llvm::countl_zero(present);
    return forEachLane(present,
                       [&](unsigned lane) { results[lane] = leader | (lane == leader ? warpPredicateBit : 0); });
  }
  default:
    uint64_t result = uniformResult(operation, present, operands);
    return forEachLane(present, [&](unsigned lane) { results[lane] = result; });
  }
}

} // namespace lockstep::simgpu::jit
