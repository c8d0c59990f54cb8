// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Module variables, constants, static and dynamic shared memory.

#include "simgpu/jit/Executor.h"
#include "simgpu/jit/test/TestKernels.h"
#include <cstring>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

TEST(Variables, HoldTheirInitialValues) {
  TestModule module(R"(
%pair = type { i8, double }
@numbers = addrspace(1) global [3 x i32] [i32 7, i32 8, i32 9]
@mixed = addrspace(1) global { i8, %pair, [2 x half] }
    { i8 1, %pair { i8 2, double 2.5 }, [2 x half] [half 1.0, half -2.0] }
@where = addrspace(1) global ptr
    addrspacecast (ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @numbers, i32 2) to ptr)
@table = addrspace(4) externally_initialized constant [2 x i16] [i16 5, i16 6]
@zero = addrspace(1) global [4 x i64] zeroinitializer
@hidden = internal addrspace(1) global i32 3
define ptx_kernel void @k(ptr %out) {
  %p = load ptr, ptr addrspace(1) @where
  %v = load i32, ptr %p
  store i32 %v, ptr %out
  %h = load i32, ptr addrspace(1) @hidden
  %h1 = add i32 %h, 1
  store i32 %h1, ptr addrspace(1) @hidden
  ret void
})");
  auto numbers = module.module->findGlobal("numbers");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->sizeBytes, 12u);
  EXPECT_EQ(static_cast<int *>(numbers->address)[1], 8);
  auto mixed = module.module->findGlobal("mixed");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->sizeBytes, 32u);
  auto *bytes = static_cast<char *>(mixed->address);
  double number;
  memcpy(&number, bytes + 16, 8);
  uint16_t halves[2];
  memcpy(halves, bytes + 24, 4);
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[8], 2);
  EXPECT_EQ(number, 2.5);
  EXPECT_EQ(halves[0], 0x3C00);
  EXPECT_EQ(halves[1], 0xC000);
  auto table = module.module->findGlobal("table");
  ASSERT_TRUE(table);
  EXPECT_EQ(static_cast<int16_t *>(table->address)[1], 6);
  EXPECT_EQ(static_cast<int64_t *>(module.module->findGlobal("zero")->address)[3], 0);
  EXPECT_FALSE(module.module->findGlobal("hidden"));
  EXPECT_FALSE(module.module->findGlobal("k"));
  int out = 0, *address = &out;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&address});
  EXPECT_EQ(out, 9);
}

const std::string counterText = "@counter = addrspace(1) global i32 100\n"
                                "define ptx_kernel void @k() {\n"
                                "  %old = atomicrmw add ptr addrspace(1) @counter, i32 1 monotonic\n  ret void\n}";

TEST(Variables, BelongToTheModuleInstance) {
  TestModule one(counterText), two(counterText);
  one.run({{1, 1, 1}, {10, 1, 1}}, {});
  EXPECT_EQ(*static_cast<int *>(one.module->findGlobal("counter")->address), 110);
  EXPECT_EQ(*static_cast<int *>(two.module->findGlobal("counter")->address), 100);
}

TEST(Variables, NeedMemory) {
  HostAllocator allocator;
  allocator.exhausted = true;
  auto loaded = Module::load(assemble(counterText), allocator);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(llvm::toString(loaded.takeError()), "no device memory for variable 'counter' of 4 bytes");
}

TEST(Variables, MayNotHoldFunctionAddresses) {
  EXPECT_EQ(loadError(assemble("@f = addrspace(1) global ptr @g\ndefine void @g() { ret void }\n"
                               "define ptx_kernel void @k(ptr %p) {\n  %v = load ptr, ptr addrspace(1) @f\n"
                               "  store ptr %v, ptr %p\n  ret void\n}")),
            "the initial value of variable 'f' holds an address that has no place in device memory");
}

TEST(Shared, DynamicMemoryFollowsStatic) {
  TestModule module(kernelText("ptr %out", R"(
  %s = addrspacecast ptr addrspace(3) @fixed to ptr
  %d = addrspacecast ptr addrspace(3) @dynamic to ptr
  %si = ptrtoint ptr %s to i64
  %di = ptrtoint ptr %d to i64
  %distance = sub i64 %di, %si
  store i64 %distance, ptr %out
  %p = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 15
  %x = load i32, ptr addrspace(3) %p
  %size = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  %x1 = zext i32 %x to i64
  %size1 = zext i32 %size to i64
  %o1 = getelementptr i64, ptr %out, i32 1
  store i64 %x1, ptr %o1
  %o2 = getelementptr i64, ptr %out, i32 2
  store i64 %size1, ptr %o2)",
                               "@fixed = internal addrspace(3) global [5 x i32] undef\n"
                               "@dynamic = external addrspace(3) global [0 x i32], align 16\n"
                               "declare i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()"));
  EXPECT_EQ(module.kernel().staticSharedBytes(), 20u);
  std::vector<uint64_t> out(3);
  uint64_t *address = out.data();
  module.run({{1, 1, 1}, {1, 1, 1}, 64}, {&address});
  EXPECT_EQ(out[0], dynamicSharedAlignBytes);
  EXPECT_EQ(out[1], sharedMemoryPoison * 0x01010101u);
  EXPECT_EQ(out[2], 64u);
}

TEST(Shared, BeyondTheEndFaults) {
  TestModule module(kernelText("i32 %i", R"(
  %p = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %p)",
                               "@dynamic = external addrspace(3) global [0 x i32], align 16"));
  int i = 31;
  module.run({{1, 1, 1}, {1, 1, 1}, 128}, {&i});
  i = 32;
  EXPECT_NE(module.runForError({{1, 1, 1}, {1, 1, 1}, 128}, {&i}), "");
}

TEST(Shared, IsFreshInEachBlock) {
  TestModule module(kernelText("ptr %out", R"(
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = load i32, ptr addrspace(3) @s
  %p = getelementptr i32, ptr %out, i32 %b
  store i32 %v, ptr %p
  store volatile i32 1, ptr addrspace(3) @s)",
                               "@s = internal addrspace(3) global i32 undef"));
  std::vector<uint32_t> out(3);
  uint32_t *address = out.data();
  module.run({{3, 1, 1}, {1, 1, 1}}, {&address});
  EXPECT_EQ(out, std::vector<uint32_t>(3, sharedMemoryPoison * 0x01010101u));
}

TEST(Shared, KernelsOverlapAndShareWhatBothReach) {
  TestModule module(R"(
@both = internal addrspace(3) global [4 x i32] undef
@first = internal addrspace(3) global [100 x i32] undef
@second = internal addrspace(3) global [10 x i32] undef
define internal void @use() noinline {
  store volatile i32 1, ptr addrspace(3) @both
  ret void
}
define ptx_kernel void @k() {
  call void @use()
  store volatile i32 1, ptr addrspace(3) @first
  ret void
}
define ptx_kernel void @l() {
  call void @use()
  store volatile i32 1, ptr addrspace(3) getelementptr ([10 x i32], ptr addrspace(3) @second, i32 0, i32 9)
  ret void
}
define ptx_kernel void @none() { ret void })");
  EXPECT_EQ(module.kernel("k").staticSharedBytes(), 416u);
  EXPECT_EQ(module.kernel("l").staticSharedBytes(), 56u);
  EXPECT_EQ(module.kernel("none").staticSharedBytes(), 0u);
  module.run({{1, 1, 1}, {1, 1, 1}}, {});
}

TEST(Locals, StayPrivate) {
  TestModule module(kernelText("ptr %out", R"(
  %a = alloca [8 x i32]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %t
  store volatile i32 %t, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load volatile i32, ptr %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o)"));
  std::vector<int> out(8);
  int *address = out.data();
  module.run({{1, 1, 1}, {8, 1, 1}}, {&address});
  for (int i = 0; i != 8; ++i)
    EXPECT_EQ(out[i], i);
}

} // namespace
