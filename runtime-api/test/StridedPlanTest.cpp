// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shapes of plans; that they move the right bytes is tested through the backends against a model.

#include "runtime-api/support/Strided.h"

#include <gtest/gtest.h>

using namespace lockstep::runtime;

namespace {
StridedPlan planCopy(std::vector<int64_t> sizes, std::vector<int64_t> to, std::vector<int64_t> from,
                     RectangleLimits limits = RectangleLimits()) {
  std::string error;
  auto plan = planStrided(sizes.size(), sizes.data(), to.data(), from.data(), 4, limits, error);
  EXPECT_EQ(error, "");
  return plan.value_or(StridedPlan());
}

TEST(StridedPlanTest, ContiguousIsOneRow) {
  StridedPlan plan = planCopy({2, 3, 5}, {15, 5, 1}, {15, 5, 1});
  EXPECT_EQ(plan.rowBytes, 120);
  EXPECT_EQ(plan.height.size, 1);
  EXPECT_TRUE(plan.loops.empty());
}

TEST(StridedPlanTest, ScalarIsOneElement) { EXPECT_EQ(planCopy({}, {}, {}).rowBytes, 4); }

TEST(StridedPlanTest, TransposedOnBothSidesIsContiguousToo) {
  EXPECT_EQ(planCopy({3, 5}, {1, 3}, {1, 3}).rowBytes, 60);
}

TEST(StridedPlanTest, BothBackwardsTurnsRound) {
  StridedPlan plan = planCopy({4}, {-1}, {-1});
  EXPECT_EQ(plan.rowBytes, 16);
  EXPECT_EQ(plan.offsets[kDestination], -12);
  EXPECT_EQ(plan.offsets[kSource], -12);
  EXPECT_EQ(plan.ranges[kSource].lower, -12);
  EXPECT_EQ(plan.ranges[kSource].upper, 4);
}

TEST(StridedPlanTest, ReversalIsALoop) {
  StridedPlan plan = planCopy({4}, {1}, {-1});
  EXPECT_EQ(plan.rowBytes, 4);
  ASSERT_EQ(plan.loops.size(), 1u);
  EXPECT_EQ(plan.loops[0].size, 4);
}

TEST(StridedPlanTest, BroadcastRowsAreALoop) {
  StridedPlan plan = planCopy({3, 8}, {8, 1}, {0, 1});
  EXPECT_EQ(plan.rowBytes, 32);
  EXPECT_EQ(plan.loops.size(), 1u);
}

TEST(StridedPlanTest, FourDimensionsLeaveOneLoop) {
  StridedPlan plan = planCopy({2, 3, 4, 5}, {60, 20, 5, 1}, {1000, 200, 10, 1});
  EXPECT_EQ(plan.rowBytes, 20);
  EXPECT_EQ(plan.height.size, 4);
  EXPECT_EQ(plan.depth.size, 3);
  EXPECT_EQ(plan.loops.size(), 1u);
  RectangleLimits flat;
  flat.hasDepth = false;
  EXPECT_EQ(planCopy({2, 3, 4, 5}, {60, 20, 5, 1}, {1000, 200, 10, 1}, flat).loops.size(), 2u);
}

TEST(StridedPlanTest, APitchOverTheLimitIsALoop) {
  RectangleLimits limits;
  limits.pitchBytesMax = 100;
  EXPECT_EQ(planCopy({3, 2}, {25, 1}, {25, 1}, limits).height.size, 3);
  EXPECT_EQ(planCopy({3, 2}, {26, 1}, {26, 1}, limits).height.size, 1);
}

TEST(StridedPlanTest, AnEmptySizeMakesTheStridesIrrelevant) {
  std::string error;
  int64_t sizes[] = {2, 0}, strides[] = {0, INT64_MAX};
  auto plan = planStrided(2, sizes, strides, strides, 8, RectangleLimits(), error);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->isEmpty);
}

TEST(StridedPlanTest, ExtentsThatDoNotFitAreRefused) {
  std::string error;
  int64_t sizes[] = {INT64_MAX}, strides[] = {2};
  EXPECT_FALSE(planStrided(1, sizes, strides, strides, 1, RectangleLimits(), error));
  EXPECT_EQ(error, "the extent of the shape does not fit 63 bits");
}
} // namespace
