// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lowered agpu.expect calls. Not part of the backends: whoever runs the program defines the function. C ABI.

#ifndef LOCKSTEP_RUNTIME_API_EXPECT_H
#define LOCKSTEP_RUNTIME_API_EXPECT_H

#include "runtime-api/Mgpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum LockstepElementKind {
  kLockstepElementInteger = 0, ///< Signless integer of `element_bits`; i1 takes one byte.
  kLockstepElementFloat = 1,   ///< IEEE float of 16, 32 or 64 bits.
  kLockstepElementBFloat = 2,  ///< bfloat16.
  kLockstepElementIndex = 3,   ///< index, 64 bits.
};

/// Compares host memory with a constant and reports each difference; returns in any case (EXPECT-1 to EXPECT-5).
/// `memref` has `rank` dimensions and elements of the kind and width given. `expected` is dense and row major, with the
/// shape `expected_shape` of `expected_rank` entries; a shape that differs from the memref's is a difference too.
/// `location` is "file:line:column". A negative `tolerance` asks for equality bit for bit. Borrows everything for the
/// call; blocks on no device work.
void lockstepExpect(int64_t rank, MgpuMemRef *memref, const char *location, int32_t element_kind, int32_t element_bits,
                    int64_t expected_rank, const int64_t *expected_shape, const void *expected, double tolerance);

#define LOCKSTEP_EXPECT_SYMBOL "lockstepExpect"

#ifdef __cplusplus
} // extern "C"
#endif

#endif // LOCKSTEP_RUNTIME_API_EXPECT_H
