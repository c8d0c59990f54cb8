// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program calls that convert-agpu-to-serial lowered with trace-chains, to say which order its chains ask for:
// one lockstepTraceOp for each operation each time that the host reaches it, then what belongs to that operation. Not
// part of the backends: whoever runs the program defines the functions. C ABI. They block on nothing; everything is
// borrowed for the call. "The last operation" is the one that the same thread traced last.

#ifndef LOCKSTEP_RUNTIME_API_TRACE_H
#define LOCKSTEP_RUNTIME_API_TRACE_H

#include "runtime-api/Mgpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum LockstepTraceKind {
  kLockstepTraceWork = 0, ///< Gives the device something to do.
  kLockstepTraceJoin = 1, ///< Only order.
  kLockstepTraceWait = 2, ///< The host goes on when what it comes after is complete.
};

enum LockstepTraceAccess {
  kLockstepTraceReads = 1,
  kLockstepTraceWrites = 2,
  kLockstepTraceAllocates = 4,
  kLockstepTraceFrees = 8,
};

enum LockstepTraceHostWait {
  /// The host goes on when the operation is complete, and may look at what it did.
  kLockstepTraceObserved = 0,
  /// Nothing but further device operations follows at once: whether the host waits before them cannot be told.
  kLockstepTraceUnobserved = 1,
};

/// An operation begins. `name` is what mgpuSetOp gets for it; `kind` is a LockstepTraceKind. Gives its chain, which is
/// never null: null is a chain that is complete.
void *lockstepTraceOp(const char *name, int32_t kind);

/// The last operation comes after `chain`; null says nothing.
void lockstepTraceAfter(void *chain);

/// The last operation accesses the elements of a memref; `access` is made of LockstepTraceAccess. For an allocation
/// the memref is the one that it gave, and the call comes after it.
void lockstepTraceAccess(int64_t rank, MgpuMemRef *memref, int64_t element_bytes, int32_t access);

/// The last operation certainly accesses the element of a memref at `indices`, one for each dimension. One that is out
/// of bounds does not count.
void lockstepTraceElement(int64_t rank, MgpuMemRef *memref, int64_t element_bytes, int32_t access,
                          const int64_t *indices);

/// The last operation is synchronous; `wait` is a LockstepTraceHostWait.
void lockstepTraceHostWait(int32_t wait);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // LOCKSTEP_RUNTIME_API_TRACE_H
