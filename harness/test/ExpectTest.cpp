// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Expect.h"

#include "runtime-api/Expect.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace lockstep::harness;
using lockstep::reports::Finding;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr double kExact = -1;

/// A memref descriptor of any rank over memory of the test.
class Descriptor {
public:
  Descriptor(const void *data, int64_t offset, std::vector<int64_t> sizes, std::vector<int64_t> strides)
      : rank(sizes.size()) {
    words = {0, reinterpret_cast<int64_t>(data), offset};
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }
  MgpuMemRef *get() const { return reinterpret_cast<MgpuMemRef *>(const_cast<int64_t *>(words.data())); }
  int64_t rank;

private:
  std::vector<int64_t> words;
};

/// What lockstepExpect says of `descriptor`, as messages.
template <typename T>
std::vector<std::string> expect(const Descriptor &descriptor, int32_t kind, std::vector<int64_t> sizes,
                                std::vector<T> expected, double tolerance = kExact, int32_t bits = sizeof(T) * 8) {
  clearExpectations();
  lockstepExpect(descriptor.rank, descriptor.get(), "p.mlir:3:1", kind, bits, sizes.size(), sizes.data(),
                 expected.data(), tolerance);
  int64_t reached = 0;
  std::vector<std::string> messages;
  for (const Finding &finding : takeExpectationFindings(reached)) {
    EXPECT_EQ(finding.oracle, "values");
    EXPECT_THAT(finding.ops, ElementsAre("p.mlir:3:1"));
    messages.push_back(finding.message);
  }
  EXPECT_EQ(reached, 1);
  return messages;
}

/// A vector of `actual` against `expected`, both dense.
template <typename T>
std::vector<std::string> expectVector(int32_t kind, std::vector<T> actual, std::vector<T> expected,
                                      double tolerance = kExact) {
  int64_t size = actual.size();
  return expect(Descriptor(actual.data(), 0, {size}, {1}), kind, {size}, expected, tolerance);
}

} // namespace

TEST(Expect, EqualIntegersOfEverySizeAgree) {
  EXPECT_THAT(expectVector<int8_t>(kLockstepElementInteger, {-1, 2}, {-1, 2}), IsEmpty());
  EXPECT_THAT(expectVector<int16_t>(kLockstepElementInteger, {-1, 2}, {-1, 2}), IsEmpty());
  EXPECT_THAT(expectVector<int32_t>(kLockstepElementInteger, {-1, 2}, {-1, 2}), IsEmpty());
  EXPECT_THAT(expectVector<int64_t>(kLockstepElementInteger, {-1, 2}, {-1, 2}), IsEmpty());
}

TEST(Expect, ADifferenceNamesPlaceIndexAndBothValues) {
  EXPECT_THAT(expectVector<int32_t>(kLockstepElementInteger, {84, -42}, {84, 84}),
              ElementsAre("p.mlir:3:1: 1 of 2 elements differs; at [1] expected 84, found -42"));
}

TEST(Expect, ManyDifferencesAreCountedAndTheFirstShown) {
  EXPECT_THAT(expectVector<int8_t>(kLockstepElementInteger, {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0}),
              ElementsAre("p.mlir:3:1: 6 of 6 elements differ; at [0] expected 0, found 1; at [1] expected 0, found 2; "
                          "at [2] expected 0, found 3; at [3] expected 0, found 4; …"));
}

TEST(Expect, OneBitIntegersTakeAByteOfWhichOneBitCounts) {
  std::vector<uint8_t> data = {1, 0, 3};
  Descriptor bits(data.data(), 0, {3}, {1});
  EXPECT_THAT(expect<uint8_t>(bits, kLockstepElementInteger, {3}, {1, 0, 1}, kExact, 1), IsEmpty());
  EXPECT_THAT(expect<uint8_t>(bits, kLockstepElementInteger, {3}, {1, 1, 1}, kExact, 1),
              ElementsAre(HasSubstr("at [1] expected 1, found 0")));
}

TEST(Expect, IndexElements) {
  EXPECT_THAT(expectVector<int64_t>(kLockstepElementIndex, {5}, {5}), IsEmpty());
  EXPECT_THAT(expectVector<int64_t>(kLockstepElementIndex, {5}, {6}), ElementsAre(HasSubstr("expected 6, found 5")));
}

TEST(Expect, OffsetAndStridesAreFollowed) {
  // Columns 1 and 3 of a 2x4 matrix, rows in reverse order.
  std::vector<int16_t> data = {0, 1, 2, 3, 4, 5, 6, 7};
  Descriptor view(data.data(), 5, {2, 2}, {-4, 2});
  EXPECT_THAT(expect<int16_t>(view, kLockstepElementInteger, {2, 2}, {5, 7, 1, 3}), IsEmpty());
  EXPECT_THAT(expect<int16_t>(view, kLockstepElementInteger, {2, 2}, {5, 7, 1, 2}),
              ElementsAre(HasSubstr("at [1, 1] expected 2, found 3")));
}

TEST(Expect, RankZeroAndEmptyShapes) {
  double value = 2.5;
  EXPECT_THAT(expect<double>(Descriptor(&value, 0, {}, {}), kLockstepElementFloat, {}, {2.5}), IsEmpty());
  EXPECT_THAT(expect<double>(Descriptor(&value, 0, {}, {}), kLockstepElementFloat, {}, {3}),
              ElementsAre("p.mlir:3:1: 1 of 1 element differs; at [] expected 3, found 2.5"));
  EXPECT_THAT(expect<double>(Descriptor(nullptr, 0, {0, 3}, {3, 1}), kLockstepElementFloat, {0, 3}, {}), IsEmpty());
}

TEST(Expect, AnotherShapeIsAFinding) {
  std::vector<int32_t> data = {1, 2, 3};
  Descriptor three(data.data(), 0, {3}, {1});
  EXPECT_THAT(expect<int32_t>(three, kLockstepElementInteger, {2}, {1, 2}),
              ElementsAre("p.mlir:3:1: expected shape 2, found 3"));
  EXPECT_THAT(expect<int32_t>(three, kLockstepElementInteger, {1, 3}, {1, 2, 3}),
              ElementsAre("p.mlir:3:1: expected shape 1x3, found 3"));
}

TEST(Expect, FloatsAreComparedBitForBitWithoutTolerance) {
  float nan = std::nanf("");
  EXPECT_THAT(expectVector<float>(kLockstepElementFloat, {nan, 1}, {nan, 1}), IsEmpty());
  EXPECT_THAT(expectVector<float>(kLockstepElementFloat, {-0.0f}, {0.0f}),
              ElementsAre(HasSubstr("expected 0, found -0")));
  EXPECT_THAT(expectVector<float>(kLockstepElementFloat, {std::nanf("1")}, {nan}),
              ElementsAre(HasSubstr("expected nan(0x7fc00000), found nan(0x7fc00001)")));
}

TEST(Expect, AToleranceIsAbsoluteAndInclusive) {
  EXPECT_THAT(expectVector<double>(kLockstepElementFloat, {1.5, 2.5}, {1, 3}, 0.5), IsEmpty());
  EXPECT_THAT(expectVector<double>(kLockstepElementFloat, {1.5}, {1}, 0.25), ElementsAre(HasSubstr("found 1.5")));
  EXPECT_THAT(expectVector<float>(kLockstepElementFloat, {-0.0f}, {0.0f}, 0), IsEmpty());
}

TEST(Expect, NotANumberAndInfinityUnderATolerance) {
  double nan = std::nan("");
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(expectVector<double>(kLockstepElementFloat, {std::nan("1"), infinity}, {nan, infinity}, 1), IsEmpty());
  EXPECT_THAT(expectVector<double>(kLockstepElementFloat, {1, nan, -infinity, 1}, {nan, 1, infinity, infinity}, 1e300),
              ElementsAre(HasSubstr("4 of 4 elements differ")));
}

TEST(Expect, HalfFloats) {
  // 1.0 and 1.0009765625 in f16; 1.0 and 1.0078125 in bf16: neighbours in both.
  EXPECT_THAT(expectVector<uint16_t>(kLockstepElementFloat, {0x3c01}, {0x3c00}, 0.001), IsEmpty());
  EXPECT_THAT(expectVector<uint16_t>(kLockstepElementFloat, {0x3c01}, {0x3c00}),
              ElementsAre(HasSubstr("expected 1, found 1.00")));
  EXPECT_THAT(expectVector<uint16_t>(kLockstepElementBFloat, {0x3f81}, {0x3f80}, 0.001),
              ElementsAre(HasSubstr("expected 1, found 1.00")));
  EXPECT_THAT(expectVector<uint16_t>(kLockstepElementBFloat, {0x3f81}, {0x3f80}, 0.01), IsEmpty());
}

TEST(Expect, AnImpossibleExpectationIsAFindingAndNoCrash) {
  EXPECT_THAT(expectVector<uint16_t>(17, {1}, {1}), ElementsAre(HasSubstr("unknown kind of element 17")));
  EXPECT_THAT(expectVector<uint8_t>(kLockstepElementFloat, {1}, {1}), ElementsAre(HasSubstr("cannot have 8 bits")));
}

TEST(Expect, ClearForgets) {
  expectVector<int32_t>(kLockstepElementInteger, {1}, {2});
  clearExpectations();
  int64_t reached = -1;
  EXPECT_THAT(takeExpectationFindings(reached), IsEmpty());
  EXPECT_EQ(reached, 0);
}
