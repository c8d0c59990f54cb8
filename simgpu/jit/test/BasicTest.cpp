// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread and block indices, parameters, module loading, what is refused.

#include "simgpu/jit/test/TestKernels.h"
#include <cstring>
#include <thread>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

const std::string scaleText = kernelText("ptr addrspace(1) %data, float %factor, i32 %n", R"(
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %w
  %i = add i32 %o, %t
  %in = icmp ult i32 %i, %n
  br i1 %in, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %data, i32 %i
  %v = load float, ptr addrspace(1) %p
  %s = fmul float %v, %factor
  store float %s, ptr addrspace(1) %p
  br label %end
end:)");

TEST(Basic, ScalesAnArray) {
  TestModule module(scaleText);
  std::vector<float> data(100, 3.0f);
  float *address = data.data(), factor = 2.0f;
  int n = 90;
  module.run({{4, 1, 1}, {32, 1, 1}}, {&address, &factor, &n});
  for (int i = 0; i != 100; ++i)
    EXPECT_EQ(data[i], i < 90 ? 6.0f : 3.0f) << i;
  EXPECT_FALSE(module.kernel().usesFibers());
}

TEST(Basic, DescribesParameters) {
  TestModule module(kernelText("i8 %a, double %b, i1 %c, <4 x float> %d, ptr byval({i32, i64}) align 8 %e", ""));
  auto parameters = module.kernel().parameters();
  ASSERT_EQ(parameters.size(), 5u);
  const KernelParameter expected[] = {{1, 1, 0}, {8, 8, 8}, {1, 1, 16}, {16, 16, 32}, {16, 8, 48}};
  for (unsigned i = 0; i != 5; ++i) {
    EXPECT_EQ(parameters[i].sizeBytes, expected[i].sizeBytes) << i;
    EXPECT_EQ(parameters[i].alignBytes, expected[i].alignBytes) << i;
    EXPECT_EQ(parameters[i].offsetBytes, expected[i].offsetBytes) << i;
  }
}

TEST(Basic, RefusesWrongNumberOfArguments) {
  TestModule module(scaleText);
  EXPECT_EQ(module.runForError({{1, 1, 1}, {1, 1, 1}}, {}), "kernel 'k' takes 3 parameters, got 0");
}

TEST(Basic, RefusesEmptyDimension) {
  TestModule module(kernelText("", ""));
  EXPECT_EQ(module.runForError({{1, 0, 1}, {1, 1, 1}}, {}), "kernel 'k' is launched with a dimension of 0");
}

/// Writes the thread's six coordinates, so that a wrong axis or a skipped thread is seen.
const std::string coordinatesText = kernelText("ptr %out", R"(
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %b0 = mul i32 %bz, %gy
  %b1 = add i32 %b0, %by
  %b2 = mul i32 %b1, %gx
  %b = add i32 %b2, %bx
  %i0 = mul i32 %b, %nz
  %i1 = add i32 %i0, %tz
  %i2 = mul i32 %i1, %ny
  %i3 = add i32 %i2, %ty
  %i4 = mul i32 %i3, %nx
  %i = add i32 %i4, %t
  %p = getelementptr i32, ptr %out, i32 %i
  %c0 = shl i32 %bz, 20
  %c1 = shl i32 %by, 16
  %c2 = shl i32 %bx, 12
  %c3 = shl i32 %tz, 8
  %c4 = shl i32 %ty, 4
  %d0 = or i32 %c0, %c1
  %d1 = or i32 %c2, %c3
  %d2 = or i32 %c4, %t
  %d3 = or i32 %d0, %d1
  %d = or i32 %d3, %d2
  store i32 %d, ptr %p)");

TEST(Basic, WalksThreeDimensions) {
  TestModule module(coordinatesText);
  const Dim3 grid{3, 4, 2}, block{5, 2, 3};
  std::vector<uint32_t> out(3 * 4 * 2 * 5 * 2 * 3, ~0u);
  uint32_t *address = out.data();
  module.run({grid, block}, {&address});
  size_t i = 0;
  for (uint32_t bz = 0; bz != grid.z; ++bz)
    for (uint32_t by = 0; by != grid.y; ++by)
      for (uint32_t bx = 0; bx != grid.x; ++bx)
        for (uint32_t tz = 0; tz != block.z; ++tz)
          for (uint32_t ty = 0; ty != block.y; ++ty)
            for (uint32_t tx = 0; tx != block.x; ++tx)
              ASSERT_EQ(out[i++], bz << 20 | by << 16 | bx << 12 | tz << 8 | ty << 4 | tx);
}

TEST(Basic, KnowsLaneAndWarp) {
  TestModule module(kernelText("ptr %out", R"(
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %ty, 20
  %i = add i32 %row, %t
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  %warps = call i32 @llvm.nvvm.read.ptx.sreg.nwarpid()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %w0 = mul i32 %warp, %size
  %w1 = add i32 %w0, %lane
  %w2 = mul i32 %warps, 1000
  %w3 = add i32 %w2, %w1
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %w3, ptr %p)",
                               R"(
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.nwarpid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize())"));
  std::vector<uint32_t> out(60);
  uint32_t *address = out.data();
  module.run({{1, 1, 1}, {20, 3, 1}}, {&address});
  for (uint32_t i = 0; i != 60; ++i)
    EXPECT_EQ(out[i], 2000 + i);
}

TEST(Basic, PassesStructsByValueAndKeepsThemPrivate) {
  // Each thread changes its copy; nobody sees another's change.
  TestModule module(kernelText("ptr byval({i32, i64}) align 8 %s, i1 %flag, ptr %out", R"(
  %f = getelementptr {i32, i64}, ptr %s, i32 0, i32 1
  %a = load i64, ptr %f
  %w = zext i32 %t to i64
  %b = add i64 %a, %w
  store i64 %b, ptr %f
  %c = load i64, ptr %f
  %fl = zext i1 %flag to i64
  %d = add i64 %c, %fl
  %p = getelementptr i64, ptr %out, i32 %t
  store i64 %d, ptr %p)"));
  struct {
    int32_t a;
    int64_t b;
  } argument{7, 100};
  bool flag = true;
  std::vector<int64_t> out(4);
  int64_t *address = out.data();
  module.run({{1, 1, 1}, {4, 1, 1}}, {&argument, &flag, &address});
  EXPECT_EQ(out, (std::vector<int64_t>{101, 102, 103, 104}));
  EXPECT_EQ(argument.b, 100);
}

TEST(Basic, CallsDeviceFunctionsDirectlyAndThroughPointers) {
  TestModule module(kernelText("ptr %out", R"(
  %d = call i32 @twice()
  %odd = trunc i32 %t to i1
  %f = select i1 %odd, ptr @one, ptr @two
  %r = call i32 %f(i32 %d)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p)",
                               R"(
define internal i32 @twice() noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = mul i32 %t, 2
  ret i32 %d
}
define i32 @one(i32 %x) noinline {
  %r = add i32 %x, 1
  ret i32 %r
}
define i32 @two(i32 %x) noinline {
  %r = add i32 %x, 2
  ret i32 %r
})"));
  std::vector<int> out(4);
  int *address = out.data();
  module.run({{1, 1, 1}, {4, 1, 1}}, {&address});
  EXPECT_EQ(out, (std::vector<int>{2, 3, 6, 7}));
}

TEST(Basic, ReportsThreadBound) {
  TestModule module("define ptx_kernel void @k() \"nvvm.maxntid\"=\"64,2,1\" { ret void }\n"
                    "define ptx_kernel void @r() \"nvvm.reqntid\"=\"32\" { ret void }\n"
                    "define ptx_kernel void @n() { ret void }");
  EXPECT_EQ(module.kernel().maxThreadsPerBlock(), 128u);
  EXPECT_EQ(module.kernel("r").maxThreadsPerBlock(), 32u);
  EXPECT_EQ(module.kernel("n").maxThreadsPerBlock(), 0u);
}

TEST(Basic, FindsKernelsByAnnotation) {
  TestModule module("define void @old() { ret void }\ndefine void @helper() { ret void }\n"
                    "!nvvm.annotations = !{!0}\n!0 = !{ptr @old, !\"kernel\", i32 1, !\"maxntidx\", i32 96}");
  EXPECT_EQ(module.kernel("old").maxThreadsPerBlock(), 96u);
  EXPECT_EQ(module.module->findKernel("helper"), nullptr);
}

TEST(Basic, RunsOnSeveralThreadsAtOnce) {
  TestModule module(scaleText);
  std::vector<std::vector<float>> data(4, std::vector<float>(1000, 1.0f));
  std::vector<std::thread> threads;
  for (std::vector<float> &own : data)
    threads.emplace_back([&] {
      float *address = own.data(), factor = 2.0f;
      int n = 1000;
      for (int i = 0; i != 20; ++i)
        module.run({{10, 1, 1}, {100, 1, 1}}, {&address, &factor, &n});
    });
  for (std::thread &thread : threads)
    thread.join();
  for (std::vector<float> &own : data)
    EXPECT_EQ(own, std::vector<float>(1000, 1048576.0f));
}

TEST(Refused, UnknownFunctionByName) {
  EXPECT_EQ(loadError(assemble("declare void @mystery(i32)\ndefine ptx_kernel void @k() {\n"
                               "  call void @mystery(i32 1)\n  ret void\n}")),
            "function 'k' calls 'mystery', which the simulated device does not know");
}

TEST(Refused, UnknownIntrinsicByName) {
  EXPECT_EQ(loadError(assemble("declare void @llvm.nvvm.mbarrier.init(ptr, i32)\ndefine ptx_kernel void @k(ptr %p) {\n"
                               "  call void @llvm.nvvm.mbarrier.init(ptr %p, i32 1)\n  ret void\n}")),
            "function 'k' calls 'llvm.nvvm.mbarrier.init', which the simulated device does not know");
}

TEST(Refused, AddressOfUnknownFunction) {
  EXPECT_EQ(loadError(assemble("declare void @mystery()\ndefine ptx_kernel void @k(ptr %p) {\n"
                               "  store ptr @mystery, ptr %p\n  ret void\n}")),
            "the address of 'mystery' is taken, which the simulated device does not know");
}

TEST(Refused, InlineAssembly) {
  EXPECT_NE(loadError(assemble("define ptx_kernel void @k() {\n  call void asm \"bar.sync 0;\", \"\"()\n  ret void\n}"))
                .find("inline assembly (\"bar.sync 0;\")"),
            std::string::npos);
}

TEST(Refused, VariableWithoutDefinition) {
  EXPECT_EQ(loadError(assemble("@v = external addrspace(1) global i32\ndefine ptx_kernel void @k() {\n"
                               "  store i32 1, ptr addrspace(1) @v\n  ret void\n}")),
            "variable 'v' is declared but not defined in the module");
}

} // namespace
