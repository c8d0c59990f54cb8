// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread and block indices, loads and stores, parameters, what is refused.

#include "simgpu/jit/test/TestKernels.h"

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;
using testing::Test;

namespace {

constexpr const char *scaleText = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @k(ptr addrspace(1) %data, float %factor, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
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
end:
  ret void
}
)";

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
  TestModule module(scaleText);
  auto parameters = module.kernel().parameters();
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[1].offsetBytes, 8u);
  EXPECT_EQ(parameters[1].sizeBytes, 4u);
  EXPECT_EQ(parameters[2].offsetBytes, 12u);
}

TEST(Basic, RefusesWrongNumberOfArguments) {
  TestModule module(scaleText);
  EXPECT_EQ(module.runForError({{1, 1, 1}, {1, 1, 1}}, {}), "kernel 'k' takes 3 parameters, got 0");
}

} // namespace
