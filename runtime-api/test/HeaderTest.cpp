// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/Mgpu.h"

#include "runtime-api/DriverControl.h"

#include <gtest/gtest.h>

extern "C" size_t lockstepSizesInC(size_t index);

namespace {
TEST(HeaderTest, Abi18CAndCxxSeeTheSameStructures) {
  EXPECT_EQ(lockstepSizesInC(0), sizeof(MgpuStatus));
  EXPECT_EQ(lockstepSizesInC(1), sizeof(MgpuDriverInfo));
  EXPECT_EQ(lockstepSizesInC(2), sizeof(MgpuCallRecord));
  EXPECT_EQ(lockstepSizesInC(3), sizeof(MgpuRecorder));
  EXPECT_EQ(lockstepSizesInC(4), sizeof(MgpuMemRef));
  EXPECT_EQ(lockstepSizesInC(5), sizeof(LockstepSimFinding));
}

TEST(HeaderTest, Abi18MemRefIsMlirsDescriptor) {
  // Two pointers, the offset, then sizes and strides without a gap.
  EXPECT_EQ(offsetof(MgpuMemRef, aligned), sizeof(void *));
  EXPECT_EQ(offsetof(MgpuMemRef, offset), 2 * sizeof(void *));
  EXPECT_EQ(offsetof(MgpuMemRef, shape), 3 * sizeof(void *));
}
} // namespace
