// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/ByteAccess.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace lockstep::harness;

/// Elements of four bytes at address 1000 + 4 * offset.
static ByteAccess makeAccess(int64_t offset, std::vector<int64_t> sizes, std::vector<int64_t> strides,
                             int32_t access = kLockstepTraceWrites) {
  std::vector<int64_t> memory(3 + sizes.size() * 2);
  auto *memref = reinterpret_cast<MgpuMemRef *>(memory.data());
  memref->allocated = memref->aligned = reinterpret_cast<char *>(1000);
  memref->offset = offset;
  std::copy(sizes.begin(), sizes.end(), memref->shape);
  std::copy(strides.begin(), strides.end(), memref->shape + sizes.size());
  return makeByteAccess(sizes.size(), *memref, 4, access);
}

TEST(ByteAccess, DenseIsOnePiece) {
  ByteAccess access = makeAccess(2, {3, 5}, {5, 1});
  EXPECT_TRUE(access.isContiguous());
  EXPECT_EQ(access.begin, 1008u);
  EXPECT_EQ(access.end, 1008u + 60u);
}

TEST(ByteAccess, RankZeroIsOneElement) {
  ByteAccess access = makeAccess(0, {}, {});
  EXPECT_EQ(access.end - access.begin, 4u);
}

TEST(ByteAccess, EmptyShapeIsEmpty) { EXPECT_TRUE(makeAccess(0, {3, 0}, {1, 1}).isEmpty()); }

TEST(ByteAccess, NeighboursDoNotOverlap) {
  EXPECT_FALSE(overlap(makeAccess(0, {4}, {1}), makeAccess(4, {4}, {1})));
  EXPECT_TRUE(overlap(makeAccess(0, {5}, {1}), makeAccess(4, {4}, {1})));
}

TEST(ByteAccess, ColumnsAreApart) {
  EXPECT_FALSE(overlap(makeAccess(0, {4}, {2}), makeAccess(1, {4}, {2})));
  EXPECT_TRUE(overlap(makeAccess(0, {4}, {2}), makeAccess(2, {4}, {2})));
}

TEST(ByteAccess, NegativeStridesGoTheOtherWay) {
  ByteAccess access = makeAccess(3, {4}, {-1});
  EXPECT_EQ(access.begin, 1000u);
  EXPECT_EQ(access.end, 1016u);
}

TEST(ByteAccess, ElementsAtIndices) {
  int64_t memory[7] = {1000, 1000, 3, 4, 5, 10, -2};
  auto *memref = reinterpret_cast<MgpuMemRef *>(memory);
  int64_t in[] = {2, 1}, out[] = {2, 5};
  ByteAccess access = makeElementAccess(2, *memref, 4, kLockstepTraceReads, in);
  EXPECT_EQ(access.begin, 1000u + 4 * (3 + 20 - 2));
  EXPECT_EQ(access.end, access.begin + 4);
  EXPECT_TRUE(access.isContiguous());
  EXPECT_TRUE(makeElementAccess(2, *memref, 4, kLockstepTraceReads, out).isEmpty());
}

TEST(ByteAccess, AnotherAllocationAtTheSameAddress) {
  ByteAccess a = makeAccess(0, {4}, {1}), b = a;
  a.allocation = 1;
  b.allocation = 2;
  EXPECT_FALSE(overlap(a, b));
}

TEST(ByteAccess, ConflictNeedsAWrite) {
  ByteAccess read = makeAccess(0, {4}, {1}, kLockstepTraceReads), write = makeAccess(0, {4}, {1});
  EXPECT_FALSE(conflict(read, read));
  EXPECT_TRUE(conflict(read, write));
  EXPECT_TRUE(conflict(read, makeAccess(0, {4}, {1}, kLockstepTraceFrees)));
}

/// Strides of all kinds, compared with sets of bytes.
TEST(ByteAccess, AgreesWithSetsOfBytes) {
  std::mt19937 random(1);
  auto draw = [&](int64_t low, int64_t high) { return low + static_cast<int64_t>(random() % (high - low + 1)); };
  size_t overlapping = 0;
  for (int round = 0; round < 4000; ++round) {
    ByteAccess accesses[2];
    std::set<int64_t> bytes[2];
    for (int which : {0, 1}) {
      int64_t offset = draw(0, 24);
      std::vector<int64_t> sizes = {draw(1, 3), draw(1, 3), draw(1, 3)};
      std::vector<int64_t> strides = {draw(-13, 13), draw(-6, 6), draw(0, 3)};
      accesses[which] = makeAccess(offset, sizes, strides);
      for (int64_t i = 0; i < sizes[0]; ++i)
        for (int64_t j = 0; j < sizes[1]; ++j)
          for (int64_t k = 0; k < sizes[2]; ++k)
            for (int64_t byte = 0; byte < 4; ++byte)
              bytes[which].insert((offset + i * strides[0] + j * strides[1] + k * strides[2]) * 4 + byte);
      ASSERT_EQ(static_cast<int64_t>(accesses[which].begin), 1000 + *bytes[which].begin());
      ASSERT_EQ(static_cast<int64_t>(accesses[which].end), 1000 + *bytes[which].rbegin() + 1);
    }
    bool isCommon = std::any_of(bytes[0].begin(), bytes[0].end(), [&](int64_t byte) { return bytes[1].count(byte); });
    ASSERT_EQ(overlap(accesses[0], accesses[1]), isCommon) << "round " << round;
    overlapping += isCommon;
  }
  EXPECT_GT(overlapping, 400u);
  EXPECT_LT(overlapping, 3600u);
}
