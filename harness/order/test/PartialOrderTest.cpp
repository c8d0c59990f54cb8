// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/PartialOrder.h"

#include "gtest/gtest.h"

#include <random>

using namespace lockstep::harness;

static PartialOrder::Element addAfter(PartialOrder &order, std::initializer_list<PartialOrder::Element> elements) {
  History before;
  for (PartialOrder::Element element : elements)
    order.include(before, element);
  return order.add(before);
}

TEST(PartialOrder, Diamond) {
  PartialOrder order;
  auto a = addAfter(order, {}), b = addAfter(order, {a}), c = addAfter(order, {a}), d = addAfter(order, {b, c});
  EXPECT_TRUE(order.isBefore(a, d));
  EXPECT_FALSE(order.isBefore(d, a));
  EXPECT_FALSE(order.isBefore(b, c) || order.isBefore(c, b));
  EXPECT_FALSE(order.isBefore(a, a));
  EXPECT_EQ(order.chainCount(), 2u);
}

TEST(PartialOrder, HistoriesAreValues) {
  PartialOrder order;
  auto a = addAfter(order, {});
  History first;
  EXPECT_TRUE(first.isEmpty());
  order.include(first, a);
  History second = first;
  auto b = order.add(first);
  order.include(second, b);
  EXPECT_TRUE(order.holds(second, b));
  EXPECT_FALSE(order.holds(first, b));
  first.include(second);
  EXPECT_TRUE(order.holds(first, b));
}

TEST(PartialOrder, IncludeUnitesWhatNeitherHolds) {
  PartialOrder order;
  auto a = addAfter(order, {}), b = addAfter(order, {}), c = addAfter(order, {});
  History left, right;
  order.include(left, a);
  order.include(right, b);
  History both = left;
  both.include(right);
  EXPECT_TRUE(order.holds(both, a) && order.holds(both, b));
  EXPECT_FALSE(order.holds(both, c) || order.holds(left, b) || order.holds(right, a));
}

TEST(PartialOrder, AChainForEachPathOnly) {
  PartialOrder order;
  std::vector<PartialOrder::Element> lasts = {addAfter(order, {}), addAfter(order, {}), addAfter(order, {})};
  for (int round = 0; round < 100; ++round)
    for (PartialOrder::Element &last : lasts)
      last = addAfter(order, {last});
  EXPECT_EQ(order.chainCount(), 3u);
}

/// Random orders of several densities, compared with reachability found by matrices.
TEST(PartialOrder, AgreesWithReachability) {
  std::mt19937 random(1);
  for (unsigned edgesMax : {0u, 1u, 2u, 5u}) {
    constexpr size_t kCount = 80;
    PartialOrder order;
    std::vector<std::vector<bool>> reaches(kCount, std::vector<bool>(kCount));
    for (size_t element = 0; element < kCount; ++element) {
      History before;
      for (unsigned edge = 0; element > 0 && edge < random() % (edgesMax + 1); ++edge) {
        size_t other = random() % element;
        order.include(before, other);
        reaches[other][element] = true;
        for (size_t further = 0; further < other; ++further)
          if (reaches[further][other])
            reaches[further][element] = true;
      }
      ASSERT_EQ(order.add(before), element);
    }
    for (size_t first = 0; first < kCount; ++first)
      for (size_t second = 0; second < kCount; ++second)
        ASSERT_EQ(order.isBefore(first, second), reaches[first][second]) << first << ' ' << second;
  }
}
