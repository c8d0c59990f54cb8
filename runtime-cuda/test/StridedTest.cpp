// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strided copies and fills against a model that moves one element at a time.

#include "runtime-cuda/test/RuntimeTest.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
/// Calls `visit` with every index of the shape.
void forEachIndex(const std::vector<int64_t> &sizes, const std::function<void(const std::vector<int64_t> &)> &visit) {
  std::vector<int64_t> index(sizes.size(), 0);
  for (int64_t size : sizes)
    if (size == 0)
      return;
  while (true) {
    visit(index);
    size_t dimension = sizes.size();
    while (dimension > 0 && ++index[dimension - 1] == sizes[dimension - 1])
      index[--dimension] = 0;
    if (dimension == 0)
      return;
  }
}

int64_t offsetOf(const std::vector<int64_t> &index, const std::vector<int64_t> &strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t(0));
}

class StridedTest : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    stream = mgpuStreamCreate();
    std::iota(source.begin(), source.end(), 1);
  }

  template <typename T> T pick(std::initializer_list<T> values) { return values.begin()[random() % values.size()]; }

  std::vector<int64_t> randomSizes() {
    std::vector<int64_t> sizes(random() % 5);
    for (int64_t &size : sizes)
      size = random() % 20 == 0 ? 0 : 1 + random() % 4;
    return sizes;
  }

  /// Strides under which no two elements share an address: a random order of dimensions, random gaps and signs.
  std::vector<int64_t> randomStrides(const std::vector<int64_t> &sizes) {
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (random() % 2)
      std::shuffle(order.begin(), order.end(), random);
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = pick<int64_t>({1, 1, 1, 2, 3});
    for (size_t position = order.size(); position-- > 0;) {
      size_t dimension = order[position];
      strides[dimension] = random() % 4 == 0 ? -stride : stride;
      stride = stride * std::max<int64_t>(sizes[dimension], 1) + pick<int64_t>({0, 0, 1, 5});
    }
    return strides;
  }

  static constexpr int64_t kMiddle = 30000;
  std::mt19937 random{20240229};
  MgpuStream stream = nullptr;
  std::vector<uint8_t> source = std::vector<uint8_t>(2 * kMiddle);
};

TEST_F(StridedTest, Abi8RandomCopiesAgreeWithTheModel) {
  for (int round = 0; round < 3000; ++round) {
    int64_t elementBytes = pick<int64_t>({1, 2, 4, 8, 12});
    std::vector<int64_t> sizes = randomSizes();
    std::vector<int64_t> to = randomStrides(sizes), from = randomStrides(sizes);
    if (!from.empty() && random() % 8 == 0)
      from[random() % from.size()] = 0;
    std::vector<uint8_t> result(2 * kMiddle, 0xee), expected = result;
    forEachIndex(sizes, [&](const std::vector<int64_t> &index) {
      std::memcpy(&expected[kMiddle + offsetOf(index, to) * elementBytes],
                  &source[kMiddle + offsetOf(index, from) * elementBytes], elementBytes);
    });
    mgpuMemcpyStrided(&result[kMiddle], &source[kMiddle], sizes.size(), sizes.data(), to.data(), from.data(),
                      elementBytes, stream);
    ASSERT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message();
    ASSERT_EQ(result, expected) << "round " << round << " sizes " << testing::PrintToString(sizes) << " to "
                                << testing::PrintToString(to) << " from " << testing::PrintToString(from);
  }
}

TEST_F(StridedTest, Abi8RandomOverlappingCopiesAgreeWithTheModel) {
  for (int round = 0; round < 1000; ++round) {
    std::vector<int64_t> sizes = randomSizes();
    std::vector<int64_t> to = randomStrides(sizes), from = randomStrides(sizes);
    int64_t shift = static_cast<int64_t>(random() % 13) - 6;
    std::vector<uint8_t> result = source, expected = source;
    forEachIndex(sizes, [&](const std::vector<int64_t> &index) {
      expected[kMiddle + shift + offsetOf(index, to)] = source[kMiddle + offsetOf(index, from)];
    });
    mgpuMemcpyStrided(&result[kMiddle + shift], &result[kMiddle], sizes.size(), sizes.data(), to.data(), from.data(), 1,
                      stream);
    ASSERT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message();
    ASSERT_EQ(result, expected) << "round " << round << " shift " << shift;
  }
  EXPECT_TRUE(fake().memory.empty()) << "the memory in between must be freed";
}

TEST_F(StridedTest, Abi8RandomFillsAgreeWithTheModel) {
  uint64_t value = 0x1122334455667788ull;
  for (int round = 0; round < 3000; ++round) {
    int64_t elementBytes = pick<int64_t>({1, 2, 4, 8});
    std::vector<int64_t> sizes = randomSizes(), to = randomStrides(sizes);
    if (!to.empty() && random() % 8 == 0)
      to[random() % to.size()] = 0;
    std::vector<uint64_t> result(2 * kMiddle / 8, 0xee), expected = result;
    auto *middle = reinterpret_cast<char *>(&result[kMiddle / 8]);
    auto *expectedMiddle = reinterpret_cast<char *>(&expected[kMiddle / 8]);
    forEachIndex(sizes, [&](const std::vector<int64_t> &index) {
      std::memcpy(expectedMiddle + offsetOf(index, to) * elementBytes, &value, elementBytes);
    });
    mgpuMemsetStrided(middle, sizes.size(), sizes.data(), to.data(), elementBytes, value, stream);
    ASSERT_EQ(mgpuStatusGet(nullptr), kMgpuStatusOk) << message();
    ASSERT_EQ(result, expected) << "round " << round;
  }
}

/// Runs one copy and returns how many driver calls of each kind it took.
#define EXPECT_CALLS(LINEAR, ROWS, SLICES)                                                                             \
  EXPECT_EQ(fake().count("cuMemcpyAsync"), LINEAR);                                                                    \
  EXPECT_EQ(fake().count("cuMemcpy2DAsync"), ROWS);                                                                    \
  EXPECT_EQ(fake().count("cuMemcpy3DAsync"), SLICES)

TEST_F(StridedTest, Abi8ContiguousShapesAreOneLinearCopy) {
  std::vector<uint8_t> result(1000);
  int64_t sizes[] = {2, 3, 4, 1}, strides[] = {12, 4, 1, 77};
  fake().clearCalls();
  mgpuMemcpyStrided(result.data(), source.data(), 4, sizes, strides, strides, 4, stream);
  EXPECT_CALLS(1, 0, 0);
}

TEST_F(StridedTest, Abi8RowsAreOneCallAndSlicesToo) {
  std::vector<uint8_t> result(4000);
  int64_t sizes[] = {3, 4, 5}, dense[] = {20, 5, 1}, rows[] = {40, 10, 1}, padded[] = {60, 10, 1};
  fake().clearCalls();
  mgpuMemcpyStrided(result.data(), source.data(), 3, sizes, dense, rows, 4, stream);
  EXPECT_CALLS(0, 1, 0);
  fake().clearCalls();
  mgpuMemcpyStrided(result.data(), source.data(), 3, sizes, dense, padded, 4, stream);
  EXPECT_CALLS(0, 0, 1);
}

TEST_F(StridedTest, Abi8TransposeLoopsOverTheShorterSideOnly) {
  std::vector<uint8_t> result(4000);
  int64_t sizes[] = {3, 40}, to[] = {40, 1}, from[] = {1, 3};
  fake().clearCalls();
  mgpuMemcpyStrided(result.data(), source.data(), 2, sizes, to, from, 4, stream);
  EXPECT_CALLS(0, 3, 0);
  EXPECT_EQ(result[4], source[12]);
}

TEST_F(StridedTest, Abi8BadShapesAreRefused) {
  int64_t sizes[] = {2}, negative[] = {-2}, strides[] = {1}, zero[] = {0}, huge[] = {int64_t(1) << 62};
  char bytes[16];
  auto expectInvalid = [&](const std::string &text) {
    EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
    EXPECT_THAT(message(), HasSubstr(text));
    mgpuReset();
    stream = mgpuStreamCreate();
  };
  mgpuMemcpyStrided(bytes, bytes + 8, -1, sizes, strides, strides, 1, stream);
  expectInvalid("rank is -1");
  mgpuMemcpyStrided(bytes, bytes + 8, 1, sizes, strides, strides, 0, stream);
  expectInvalid("element size is 0");
  mgpuMemcpyStrided(bytes, bytes + 8, 1, negative, strides, strides, 1, stream);
  expectInvalid("dimension 0 has size -2");
  mgpuMemcpyStrided(bytes, bytes + 8, 1, sizes, zero, strides, 1, stream);
  expectInvalid("dimension 0 has destination stride 0");
  mgpuMemcpyStrided(bytes, bytes + 8, 1, sizes, huge, strides, 8, stream);
  expectInvalid("does not fit 63 bits");
  mgpuMemsetStrided(bytes, 1, sizes, strides, 3, 0, stream);
  expectInvalid("cannot fill elements of 3 bytes");
  mgpuMemsetMemRef(1, nullptr, 1, 0, stream);
  expectInvalid("argument 'destination' is null");
}

template <int Rank> struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, sizes[Rank], strides[Rank];
  MgpuMemRef *get() { return reinterpret_cast<MgpuMemRef *>(this); }
};

TEST_F(StridedTest, MemrefFormsUseOffsetSizesAndStrides) {
  int32_t from[12], to[12] = {};
  std::iota(from, from + 12, 0);
  Descriptor<2> source = {from, from, 1, {2, 3}, {6, 1}};
  Descriptor<2> destination = {to, to, 2, {2, 3}, {1, 2}};
  mgpuMemcpyMemRef(2, destination.get(), 2, source.get(), 4, stream);
  EXPECT_THAT(to, testing::ElementsAre(0, 0, 1, 7, 2, 8, 3, 9, 0, 0, 0, 0));
  mgpuMemsetMemRef(2, destination.get(), 4, 5, stream);
  EXPECT_THAT(to, testing::ElementsAre(0, 0, 5, 5, 5, 5, 5, 5, 0, 0, 0, 0));
  expectOk();
  destination.sizes[1] = 2;
  mgpuMemcpyMemRef(2, destination.get(), 2, source.get(), 4, stream);
  EXPECT_THAT(message(), HasSubstr("dimension 1 of the destination has size 2, of the source 3"));
  mgpuReset();
  stream = mgpuStreamCreate();
  mgpuMemcpyMemRef(1, destination.get(), 2, source.get(), 4, stream);
  EXPECT_THAT(message(), HasSubstr("the destination has rank 1, the source rank 2"));
}
} // namespace
