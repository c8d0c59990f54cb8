// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/ByteAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdlib>

using namespace lockstep::harness;

using Dimension = ByteAccess::Dimension;

ByteAccess lockstep::harness::makeByteAccess(int64_t rank, const MgpuMemRef &memref, int64_t elementBytes,
                                             int32_t access) {
  ByteAccess result;
  result.access = access;
  int64_t first = memref.offset * elementBytes;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = memref.shape[i], stride = memref.shape[rank + i] * elementBytes;
    if (size == 0)
      return result;
    // From the other end, the stride is positive. One that is zero repeats the same bytes.
    if (stride < 0)
      first += (size - 1) * stride;
    if (size > 1 && stride != 0)
      result.dimensions.push_back({static_cast<uint64_t>(size), static_cast<uint64_t>(std::abs(stride))});
  }
  llvm::sort(result.dimensions, [](Dimension a, Dimension b) { return a.strideBytes > b.strideBytes; });
  result.runBytes = elementBytes;
  while (!result.dimensions.empty() && result.dimensions.back().strideBytes <= result.runBytes) {
    Dimension inner = result.dimensions.pop_back_val();
    result.runBytes += (inner.count - 1) * inner.strideBytes;
  }
  result.begin = reinterpret_cast<uintptr_t>(memref.aligned) + first;
  result.end = result.begin + result.runBytes;
  for (Dimension dimension : result.dimensions)
    result.end += (dimension.count - 1) * dimension.strideBytes;
  return result;
}

ByteAccess lockstep::harness::makeElementAccess(int64_t rank, const MgpuMemRef &memref, int64_t elementBytes,
                                                int32_t access, const int64_t *indices) {
  ByteAccess result;
  result.access = access;
  int64_t element = memref.offset;
  for (int64_t i = 0; i < rank; ++i) {
    if (indices[i] >= memref.shape[i])
      return result;
    element += indices[i] * memref.shape[rank + i];
  }
  result.begin = reinterpret_cast<uintptr_t>(memref.aligned) + element * elementBytes;
  result.end = result.begin + elementBytes;
  result.runBytes = elementBytes;
  return result;
}

static uint64_t pieceCount(const ByteAccess &access) {
  uint64_t count = 1;
  for (Dimension dimension : access.dimensions)
    count *= dimension.count;
  return count;
}

/// Calls `visit` with the begin of each piece until it gives true; gives whether it did.
static bool anyPiece(uint64_t begin, llvm::ArrayRef<Dimension> dimensions, llvm::function_ref<bool(uint64_t)> visit) {
  if (dimensions.empty())
    return visit(begin);
  for (uint64_t i = 0; i < dimensions.front().count; ++i)
    if (anyPiece(begin + i * dimensions.front().strideBytes, dimensions.drop_front(), visit))
      return true;
  return false;
}

/// Whether one of the pieces, of which the first begins at `first`, has a byte from `begin` to before `end`.
static bool touches(uint64_t first, uint64_t runBytes, llvm::ArrayRef<Dimension> dimensions, uint64_t begin,
                    uint64_t end) {
  uint64_t length = runBytes;
  for (Dimension dimension : dimensions)
    length += (dimension.count - 1) * dimension.strideBytes;
  if (end <= first || first + length <= begin)
    return false;
  if (dimensions.empty())
    return true;
  auto [count, stride] = dimensions.front();
  uint64_t inner = length - (count - 1) * stride;
  // The first repetition that does not end before `begin`, and those up to `end`.
  uint64_t i = begin < first + inner ? 0 : (begin - first - inner) / stride + 1;
  for (; i < count && first + i * stride < end; ++i)
    if (touches(first + i * stride, runBytes, dimensions.drop_front(), begin, end))
      return true;
  return false;
}

bool lockstep::harness::overlap(const ByteAccess &a, const ByteAccess &b) {
  if (a.allocation != b.allocation || a.isEmpty() || b.isEmpty() || a.end <= b.begin || b.end <= a.begin)
    return false;
  const bool isFewer = pieceCount(a) <= pieceCount(b);
  const ByteAccess &fewer = isFewer ? a : b, &other = isFewer ? b : a;
  return anyPiece(fewer.begin, fewer.dimensions, [&](uint64_t begin) {
    return touches(other.begin, other.runBytes, other.dimensions, begin, begin + fewer.runBytes);
  });
}

bool lockstep::harness::conflict(const ByteAccess &a, const ByteAccess &b) {
  return (a.isWrite() || b.isWrite()) && overlap(a, b);
}
