// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes an operation accesses: the elements of a memref, whose gaps do not count.

#ifndef LOCKSTEP_HARNESS_ORDER_BYTEACCESS_H
#define LOCKSTEP_HARNESS_ORDER_BYTEACCESS_H

#include "runtime-api/Trace.h"

#include "llvm/ADT/SmallVector.h"

namespace lockstep::harness {

struct ByteAccess {
  struct Dimension {
    uint64_t count;       ///< At least 2.
    uint64_t strideBytes; ///< Larger than a piece.
  };

  uint64_t begin = 0;                              ///< Of the first byte.
  uint64_t end = 0;                                ///< Behind the last one; equal to `begin` where nothing is accessed.
  uint64_t runBytes = 0;                           ///< Length of each piece without gaps.
  llvm::SmallVector<Dimension, 1> dimensions = {}; ///< How the pieces repeat, from the outermost.
  int32_t access = 0;                              ///< Of LockstepTraceAccess.
  uint32_t allocation = 0; ///< Which memory, as an address may be used again; 0: not from a traced allocation.

  bool isWrite() const { return (access & ~kLockstepTraceReads) != 0; }
  bool isEmpty() const { return begin == end; }
  /// Whether all bytes between begin and end are accessed.
  bool isContiguous() const { return dimensions.empty(); }
};

/// The elements of a memref of `rank` dimensions.
ByteAccess makeByteAccess(int64_t rank, const MgpuMemRef &memref, int64_t elementBytes, int32_t access);

/// The element at these indices; nothing where it is out of bounds.
ByteAccess makeElementAccess(int64_t rank, const MgpuMemRef &memref, int64_t elementBytes, int32_t access,
                             const int64_t *indices);

/// Whether the two have a byte in common. Takes time in the number of pieces of the one that has fewer.
bool overlap(const ByteAccess &a, const ByteAccess &b);

/// Whether they have a byte in common that one of them writes.
bool conflict(const ByteAccess &a, const ByteAccess &b);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_BYTEACCESS_H
