// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The math library of CUDA programs against the host's.

#include "simgpu/jit/test/TestKernels.h"
#include <cmath>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

/// Calls `NAME(%a, ...)` for one thread; `operands` and `declared` are argument and parameter lists.
template <typename T>
T call(const std::string &name, const std::string &type, const std::string &operands, const std::string &declared, T a,
       T b, T c = 0) {
  TestModule module(
      kernelText(type + " %a, " + type + " %b, " + type + " %c, ptr %out",
                 "  %r = call " + type + " @" + name + "(" + operands + ")\n  store " + type + " %r, ptr %out",
                 "declare " + type + " @" + name + "(" + declared + ")"));
  T result = T(-12345), *address = &result;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&a, &b, &c, &address});
  return result;
}

struct UnaryCase {
  const char *name;
  double (*host)(double);
  float (*hostFloat)(float);
  double argument;
};

class Unary : public testing::TestWithParam<UnaryCase> {};

TEST_P(Unary, IsTheHosts) {
  auto [name, host, hostFloat, argument] = GetParam();
  std::string base = std::string("__nv_") + name;
  EXPECT_EQ(call<double>(base, "double", "double %a", "double", argument, 0), host(argument));
  EXPECT_EQ(call<float>(base + "f", "float", "float %a", "float", float(argument), 0), hostFloat(float(argument)));
}

double rsqrtOf(double x) { return 1 / std::sqrt(x); }
float rsqrtOf(float x) { return 1 / std::sqrt(x); }

INSTANTIATE_TEST_SUITE_P(
    Math, Unary,
    testing::Values(UnaryCase{"sin", std::sin, std::sin, 0.7}, UnaryCase{"cos", std::cos, std::cos, 0.7},
                    UnaryCase{"tan", std::tan, std::tan, 0.7}, UnaryCase{"exp", std::exp, std::exp, 1.3},
                    UnaryCase{"exp2", std::exp2, std::exp2, 1.3}, UnaryCase{"exp10", exp10, exp10f, 1.3},
                    UnaryCase{"expm1", std::expm1, std::expm1, 0.01}, UnaryCase{"log", std::log, std::log, 3.3},
                    UnaryCase{"log2", std::log2, std::log2, 3.3}, UnaryCase{"log10", std::log10, std::log10, 3.3},
                    UnaryCase{"log1p", std::log1p, std::log1p, 0.01}, UnaryCase{"sqrt", std::sqrt, std::sqrt, 3.3},
                    UnaryCase{"rsqrt", rsqrtOf, rsqrtOf, 3.3}, UnaryCase{"cbrt", std::cbrt, std::cbrt, 3.3},
                    UnaryCase{"fabs", std::fabs, std::fabs, -3.3}, UnaryCase{"floor", std::floor, std::floor, -3.3},
                    UnaryCase{"ceil", std::ceil, std::ceil, -3.3}, UnaryCase{"trunc", std::trunc, std::trunc, -3.3},
                    UnaryCase{"rint", std::rint, std::rint, 2.5}, UnaryCase{"round", std::round, std::round, 2.5},
                    UnaryCase{"tanh", std::tanh, std::tanh, 0.7}, UnaryCase{"sinh", std::sinh, std::sinh, 0.7},
                    UnaryCase{"cosh", std::cosh, std::cosh, 0.7}, UnaryCase{"asin", std::asin, std::asin, 0.7},
                    UnaryCase{"acos", std::acos, std::acos, 0.7}, UnaryCase{"atan", std::atan, std::atan, 0.7},
                    UnaryCase{"erf", std::erf, std::erf, 0.7}, UnaryCase{"erfc", std::erfc, std::erfc, 0.7}),
    [](const testing::TestParamInfo<UnaryCase> &info) { return info.param.name; });

TEST(Math, TwoAndThreeOperands) {
  auto two = [](const std::string &name, double a, double b) {
    return call<double>("__nv_" + name, "double", "double %a, double %b", "double, double", a, b);
  };
  EXPECT_EQ(two("pow", 1.7, 2.3), std::pow(1.7, 2.3));
  EXPECT_EQ(two("fmod", 7.7, 2.3), std::fmod(7.7, 2.3));
  EXPECT_EQ(two("atan2", -1.7, 2.3), std::atan2(-1.7, 2.3));
  EXPECT_EQ(two("hypot", 1.7, 2.3), std::hypot(1.7, 2.3));
  EXPECT_EQ(two("fmin", 1.7, NAN), 1.7);
  EXPECT_EQ(two("fmax", 1.7, 2.3), 2.3);
  EXPECT_EQ(
      call<float>("__nv_fmaf", "float", "float %a, float %b, float %c", "float, float, float", 1.1f, 1.3f, -1.43f),
      std::fma(1.1f, 1.3f, -1.43f));
  EXPECT_EQ(call<double>("__nv_powi", "double", "double %a, i32 5", "double, i32", 1.5, 0), std::pow(1.5, 5));
}

TEST(Math, Integers) {
  auto one = [](const std::string &name, int a) { return call<int>("__nv_" + name, "i32", "i32 %a", "i32", a, 0); };
  EXPECT_EQ(one("ffs", 0), 0);
  EXPECT_EQ(one("ffs", 40), 4);
  EXPECT_EQ(one("popc", 0xF0F), 8);
  EXPECT_EQ(one("clz", 1), 31);
  EXPECT_EQ(one("clz", 0), 32);
  EXPECT_EQ(one("brev", 1), std::numeric_limits<int>::min());
  EXPECT_EQ(one("abs", -7), 7);
  EXPECT_EQ(call<int>("__nv_mul24", "i32", "i32 %a, i32 %b", "i32, i32", -3, 7), -21);
  EXPECT_EQ(call<int>("__nv_umin", "i32", "i32 %a, i32 %b", "i32, i32", -3, 7), 7);
  EXPECT_EQ(call<int64_t>("__nv_llmax", "i64", "i64 %a, i64 %b", "i64, i64", -3, 7), 7);
}

template <typename Out, typename In>
Out convert(const std::string &name, const std::string &in, const std::string &out, In value) {
  TestModule module(
      kernelText(in + " %a, ptr %out",
                 "  %r = call " + out + " @__nv_" + name + "(" + in + " %a)\n  store " + out + " %r, ptr %out",
                 "declare " + out + " @__nv_" + name + "(" + in + ")"));
  Out result{}, *address = &result;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&value, &address});
  return result;
}

TEST(Math, Conversions) {
  EXPECT_EQ((convert<int>("float2int_rd", "float", "i32", -1.5f)), -2);
  EXPECT_EQ((convert<uint64_t>("double2ull_ru", "double", "i64", 1.5)), 2u);
  EXPECT_EQ((convert<float>("uint2float_rn", "i32", "float", 0xFFFFFFFFu)), 4294967296.0f);
  EXPECT_EQ((convert<float>("int2float_rz", "i32", "float", 0x7FFFFFFF)), 0x1.fffffep30f);
  EXPECT_EQ((convert<float>("double2float_ru", "double", "float", 1.0 + 0x1p-40)), 1.0f + 0x1p-23f);
  EXPECT_EQ((convert<double>("int2double_rn", "i32", "double", -7)), -7.0);
  EXPECT_EQ((convert<int>("float_as_int", "float", "i32", 1.0f)), 0x3F800000);
  EXPECT_EQ((convert<int>("double2hiint", "double", "i32", 1.0)), 0x3FF00000);
  EXPECT_EQ((convert<int>("isnand", "double", "i32", double(NAN))), 1);
  EXPECT_EQ((convert<int>("isinff", "float", "i32", 1.0f)), 0);
  EXPECT_EQ((convert<int>("signbitf", "float", "i32", -0.0f)), 1);
  EXPECT_EQ((convert<float>("half2float", "i16", "float", uint16_t(0xC100))), -2.5f);
}

TEST(Math, OfVectorsAndIntrinsics) {
  TestModule module(kernelText("<4 x float> %a, ptr %out", R"(
  %s = call <4 x float> @llvm.sin.v4f32(<4 x float> %a)
  %e = call <4 x float> @llvm.exp.v4f32(<4 x float> %s)
  store <4 x float> %e, ptr %out, align 4)",
                               "declare <4 x float> @llvm.sin.v4f32(<4 x float>)\n"
                               "declare <4 x float> @llvm.exp.v4f32(<4 x float>)"));
  struct alignas(16) {
    float v[4];
  } a{{0.1f, 0.2f, 0.3f, 0.4f}};
  float out[4], *address = out;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&a, &address});
  for (int i = 0; i != 4; ++i)
    EXPECT_EQ(out[i], std::exp(std::sin(a.v[i])));
}

} // namespace
