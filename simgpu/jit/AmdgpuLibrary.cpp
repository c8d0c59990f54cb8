// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AMD's device library: `__ocml_NAME_f64`, `_f32` and `_f16` by the host's math library, and printf of HIP.

#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

/// A root's reciprocal, from a square root.
Value *reciprocalRoot(CallSite &site) {
  Value *root = site.callIntrinsic(Intrinsic::sqrt, {site.argument(0)});
  return site.builder.CreateFDiv(ConstantFP::get(site.type(), 1.0), root);
}

LowerCall integerPower(std::string power) {
  return [power](CallSite &site) {
    Value *exponent = site.builder.CreateSIToFP(site.argument(1), site.type());
    return site.callHost(power, site.type(), {site.argument(0), exponent});
  };
}

/// sincos of this library returns the sine and stores the cosine.
LowerCall sineAndCosine(std::string suffix) {
  return [suffix](CallSite &site) {
    Value *cosine = site.callHost("cos" + suffix, site.type(), {site.argument(0)});
    site.builder.CreateStore(cosine, site.argument(1));
    return site.callHost("sin" + suffix, site.type(), {site.argument(0)});
  };
}

/// A test of a number's class, whose result is 0 or 1.
LowerCall classify(unsigned classes) {
  return [classes](CallSite &site) {
    return site.builder.CreateZExtOrTrunc(site.builder.createIsFPClass(site.argument(0), classes), site.type());
  };
}

void addFor(LoweringTable &table, const std::string &suffix, const std::string &hostSuffix) {
  table["__ocml_rsqrt" + suffix] = reciprocalRoot;
  table["__ocml_pown" + suffix] = integerPower("pow" + hostSuffix);
  table["__ocml_powr" + suffix] = callHostFunction("pow" + hostSuffix);
  table["__ocml_sincos" + suffix] = sineAndCosine(hostSuffix);
  table["__ocml_isnan" + suffix] = classify(fcNan);
  table["__ocml_isinf" + suffix] = classify(fcInf);
  table["__ocml_isfinite" + suffix] = classify(fcFinite);
  for (std::string name : {"sin", "cos", "exp", "exp2", "exp10", "log", "log2", "log10"})
    table["__ocml_native_" + name + suffix] = callHostFunction(name + hostSuffix);
  table["__ocml_native_rsqrt" + suffix] = reciprocalRoot;
  for (const char *root : {"sqrt", "native_sqrt"})
    table["__ocml_" + std::string(root) + suffix] = [](CallSite &site) {
      return site.callIntrinsic(Intrinsic::sqrt, {site.argument(0)});
    };
}

/// Functions whose arguments and result are all 16-bit floats, by the host's function of `float`.
LowerCall halfFunction(std::string name) {
  return [name](CallSite &site) -> Value * {
    IRBuilder<> &builder = site.builder;
    SmallVector<Value *> arguments;
    for (Value *argument : site.call.args()) {
      if (!argument->getType()->isHalfTy())
        return nullptr;
      arguments.push_back(builder.CreateFPExt(argument, builder.getFloatTy()));
    }
    return builder.CreateFPTrunc(site.callHost(name, builder.getFloatTy(), arguments), site.type());
  };
}

void addHalf(LoweringTable &table) {
  for (std::string name : {"sin",   "cos",   "tan",   "asin", "acos",  "atan",  "atan2", "sinh",   "cosh",   "tanh",
                           "asinh", "acosh", "atanh", "exp",  "exp2",  "exp10", "expm1", "log",    "log2",   "log10",
                           "log1p", "cbrt",  "pow",   "fmod", "hypot", "erf",   "erfc",  "tgamma", "lgamma", "fdim",
                           "sqrt",  "fabs",  "floor", "ceil", "trunc", "rint",  "round", "fmin",   "fmax",   "fma"})
    table["__ocml_" + name + "_f16"] = halfFunction(name + "f");
  table["__ocml_rsqrt_f16"] = [](CallSite &site) -> Value * {
    IRBuilder<> &builder = site.builder;
    Value *wide = builder.CreateFPExt(site.argument(0), builder.getFloatTy());
    Value *root = site.callIntrinsic(Intrinsic::sqrt, {wide});
    return builder.CreateFPTrunc(builder.CreateFDiv(ConstantFP::get(root->getType(), 1.0), root), site.type());
  };
}

/// The library's printf over calls to the host; the simulated device keeps the message itself.
void addPrintf(LoweringTable &table) {
  table["__ockl_printf_begin"] = [](CallSite &site) {
    return site.callHost("lockstep.messageBegin", site.builder.getInt64Ty(), {});
  };
  table["__ockl_printf_append_string_n"] = callHostFunction("lockstep.messageString");
  table["__ockl_printf_append_args"] = callHostFunction("lockstep.messageArguments");
}

} // namespace

void addAmdgpuLibrary(LoweringTable &table) {
  addMathLibrary(table, "__ocml_", "_f64", "_f32");
  addFor(table, "_f64", "");
  addFor(table, "_f32", "f");
  addHalf(table);
  addPrintf(table);
}

} // namespace lockstep::simgpu::jit
