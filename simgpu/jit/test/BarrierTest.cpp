// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shared memory, block barriers with divergent control flow around them, deadlocks.

#include "simgpu/jit/Executor.h"
#include "simgpu/jit/test/TestKernels.h"
#include <numeric>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

#define BARRIER "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"

/// Halves the active threads in each round: the sum is wrong if any thread passes a barrier early.
const std::string sumText = kernelText("ptr %in, ptr %out", R"(
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = mul i32 %b, %n
  %i = add i32 %o, %t
  %ip = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %ip
  %own = getelementptr [256 x i32], ptr addrspace(3) @partial, i32 0, i32 %t
  store i32 %v, ptr addrspace(3) %own
  %half0 = lshr i32 %n, 1
  br label %round
round:
  %half = phi i32 [ %half0, %0 ], [ %next, %join ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %active = icmp ult i32 %t, %half
  br i1 %active, label %add, label %join
add:
  %j = add i32 %t, %half
  %other = getelementptr [256 x i32], ptr addrspace(3) @partial, i32 0, i32 %j
  %x = load i32, ptr addrspace(3) %own
  %y = load i32, ptr addrspace(3) %other
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(3) %own
  br label %join
join:
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %round, label %done
done:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %end
write:
  %r = load i32, ptr addrspace(3) %own
  %op = getelementptr i32, ptr %out, i32 %b
  store i32 %r, ptr %op
  br label %end
end:)",
                                       "@partial = internal addrspace(3) global [256 x i32] undef, align 16");

TEST(Barrier, ReducesInSharedMemory) {
  TestModule module(sumText);
  EXPECT_TRUE(module.kernel().usesFibers());
  EXPECT_EQ(module.kernel().staticSharedBytes(), 1024u);
  std::vector<int> in(1024), out(4);
  std::iota(in.begin(), in.end(), 1);
  int *inAddress = in.data(), *outAddress = out.data();
  module.run({{4, 1, 1}, {256, 1, 1}}, {&inAddress, &outAddress});
  for (int b = 0; b != 4; ++b)
    EXPECT_EQ(out[b], std::accumulate(in.begin() + 256 * b, in.begin() + 256 * (b + 1), 0));
}

TEST(Barrier, WorksInALoopOfDifferentLength) {
  // Thread t goes round t + 1 times; those that leave do not count any more. In each round the threads add 1 before the
  // barrier and read after it, so round r reads the sum of all threads that were still there.
  TestModule module(kernelText("ptr %out, i32 %n", R"(
  br label %loop
loop:
  %r = phi i32 [ 0, %0 ], [ %next, %loop ]
  %c = getelementptr [64 x i32], ptr addrspace(3) @count, i32 0, i32 %r
  %old = atomicrmw add ptr addrspace(3) %c, i32 1 monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load volatile i32, ptr addrspace(3) %c
  %row = mul i32 %t, %n
  %i = add i32 %row, %r
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %seen, ptr %p
  %next = add i32 %r, 1
  %more = icmp ule i32 %next, %t
  br i1 %more, label %loop, label %end
end:)",
                               "@count = internal addrspace(3) global [64 x i32] undef"));
  int n = 20;
  std::vector<int> out(n * n, 0);
  int *address = out.data();
  module.run({{1, 1, 1}, {20, 1, 1}}, {&address, &n});
  const int poison = int(sharedMemoryPoison * 0x01010101u);
  for (int t = 0; t != n; ++t)
    for (int r = 0; r != n; ++r)
      EXPECT_EQ(out[t * n + r], r <= t ? poison + n - r : 0) << t << " " << r;
}

TEST(Barrier, OfBothBranchesIsTheSame) {
  TestModule module(kernelText("ptr %out", R"(
  %p = getelementptr i32, ptr %out, i32 %t
  %odd = trunc i32 %t to i1
  br i1 %odd, label %left, label %right
left:
  store i32 1, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  br label %join
right:
  store i32 2, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  br label %join
join:
  %o = xor i32 %t, 1
  %q = getelementptr i32, ptr %out, i32 %o
  %v = load i32, ptr %q
  %w = mul i32 %v, 10
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store i32 %w, ptr %p)",
                               "declare void @llvm.nvvm.barrier.cta.sync.all(i32)"));
  std::vector<int> out(6);
  int *address = out.data();
  module.run({{1, 1, 1}, {6, 1, 1}}, {&address});
  EXPECT_EQ(out, (std::vector<int>{10, 20, 10, 20, 10, 20}));
}

TEST(Barrier, IgnoresThreadsThatEndedBefore) {
  TestModule module(kernelText("ptr %out, i32 %n", R"(
  %stays = icmp ult i32 %t, %n
  br i1 %stays, label %work, label %end
work:
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 5, ptr %p
)" BARRIER R"(
  %s = getelementptr i32, ptr %out, i32 0
  %v = load i32, ptr %s
  store i32 %v, ptr %p
  br label %end
end:)"));
  std::vector<int> out(64, 1);
  int *address = out.data(), n = 40;
  module.run({{1, 1, 1}, {64, 1, 1}}, {&address, &n});
  for (int t = 0; t != 64; ++t)
    EXPECT_EQ(out[t], t < 40 ? 5 : 1);
}

TEST(Barrier, WithACountOpensAtThatCount) {
  // Threads 0 to 31 wait for 64 arrivals; 32 to 63 arrive without waiting, after writing.
  TestModule module(kernelText("ptr %out", R"(
  %p = getelementptr i32, ptr %out, i32 %t
  %consumer = icmp ult i32 %t, 32
  br i1 %consumer, label %wait, label %produce
wait:
  call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 64)
  %o = add i32 %t, 32
  %q = getelementptr i32, ptr %out, i32 %o
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  br label %end
produce:
  store i32 %t, ptr %p
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 1, i32 64)
  br label %end
end:)",
                               "declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)\n"
                               "declare void @llvm.nvvm.barrier.cta.arrive.count(i32, i32)"));
  std::vector<int> out(64, -1);
  int *address = out.data();
  module.run({{1, 1, 1}, {64, 1, 1}}, {&address});
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(out[t], t + 32);
}

TEST(Barrier, Reduces) {
  TestModule module(kernelText("ptr %out", R"(
  %odd = trunc i32 %t to i1
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  %or = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %odd)
  %and = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %odd)
  %o = zext i1 %or to i32
  %a = zext i1 %and to i32
  %o1 = mul i32 %o, 100
  %a1 = mul i32 %a, 1000
  %s = add i32 %n, %o1
  %s1 = add i32 %s, %a1
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %s1, ptr %p)",
                               "declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)\n"
                               "declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)\n"
                               "declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)"));
  std::vector<int> out(7);
  int *address = out.data();
  module.run({{1, 1, 1}, {7, 1, 1}}, {&address});
  EXPECT_EQ(out, std::vector<int>(7, 103));
}

TEST(Barrier, OfOldProgramsIsUpgraded) {
  TestModule module(kernelText("ptr %out", R"(
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %p
  call void @llvm.nvvm.barrier0()
  %o = xor i32 %t, 3
  %q = getelementptr i32, ptr %out, i32 %o
  %v = load i32, ptr %q
  call void @llvm.nvvm.barrier0()
  store i32 %v, ptr %p)",
                               "declare void @llvm.nvvm.barrier0()"));
  std::vector<int> out(4);
  int *address = out.data();
  module.run({{1, 1, 1}, {4, 1, 1}}, {&address});
  EXPECT_EQ(out, (std::vector<int>{3, 2, 1, 0}));
}

TEST(Deadlock, OfTwoBarriersIsNamed) {
  TestModule module(kernelText("", R"(
  %odd = trunc i32 %t to i1
  %id = zext i1 %odd to i32
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %id))",
                               "declare void @llvm.nvvm.barrier.cta.sync.all(i32)"));
  EXPECT_EQ(module.runForError({{2, 1, 1}, {4, 1, 1}}, {}),
            "deadlock in kernel 'k', block (0, 0, 0): none of its 4 live threads can go on; barrier 0: 2 of 4 arrived, "
            "first of those waiting (0, 0, 0); barrier 1: 2 of 4 arrived, first of those waiting (1, 0, 0)");
}

TEST(Deadlock, OfACountNeverReachedIsNamed) {
  TestModule module(kernelText("", "  call void @llvm.nvvm.barrier.cta.sync.count(i32 3, i32 64)",
                               "declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)"));
  EXPECT_NE(module.runForError({{1, 1, 1}, {32, 1, 1}}, {}).find("barrier 3: 32 of 64 arrived"), std::string::npos);
}

TEST(Deadlock, OfLanesThatNeverComeIsNamed) {
  TestModule module(kernelText("", R"(
  %zero = icmp eq i32 %t, 0
  br i1 %zero, label %barrier, label %shuffle
barrier:
)" BARRIER R"(
  br label %end
shuffle:
  call void @llvm.nvvm.bar.warp.sync(i32 3)
  br label %end
end:)",
                               "declare void @llvm.nvvm.bar.warp.sync(i32)"));
  EXPECT_EQ(module.runForError({{1, 1, 1}, {2, 1, 1}}, {}),
            "deadlock in kernel 'k', block (0, 0, 0): none of its 2 live threads can go on; barrier 0: 1 of 2 arrived, "
            "first of those waiting (0, 0, 0); warp 0: lanes 0x00000002 wait in bar.warp.sync for lanes 0x00000001");
}

TEST(Deadlock, LeavesTheDeviceUsable) {
  TestModule stuck(kernelText("", R"(
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %t))",
                              "declare void @llvm.nvvm.barrier.cta.sync.all(i32)"));
  llvm::Error error = stuck.kernel().run({{1, 1, 1}, {2, 1, 1}}, {});
  EXPECT_TRUE(error.isA<KernelDeadlock>());
  llvm::consumeError(std::move(error));
  TestModule module(sumText);
  std::vector<int> in(256, 1), out(1);
  int *inAddress = in.data(), *outAddress = out.data();
  module.run({{1, 1, 1}, {256, 1, 1}}, {&inAddress, &outAddress});
  EXPECT_EQ(out[0], 256);
}

TEST(Barrier, OutsideTheSixteenIsAnError) {
  TestModule module(kernelText("", "  call void @llvm.nvvm.barrier.cta.sync.all(i32 16)",
                               "declare void @llvm.nvvm.barrier.cta.sync.all(i32)"));
  EXPECT_EQ(module.runForError({{1, 1, 1}, {1, 1, 1}}, {}), "kernel 'k' uses barrier 16; a block has 16");
}

TEST(Barrier, WithDifferentCountsIsAnError) {
  TestModule module(kernelText("", R"(
  %c = add i32 %t, 2
  call void @llvm.nvvm.barrier.cta.sync.count(i32 0, i32 %c))",
                               "declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)"));
  EXPECT_EQ(module.runForError({{1, 1, 1}, {2, 1, 1}}, {}),
            "kernel 'k': threads arrive at barrier 0 with different thread counts");
}

TEST(Yield, LetsAThreadWaitForAnother) {
  // Thread 0 waits for a flag that the last thread sets; it can only end because nanosleep lets others run.
  TestModule module(kernelText("ptr %flag, i32 %last", R"(
  %setter = icmp eq i32 %t, %last
  br i1 %setter, label %set, label %wait
set:
  store atomic i32 1, ptr %flag seq_cst, align 4
  br label %end
wait:
  %v = load atomic i32, ptr %flag seq_cst, align 4
  %ready = icmp ne i32 %v, 0
  br i1 %ready, label %end, label %again
again:
  call void @llvm.nvvm.nanosleep(i32 100)
  br label %wait
end:)",
                               "declare void @llvm.nvvm.nanosleep(i32)"));
  int flag = 0, *address = &flag, last = 7;
  module.run({{1, 1, 1}, {8, 1, 1}}, {&address, &last});
  EXPECT_EQ(flag, 1);
}

/// Thread 0 waits for what the last thread does; it can only end if others run meanwhile.
void expectThreadsProgress(const std::string &wait) {
  TestModule module(kernelText("ptr %flag, i32 %last", R"(
  %setter = icmp eq i32 %t, %last
  br i1 %setter, label %set, label %wait
set:
  store atomic i32 1, ptr %flag seq_cst, align 4
  br label %end
wait:
)" + wait + R"(
  br i1 %ready, label %end, label %wait
end:)"));
  EXPECT_TRUE(module.kernel().usesFibers());
  int flag = 0, *address = &flag, last = 7;
  module.run({{1, 1, 1}, {8, 1, 1}}, {&address, &last});
  EXPECT_EQ(flag, 1);
}

TEST(WaitingLoop, OnAnAtomicLoad) {
  expectThreadsProgress("  %v = load atomic i32, ptr %flag monotonic, align 4\n  %ready = icmp ne i32 %v, 0");
}

TEST(WaitingLoop, OnAVolatileLoad) {
  expectThreadsProgress("  %v = load volatile i32, ptr %flag\n  %ready = icmp ne i32 %v, 0");
}

TEST(WaitingLoop, OnACompareExchange) {
  expectThreadsProgress("  %r = cmpxchg ptr %flag, i32 1, i32 1 seq_cst seq_cst\n"
                        "  %ready = extractvalue {i32, i1} %r, 1");
}

TEST(WaitingLoop, IsNotAnUpdateThatIsTriedAgain) {
  TestModule module(kernelText("ptr %p", R"(
  %first = load i32, ptr %p
  br label %again
again:
  %old = phi i32 [ %first, %0 ], [ %seen, %again ]
  %new = mul i32 %old, 3
  %r = cmpxchg ptr %p, i32 %old, i32 %new seq_cst seq_cst
  %seen = extractvalue {i32, i1} %r, 0
  %ok = extractvalue {i32, i1} %r, 1
  br i1 %ok, label %end, label %again
end:)"));
  EXPECT_FALSE(module.kernel().usesFibers());
  int value = 1, *address = &value;
  module.run({{1, 1, 1}, {4, 1, 1}}, {&address});
  EXPECT_EQ(value, 81);
}

TEST(Exit, EndsAThreadInsideACalledFunction) {
  TestModule module(kernelText("ptr %out", R"(
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 1, ptr %p
  call void @leave(i32 %t)
)" BARRIER R"(
  store i32 2, ptr %p)",
                               R"(
declare void @llvm.nvvm.exit()
define internal void @leave(i32 %t) noinline {
  %odd = trunc i32 %t to i1
  br i1 %odd, label %exit, label %stay
exit:
  call void @llvm.nvvm.exit()
  ret void
stay:
  ret void
})"));
  std::vector<int> out(4);
  int *address = out.data();
  module.run({{1, 1, 1}, {4, 1, 1}}, {&address});
  EXPECT_EQ(out, (std::vector<int>{2, 1, 2, 1}));
}

} // namespace
