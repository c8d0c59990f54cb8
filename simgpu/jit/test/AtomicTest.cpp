// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic updates, within a block and between launches on different host threads.

#include "simgpu/jit/test/TestKernels.h"
#include <thread>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

template <typename T>
T update(const std::string &operation, const std::string &type, const std::string &value, T initial, int threads) {
  TestModule module(kernelText("ptr addrspace(1) %p", "  %f = sitofp i32 %t to float\n  %d = sitofp i32 %t to double\n"
                                                      "  %w = zext i32 %t to i64\n  %old = atomicrmw " +
                                                          operation + " ptr addrspace(1) %p, " + type + " " + value +
                                                          " syncscope(\"device\") monotonic"));
  T *address = &initial;
  module.run({{2, 1, 1}, {uint32_t(threads), 1, 1}}, {&address});
  return initial;
}

TEST(Atomic, Integers) {
  EXPECT_EQ(update<int>("add", "i32", "%t", 1, 10), 91);
  EXPECT_EQ(update<int>("max", "i32", "%t", 4, 10), 9);
  EXPECT_EQ(update<int>("umin", "i32", "%t", 4, 10), 0);
  EXPECT_EQ(update<int>("xor", "i32", "%t", 5, 10), 5);
  EXPECT_EQ(update<int>("xchg", "i32", "%t", 5, 10), 9);
  EXPECT_EQ(update<int64_t>("add", "i64", "%w", int64_t(1) << 40, 10), (int64_t(1) << 40) + 90);
  EXPECT_EQ(update<int>("uinc_wrap", "i32", "6", 0, 5), 3);
}

TEST(Atomic, Floats) {
  EXPECT_EQ(update<float>("fadd", "float", "%f", 0.5f, 10), 90.5f);
  EXPECT_EQ(update<double>("fadd", "double", "%d", 0.5, 10), 90.5);
  EXPECT_EQ(update<float>("fmin", "float", "%f", 0.5f, 10), 0.0f);
  EXPECT_EQ(update<float>("fmax", "float", "%f", 0.5f, 10), 9.0f);
}

TEST(Atomic, CompareExchangeLoop) {
  TestModule module(kernelText("ptr %p", R"(
  br label %again
again:
  %old = load atomic i32, ptr %p monotonic, align 4
  %new = mul i32 %old, 2
  %r = cmpxchg ptr %p, i32 %old, i32 %new syncscope("agent") acq_rel monotonic
  %ok = extractvalue {i32, i1} %r, 1
  br i1 %ok, label %end, label %again
end:
  fence syncscope("block") seq_cst
  call void @llvm.nvvm.membar.gl())",
                               "declare void @llvm.nvvm.membar.gl()"));
  int value = 1, *address = &value;
  module.run({{1, 1, 1}, {16, 1, 1}}, {&address});
  EXPECT_EQ(value, 65536);
}

TEST(Atomic, BetweenHostThreads) {
  TestModule module(kernelText("ptr %p", "  %old = atomicrmw add ptr %p, i32 1 monotonic"));
  int value = 0, *address = &value;
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] { module.run({{100, 1, 1}, {100, 1, 1}}, {&address}); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(value, 40000);
}

} // namespace
