// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels as MLIR's own lowering produces them: gpu dialect, convert-gpu-to-nvvm, translation to LLVM IR.

#include "simgpu/jit/test/TestKernels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <numeric>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

/// The bitcode of the module called `name`: the string in its gpu.binary, whose special characters are written as a
/// backslash and two hexadecimal digits, or a backslash twice.
std::string lowered(llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(LOCKSTEP_JIT_TEST_KERNELS);
  if (!file) {
    ADD_FAILURE() << "cannot read " << LOCKSTEP_JIT_TEST_KERNELS;
    return "";
  }
  llvm::StringRef text = (*file)->getBuffer();
  text = text.substr(text.find(("gpu.binary @" + name + " ").str()));
  text = text.split('"').second.split('"').first;
  std::string image;
  while (!text.empty()) {
    if (text.consume_front("\\\\")) {
      image += '\\';
    } else if (text.consume_front("\\")) {
      image += llvm::fromHex(text.take_front(2));
      text = text.drop_front(2);
    } else {
      image += text.front();
      text = text.drop_front();
    }
  }
  return image;
}

/// The five parameters that a one-dimensional memref becomes.
template <typename T> struct MemRef {
  explicit MemRef(std::vector<T> &values) : allocated(values.data()), aligned(values.data()), size(values.size()) {}
  T *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;
};

#define MEMREF(m) &m.allocated, &m.aligned, &m.offset, &m.size, &m.stride

TEST(Mlir, AllReduceOverSeveralWarps) {
  TestModule module = TestModule::fromImage(lowered("all_reduce"));
  for (uint32_t threads : {1u, 7u, 32u, 48u, 100u, 1024u}) {
    std::vector<float> a(threads);
    std::iota(a.begin(), a.end(), 1.0f);
    std::vector<int> b(threads, -100);
    b[threads / 2] = -3;
    float sum = std::accumulate(a.begin(), a.end(), 0.0f);
    MemRef<float> am(a);
    MemRef<int> bm(b);
    module.run({{1, 1, 1}, {threads, 1, 1}}, {MEMREF(am), MEMREF(bm)});
    EXPECT_EQ(a, std::vector<float>(threads, sum));
    EXPECT_EQ(b, std::vector<int>(threads, -3));
  }
}

TEST(Mlir, MathAtomicsAndWorkgroupMemory) {
  TestModule module = TestModule::fromImage(lowered("math"));
  EXPECT_EQ(module.kernel().maxThreadsPerBlock(), 64u);
  EXPECT_EQ(module.kernel().staticSharedBytes(), 256u);
  std::vector<float> a(64), total(1, 0.0f);
  for (int i = 0; i != 64; ++i)
    a[i] = 0.1f * i;
  std::vector<float> in = a;
  MemRef<float> am(a), tm(total);
  module.run({{1, 1, 1}, {64, 1, 1}}, {MEMREF(am), MEMREF(tm)});
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(a[i], std::exp(std::sin(in[63 - i]))) << i;
  EXPECT_EQ(total[0], 64.0f);
}

TEST(Mlir, DynamicSharedMemoryAndShuffles) {
  TestModule module = TestModule::fromImage(lowered("shuffles"));
  std::vector<int> a(32);
  std::iota(a.begin(), a.end(), 0);
  MemRef<int> am(a);
  module.run({{1, 1, 1}, {32, 1, 1}, 128}, {MEMREF(am)});
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(a[t], t == 31 ? 31 : (t + 1) ^ 1) << t;
}

TEST(Mlir, Printf) {
  TestModule module = TestModule::fromImage(lowered("printf"));
  std::string printed;
  setPrintSink([&](llvm::StringRef text) { printed += text; });
  float f = 1.5f;
  module.run({{1, 1, 1}, {2, 1, 1}}, {&f});
  setPrintSink({});
  EXPECT_EQ(printed, "thread 0 has 1.50\nthread 1 has 1.50\n");
}

TEST(Mlir, VectorsAndHalves) {
  TestModule module = TestModule::fromImage(lowered("vectors"));
  struct alignas(16) Four {
    float v[4];
  };
  std::vector<Four> a{{{1, 2, 3, 4}}, {{5, 6, 7, 8}}};
  std::vector<uint16_t> h{0x4000, 0x4200};
  MemRef<Four> am(a);
  MemRef<uint16_t> hm(h);
  module.run({{1, 1, 1}, {2, 1, 1}}, {MEMREF(am), MEMREF(hm)});
  EXPECT_EQ(a[1].v[3], 16);
  EXPECT_EQ(h[0], 0x4400);
  EXPECT_EQ(h[1], 0x4880);
}

TEST(Mlir, PrivateConstants) {
  TestModule module = TestModule::fromImage(lowered("constants"));
  std::vector<int> a(4);
  MemRef<int> am(a);
  module.run({{1, 1, 1}, {4, 1, 1}}, {MEMREF(am)});
  EXPECT_EQ(a, (std::vector<int>{10, 20, 30, 40}));
}

} // namespace
