// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions that the math libraries of CUDA and of AMD have under different names.

#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

LowerCall intrinsic(Intrinsic::ID id) {
  return [id](CallSite &site) {
    SmallVector<Value *> arguments(site.call.args());
    return site.callIntrinsic(id, arguments);
  };
}

constexpr const char *hostNames[] = {
    "sin",   "cos",   "tan",       "asin", "acos",   "atan",  "atan2", "sinh",   "cosh",  "tanh",      "asinh",
    "acosh", "atanh", "exp",       "exp2", "exp10",  "expm1", "log",   "log2",   "log10", "log1p",     "logb",
    "ilogb", "cbrt",  "pow",       "fmod", "hypot",  "erf",   "erfc",  "tgamma", "fdim",  "remainder", "lgamma",
    "ldexp", "frexp", "nextafter", "modf", "sincos", "j0",    "j1",    "jn",     "y0",    "y1",        "yn"};

constexpr std::pair<const char *, Intrinsic::ID> intrinsics[] = {
    {"sqrt", Intrinsic::sqrt},   {"fabs", Intrinsic::fabs},           {"floor", Intrinsic::floor},
    {"ceil", Intrinsic::ceil},   {"trunc", Intrinsic::trunc},         {"rint", Intrinsic::rint},
    {"round", Intrinsic::round}, {"nearbyint", Intrinsic::nearbyint}, {"fma", Intrinsic::fma},
    {"fmin", Intrinsic::minnum}, {"fmax", Intrinsic::maxnum},         {"copysign", Intrinsic::copysign}};

} // namespace

void addMathLibrary(LoweringTable &table, StringRef prefix, StringRef doubleSuffix, StringRef floatSuffix) {
  for (bool isFloat : {false, true}) {
    std::string suffix = (isFloat ? floatSuffix : doubleSuffix).str(), hostSuffix = isFloat ? "f" : "";
    auto entry = [&](StringRef name) -> LowerCall & { return table[(prefix + name + suffix).str()]; };
    for (const char *name : hostNames)
      entry(name) = callHostFunction(name + hostSuffix);
    entry("scalbn") = callHostFunction("ldexp" + hostSuffix);
    for (auto [name, id] : intrinsics)
      entry(name) = intrinsic(id);
    entry("rcbrt") = [hostSuffix](CallSite &site) {
      Value *root = site.callHost("cbrt" + hostSuffix, site.type(), {site.argument(0)});
      return site.builder.CreateFDiv(ConstantFP::get(site.type(), 1.0), root);
    };
  }
}

} // namespace lockstep::simgpu::jit
