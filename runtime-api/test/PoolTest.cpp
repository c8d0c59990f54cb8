// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Pool.h"

#include <gtest/gtest.h>

using namespace lockstep::runtime;

namespace {
TEST(PoolTest, OldestFirstAndPerDevice) {
  FreeList list;
  int a, b, c;
  list.give(0, &a);
  list.give(1, &b);
  list.give(0, &c);
  EXPECT_EQ(list.take(0), &a);
  EXPECT_EQ(list.take(0), &c);
  EXPECT_EQ(list.take(0), nullptr);
  EXPECT_EQ(list.take(1), &b);
}

TEST(PoolTest, CountsUsers) {
  ReferenceCounts counts;
  int object;
  EXPECT_FALSE(counts.retain(&object, 1));
  EXPECT_EQ(counts.release(&object), ReferenceCounts::Release::Unknown);
  counts.start(&object);
  EXPECT_TRUE(counts.retain(&object, 1));
  EXPECT_EQ(counts.release(&object), ReferenceCounts::Release::StillUsed);
  EXPECT_EQ(counts.release(&object), ReferenceCounts::Release::LastUser);
  EXPECT_EQ(counts.release(&object), ReferenceCounts::Release::Unknown);
}
} // namespace
