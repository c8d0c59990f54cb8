// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Slices.h"

#include <numeric>

using namespace lockstep::scenario;

static uint64_t lastWord(const Slice &slice) { return slice.offset + (slice.words - 1) * slice.stride; }

/// Whether the slice has the word at `position`.
static bool contains(const Slice &slice, uint64_t position) {
  return position >= slice.offset && position <= lastWord(slice) && (position - slice.offset) % slice.stride == 0;
}

bool lockstep::scenario::mayOverlap(const Slice &a, const Slice &b) {
  if (a.buffer != b.buffer || a.words == 0 || b.words == 0)
    return false;
  if (a.offsetPerIteration != 0 || b.offsetPerIteration != 0)
    return true;
  if (lastWord(a) < b.offset || lastWord(b) < a.offset)
    return false;
  // Common words are a period of lcm apart; if there is one at all, it is within one such period from the later start.
  uint64_t period = std::lcm(a.stride, b.stride);
  const Slice &later = a.offset >= b.offset ? a : b;
  const Slice &earlier = &later == &a ? b : a;
  for (uint64_t i = 0; i < period / later.stride && i < later.words; ++i)
    if (contains(earlier, later.offset + i * later.stride))
      return true;
  return false;
}

bool lockstep::scenario::covers(const Slice &outer, const Slice &inner) {
  if (outer == inner)
    return outer.offsetPerIteration == 0;
  if (outer.buffer != inner.buffer || outer.offsetPerIteration != 0 || inner.offsetPerIteration != 0)
    return false;
  if (inner.words == 0)
    return true;
  return outer.words != 0 && contains(outer, inner.offset) && lastWord(inner) <= lastWord(outer) &&
         inner.stride % outer.stride == 0;
}
