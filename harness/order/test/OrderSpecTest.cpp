// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a traced program says by the C functions, as an order.

#include "harness/order/Trace.h"

#include "gtest/gtest.h"

using namespace lockstep::harness;

namespace {

class OrderSpecTest : public testing::Test {
protected:
  void SetUp() override { beginTrace(); }

  static void *op(const char *name, std::initializer_list<void *> after, LockstepTraceKind kind = kLockstepTraceWork) {
    void *chain = lockstepTraceOp(name, kind);
    for (void *before : after)
      lockstepTraceAfter(before);
    return chain;
  }

  static void access(uint64_t address, int64_t bytes, int32_t kind) {
    int64_t memory[5] = {static_cast<int64_t>(address), static_cast<int64_t>(address), 0, bytes, 1};
    lockstepTraceAccess(1, reinterpret_cast<MgpuMemRef *>(memory), 1, kind);
  }
};

} // namespace

TEST_F(OrderSpecTest, ChainsOrder) {
  void *a = op("a", {}), *b = op("b", {});
  op("c", {a, b, nullptr});
  OrderSpec spec = endTrace();
  ASSERT_EQ(spec.ops().size(), 3u);
  EXPECT_EQ(spec.name(spec.ops()[2].name), "c");
  EXPECT_TRUE(spec.isBefore(spec.ops()[0], spec.ops()[2]));
  EXPECT_TRUE(spec.isBefore(spec.ops()[1], spec.ops()[2]));
  EXPECT_FALSE(spec.isBefore(spec.ops()[0], spec.ops()[1]));
}

TEST_F(OrderSpecTest, JoinsPassOrderOn) {
  void *a = op("a", {}), *b = op("b", {}), *join = op("join", {a, b}, kLockstepTraceJoin);
  op("c", {join});
  OrderSpec spec = endTrace();
  EXPECT_TRUE(spec.isBefore(spec.ops()[0], spec.ops()[3]));
  EXPECT_TRUE(spec.isBefore(spec.ops()[1], spec.ops()[3]));
}

TEST_F(OrderSpecTest, WhatFollowsAWaitIsAfterIt) {
  void *a = op("a", {});
  op("b", {});
  op("wait", {a}, kLockstepTraceWait);
  op("c", {});
  OrderSpec spec = endTrace();
  EXPECT_TRUE(spec.isBefore(spec.ops()[0], spec.ops()[3]));
  EXPECT_FALSE(spec.isBefore(spec.ops()[1], spec.ops()[3]));
}

TEST_F(OrderSpecTest, WhatFollowsASynchronousOperationIsAfterIt) {
  for (LockstepTraceHostWait wait : {kLockstepTraceObserved, kLockstepTraceUnobserved}) {
    beginTrace();
    op("a", {});
    op("b", {});
    lockstepTraceHostWait(wait);
    op("c", {});
    op("d", {});
    lockstepTraceHostWait(wait);
    op("e", {});
    OrderSpec spec = endTrace();
    EXPECT_FALSE(spec.isBefore(spec.ops()[0], spec.ops()[1]));
    EXPECT_FALSE(spec.isBefore(spec.ops()[0], spec.ops()[2]));
    EXPECT_TRUE(spec.isBefore(spec.ops()[1], spec.ops()[2]));
    EXPECT_TRUE(spec.isBefore(spec.ops()[1], spec.ops()[3]));
    EXPECT_TRUE(spec.isBefore(spec.ops()[3], spec.ops()[4]));
    EXPECT_EQ(spec.ops()[1].isHostAfter, wait == kLockstepTraceObserved);
    // As an edge, where the host is not asked; to what comes next only, as far as that stands for it.
    EXPECT_EQ(spec.ops()[2].after.empty(), wait == kLockstepTraceObserved);
    EXPECT_LE(spec.ops()[4].after.size(), 1u);
  }
}

TEST_F(OrderSpecTest, ExecutionsOfOneNameAreCounted) {
  op("a", {});
  op("b", {});
  op("a", {});
  OrderSpec spec = endTrace();
  EXPECT_EQ(spec.ops()[0].ordinal, 0u);
  EXPECT_EQ(spec.ops()[2].ordinal, 1u);
  EXPECT_EQ(spec.ops()[0].name, spec.ops()[2].name);
}

TEST_F(OrderSpecTest, MemoryThatIsAllocatedAgainIsOther) {
  void *chain = op("alloc", {});
  access(4096, 64, kLockstepTraceAllocates);
  op("fill", {chain});
  access(4100, 8, kLockstepTraceWrites);
  op("free", {chain});
  access(4096, 64, kLockstepTraceFrees);
  op("alloc again", {});
  access(4096, 32, kLockstepTraceAllocates);
  op("fill again", {});
  access(4096, 32, kLockstepTraceWrites);
  op("beside", {});
  access(8192, 32, kLockstepTraceWrites);
  op("nothing", {});
  access(4096, 0, kLockstepTraceWrites);
  OrderSpec spec = endTrace();
  auto allocation = [&](size_t position) { return spec.ops()[position].accesses.front().allocation; };
  EXPECT_EQ(allocation(0), allocation(1));
  EXPECT_EQ(allocation(0), allocation(2));
  EXPECT_NE(allocation(0), allocation(3));
  EXPECT_EQ(allocation(3), allocation(4));
  EXPECT_EQ(allocation(5), 0u);
  EXPECT_TRUE(spec.ops()[6].accesses.empty());
}

TEST_F(OrderSpecTest, NothingIsKeptBetweenTraces) {
  op("a", {});
  EXPECT_EQ(endTrace().ops().size(), 1u);
  EXPECT_EQ(op("b", {}), nullptr);
  beginTrace();
  EXPECT_EQ(endTrace().ops().size(), 0u);
}
