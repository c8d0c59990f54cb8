// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Types and operations: integers of every width, floats of every width, vectors, conversions.

#include "simgpu/jit/test/TestKernels.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

/// Runs `result = body(a, b)` for one thread; %a and %b are of type `in`, %r of type `out`.
template <typename Out, typename In>
Out compute(const std::string &in, const std::string &out, const std::string &body, In a, In b,
            const std::string &outside = "") {
  TestModule module(
      kernelText(in + " %a, " + in + " %b, ptr %out", body + "\n  store " + out + " %r, ptr %out", outside));
  Out result{};
  Out *address = &result;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&a, &b, &address});
  return result;
}

template <typename T> void checkInteger(const std::string &type) {
  using Unsigned = std::make_unsigned_t<T>;
  const T a = std::numeric_limits<T>::min() + 5, b = 3;
  auto run = [&](const char *operation) {
    return compute<T>(type, type, "  %r = " + std::string(operation) + " " + type + " %a, %b", a, b);
  };
  EXPECT_EQ(run("add"), T(a + b));
  EXPECT_EQ(run("sub"), T(Unsigned(a) - Unsigned(b)));
  EXPECT_EQ(run("mul"), T(Unsigned(a) * Unsigned(b)));
  EXPECT_EQ(run("sdiv"), T(a / b));
  EXPECT_EQ(run("udiv"), T(Unsigned(a) / Unsigned(b)));
  EXPECT_EQ(run("srem"), T(a % b));
  EXPECT_EQ(run("shl"), T(Unsigned(a) << b));
  EXPECT_EQ(run("ashr"), T(a >> b));
  EXPECT_EQ(run("lshr"), T(Unsigned(a) >> b));
  EXPECT_EQ(run("xor"), T(a ^ b));
}

TEST(Arithmetic, IntegersOfEveryWidth) {
  checkInteger<int8_t>("i8");
  checkInteger<int16_t>("i16");
  checkInteger<int32_t>("i32");
  checkInteger<int64_t>("i64");
}

TEST(Arithmetic, IntegersOf128Bits) {
  __int128 a = (__int128(1) << 100) + 12345, b = 977;
  auto quotient = compute<__int128>("i128", "i128", "  %r = sdiv i128 %a, %b", a, b);
  EXPECT_TRUE(quotient == a / b);
}

TEST(Arithmetic, Booleans) {
  EXPECT_EQ(compute<uint8_t>("i1", "i8", "  %x = xor i1 %a, %b\n  %r = zext i1 %x to i8", uint8_t(1), uint8_t(0)), 1);
  EXPECT_EQ(compute<uint8_t>("i1", "i8", "  %x = and i1 %a, %b\n  %r = zext i1 %x to i8", uint8_t(1), uint8_t(0)), 0);
}

template <typename T> void checkFloat(const std::string &type) {
  const T a = T(1) / T(3), b = T(-7.25);
  auto run = [&](const char *operation) {
    return compute<T>(type, type, "  %r = " + std::string(operation) + " " + type + " %a, %b", a, b);
  };
  EXPECT_EQ(run("fadd"), a + b);
  EXPECT_EQ(run("fsub"), a - b);
  EXPECT_EQ(run("fmul"), a * b);
  EXPECT_EQ(run("fdiv"), a / b);
  EXPECT_EQ(run("frem"), std::fmod(a, b));
}

TEST(Arithmetic, Floats) {
  checkFloat<float>("float");
  checkFloat<double>("double");
}

TEST(Arithmetic, MultiplyAndAddStaySeparate) {
  // Fused, the result would be the rounding error of the product instead of 0.
  float a = 1.0f + 0x1p-12f, b = a;
  EXPECT_EQ(compute<float>("float", "float",
                           "  %p = fmul float %a, %b\n  %q = fmul float %a, %b\n  %n = fneg float %q\n"
                           "  %r = fadd float %p, %n",
                           a, b),
            0.0f);
}

uint16_t halfOf(float value, const std::string &type) {
  return compute<uint16_t>(
      "float", "i16", "  %h = fptrunc float %a to " + type + "\n  %r = bitcast " + type + " %h to i16", value, 0.0f);
}

TEST(Arithmetic, HalfConversions) {
  EXPECT_EQ(halfOf(1.0f, "half"), 0x3C00);
  EXPECT_EQ(halfOf(-2.5f, "half"), 0xC100);
  EXPECT_EQ(halfOf(65504.0f, "half"), 0x7BFF);
  EXPECT_EQ(halfOf(65520.0f, "half"), 0x7C00);
  EXPECT_EQ(halfOf(0x1p-24f, "half"), 0x0001);
  EXPECT_EQ(halfOf(0x1p-25f, "half"), 0x0000);
  EXPECT_EQ(halfOf(0x1.8p-24f, "half"), 0x0002);
  EXPECT_EQ(halfOf(0x1.ffcp-15f, "half"), 0x0400);
  // Ties go to even.
  EXPECT_EQ(halfOf(1.0f + 0x1p-11f, "half"), 0x3C00);
  EXPECT_EQ(halfOf(1.0f + 0x1.8p-10f, "half"), 0x3C02);
  EXPECT_EQ(halfOf(INFINITY, "half"), 0x7C00);
  EXPECT_EQ(halfOf(NAN, "half") & 0x7E00, 0x7E00);
}

TEST(Arithmetic, BfloatConversions) {
  EXPECT_EQ(halfOf(1.0f, "bfloat"), 0x3F80);
  EXPECT_EQ(halfOf(3.14159265f, "bfloat"), 0x4049);
  EXPECT_EQ(halfOf(1.0f + 0x1p-8f, "bfloat"), 0x3F80);
  EXPECT_EQ(halfOf(1.0f + 0x1.8p-7f, "bfloat"), 0x3F82);
  EXPECT_EQ(halfOf(3.4e38f, "bfloat"), 0x7F80);
}

TEST(Arithmetic, DoubleToHalfRoundsOnce) {
  // Through float this would round up twice.
  double value = 1.0 + 0x1p-11 + 0x1p-30;
  EXPECT_EQ(
      compute<uint16_t>("double", "i16", "  %h = fptrunc double %a to half\n  %r = bitcast half %h to i16", value, 0.0),
      0x3C01);
}

TEST(Arithmetic, HalfAdds) {
  EXPECT_EQ(compute<float>("i16", "float",
                           "  %x = bitcast i16 %a to half\n  %y = bitcast i16 %b to half\n  %s = fadd half %x, %y\n"
                           "  %r = fpext half %s to float",
                           uint16_t(0x3C00), uint16_t(0x0001)),
            1.0f);
  EXPECT_EQ(compute<float>("i16", "float", "  %x = bitcast i16 %a to half\n  %r = fpext half %x to float",
                           uint16_t(0x8001), uint16_t(0)),
            -0x1p-24f);
}

TEST(Arithmetic, Vectors) {
  struct alignas(16) Four {
    float v[4];
  };
  Four r = compute<Four>("<4 x float>", "<4 x float>",
                         "  %m = fmul <4 x float> %a, %b\n"
                         "  %r = shufflevector <4 x float> %m, <4 x float> %a, <4 x i32> <i32 3, i32 2, i32 4, i32 0>",
                         Four{{1, 2, 3, 4}}, Four{{10, 20, 30, 40}});
  EXPECT_EQ(r.v[0], 160);
  EXPECT_EQ(r.v[1], 90);
  EXPECT_EQ(r.v[2], 1);
  EXPECT_EQ(r.v[3], 10);
}

TEST(Arithmetic, ConversionsRoundAsTheirModeSays) {
  auto convert = [](const std::string &mode, double value) {
    return compute<int>("double", "i32", "  %r = call i32 @llvm.nvvm.d2i." + mode + "(double %a)", value, 0.0,
                        "declare i32 @llvm.nvvm.d2i." + mode + "(double)");
  };
  EXPECT_EQ(convert("rn", 2.5), 2);
  EXPECT_EQ(convert("rz", -2.7), -2);
  EXPECT_EQ(convert("rm", -2.2), -3);
  EXPECT_EQ(convert("rp", 2.2), 3);
  EXPECT_EQ(convert("rz", 1e20), std::numeric_limits<int>::max());
  EXPECT_EQ(convert("rz", NAN), 0);
}

TEST(Arithmetic, RoundsInEveryDirection) {
  auto divide = [](const std::string &mode, float a, float b) {
    return compute<float>("float", "float", "  %r = call float @llvm.nvvm.div." + mode + ".f(float %a, float %b)", a, b,
                          "declare float @llvm.nvvm.div." + mode + ".f(float, float)");
  };
  // A third lies between two floats; the nearer one is above.
  float above = 1.0f / 3.0f, below = std::nextafter(above, 0.0f);
  EXPECT_EQ(divide("rn", 1, 3), above);
  EXPECT_EQ(divide("rz", 1, 3), below);
  EXPECT_EQ(divide("rm", 1, 3), below);
  EXPECT_EQ(divide("rp", 1, 3), above);
  EXPECT_EQ(divide("rz", -1, 3), -below);
  EXPECT_EQ(divide("rm", -1, 3), -above);
  EXPECT_EQ(divide("rp", -1, 3), -below);
  // Afterwards the host rounds to nearest again.
  volatile float one = 1, three = 3;
  EXPECT_EQ(one / three, above);
}

TEST(Arithmetic, NvvmOperations) {
  auto unary = [](const std::string &name, float value) {
    return compute<float>("float", "float", "  %r = call float @llvm.nvvm." + name + "(float %a)", value, 0.0f,
                          "declare float @llvm.nvvm." + name + "(float)");
  };
  EXPECT_EQ(unary("rcp.rn.f", 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(unary("sqrt.approx.f", 2.0f), std::sqrt(2.0f));
  EXPECT_EQ(unary("rsqrt.approx.f", 4.0f), 0.5f);
  EXPECT_EQ(unary("ex2.approx.f", 3.0f), 8.0f);
  EXPECT_EQ(unary("lg2.approx.f", 8.0f), 3.0f);
  EXPECT_EQ(unary("sin.approx.f", 1.0f), std::sin(1.0f));
  EXPECT_EQ(unary("saturate.f", 1.5f), 1.0f);
  EXPECT_EQ(unary("saturate.f", NAN), 0.0f);
  EXPECT_EQ(unary("round.f", 2.5f), 2.0f);
  auto integer = [](const std::string &name, int a, int b) {
    return compute<int>("i32", "i32", "  %r = call i32 @llvm.nvvm." + name + "(i32 %a, i32 %b)", a, b,
                        "declare i32 @llvm.nvvm." + name + "(i32, i32)");
  };
  EXPECT_EQ(integer("mulhi.i", -1, 2), -1);
  EXPECT_EQ(integer("mulhi.ui", -1, 2), 1);
  EXPECT_EQ(integer("mul24.i", 0x00FFFFFF, 3), -3);
}

} // namespace
