// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The math library that CUDA programs call, `__nv_NAME` for double and `__nv_NAMEf` for float, by the host's.

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

/// An alias of a target intrinsic that does the same.
void alias(LoweringTable &table, StringRef name, StringRef existing) {
  LowerCall lower = table.lookup(existing);
  assert(lower && "aliases name what was added before");
  table[name] = lower;
}

void addHostMath(LoweringTable &table) {
  addMathLibrary(table, "__nv_", "", "f");
  // The fast forms may be less exact than these; they need not be.
  for (std::string name : {"sinf", "cosf", "tanf", "expf", "exp10f", "logf", "log2f", "log10f", "powf"})
    table["__nv_fast_" + name] = callHostFunction(name);
  table["__nv_fast_sincosf"] = callHostFunction("sincosf");
  for (auto [name, host] : {std::pair("llround", "llround"), std::pair("llrint", "llrint")}) {
    table["__nv_" + std::string(name)] = callHostFunction(host);
    table["__nv_" + std::string(name) + "f"] = callHostFunction(std::string(host) + "f");
  }
}

void addIntrinsicMath(LoweringTable &table) {
  for (auto [name, existing] :
       {std::pair("__nv_fast_fdividef", "llvm.nvvm.div.approx.f"), std::pair("__nv_rsqrt", "llvm.nvvm.rsqrt.approx.d"),
        std::pair("__nv_rsqrtf", "llvm.nvvm.rsqrt.approx.f"), std::pair("__nv_frsqrt_rn", "llvm.nvvm.rsqrt.approx.f"),
        std::pair("__nv_saturatef", "llvm.nvvm.saturate.f")})
    alias(table, name, existing);
  for (std::string suffix : {"", "f"}) {
    table["__nv_powi" + suffix] = [suffix](CallSite &site) {
      Value *exponent = site.builder.CreateSIToFP(site.argument(1), site.type());
      return site.callHost("pow" + suffix, site.type(), {site.argument(0), exponent});
    };
  }
}

/// A test of a number's class, whose result is 0 or 1.
LowerCall classify(unsigned classes) {
  return [classes](CallSite &site) {
    Value *test = site.builder.createIsFPClass(site.argument(0), classes);
    return site.builder.CreateZExt(test, site.type());
  };
}

void addClassification(LoweringTable &table) {
  for (auto [name, classes] :
       {std::pair("isnanf", fcNan), std::pair("isnand", fcNan), std::pair("isinff", fcInf), std::pair("isinfd", fcInf),
        std::pair("finitef", fcFinite), std::pair("isfinited", fcFinite)})
    table["__nv_" + std::string(name)] = classify(classes);
  for (const char *name : {"__nv_signbitf", "__nv_signbitd"})
    table[name] = [](CallSite &site) {
      IRBuilder<> &builder = site.builder;
      Value *number = site.argument(0);
      unsigned width = number->getType()->getPrimitiveSizeInBits();
      Value *bits = builder.CreateBitCast(number, builder.getIntNTy(width));
      return builder.CreateZExtOrTrunc(builder.CreateLShr(bits, width - 1), site.type());
    };
}

void addIntegers(LoweringTable &table) {
  for (std::string prefix : {"", "ll"}) {
    table["__nv_" + prefix + "min"] = intrinsic(Intrinsic::smin);
    table["__nv_" + prefix + "max"] = intrinsic(Intrinsic::smax);
    table["__nv_u" + prefix + "min"] = intrinsic(Intrinsic::umin);
    table["__nv_u" + prefix + "max"] = intrinsic(Intrinsic::umax);
  }
  for (const char *name : {"__nv_abs", "__nv_llabs"})
    table[name] = [](CallSite &site) -> Value * {
      return site.callIntrinsic(Intrinsic::abs, {site.argument(0), site.builder.getFalse()});
    };
  for (std::string suffix : {"", "ll"}) {
    table["__nv_popc" + suffix] = [](CallSite &site) {
      return site.builder.CreateZExtOrTrunc(site.callIntrinsic(Intrinsic::ctpop, {site.argument(0)}), site.type());
    };
    table["__nv_brev" + suffix] = intrinsic(Intrinsic::bitreverse);
    table["__nv_clz" + suffix] = [](CallSite &site) {
      Value *count = site.callIntrinsic(Intrinsic::ctlz, {site.argument(0), site.builder.getFalse()});
      return site.builder.CreateZExtOrTrunc(count, site.type());
    };
    // One plus the position of the lowest bit, 0 for 0.
    table["__nv_ffs" + suffix] = [](CallSite &site) -> Value * {
      IRBuilder<> &builder = site.builder;
      Value *count = site.callIntrinsic(Intrinsic::cttz, {site.argument(0), builder.getFalse()});
      Value *position =
          builder.CreateAdd(builder.CreateZExtOrTrunc(count, site.type()), ConstantInt::get(site.type(), 1));
      return builder.CreateSelect(builder.CreateIsNull(site.argument(0)), ConstantInt::get(site.type(), 0), position);
    };
  }
  for (auto [name, existing] :
       {std::pair("mulhi", "mulhi.i"), std::pair("umulhi", "mulhi.ui"), std::pair("mul64hi", "mulhi.ll"),
        std::pair("umul64hi", "mulhi.ull"), std::pair("mul24", "mul24.i"), std::pair("umul24", "mul24.ui"),
        std::pair("sad", "sad.i"), std::pair("usad", "sad.ui"), std::pair("byte_perm", "prmt")})
    alias(table, "__nv_" + std::string(name), "llvm.nvvm." + std::string(existing));
}

/// What libdevice calls down and up are minus and plus for the intrinsics.
constexpr std::pair<const char *, const char *> roundingModes[] = {
    {"rn", "rn"}, {"rz", "rz"}, {"rd", "rm"}, {"ru", "rp"}};

void addRoundedArithmetic(LoweringTable &table) {
  for (auto [mode, targetMode] : roundingModes) {
    for (std::string operation : {"add", "mul", "div", "rcp", "sqrt"})
      for (std::string letter : {"f", "d"})
        alias(table, "__nv_" + letter + operation + "_" + mode,
              "llvm.nvvm." + operation + "." + targetMode + "." + letter);
    alias(table, std::string("__nv_fma_") + mode, std::string("llvm.nvvm.fma.") + targetMode + ".d");
    alias(table, std::string("__nv_fmaf_") + mode, std::string("llvm.nvvm.fma.") + targetMode + ".f");
    alias(table, std::string("__nv_double2float_") + mode, std::string("llvm.nvvm.d2f.") + targetMode);
  }
}

/// `__nv_FROM2TO_MODE`, and the ones that keep the bits.
void addConversions(LoweringTable &table) {
  for (auto [name, letter] : {std::pair("float", "f"), std::pair("double", "d")})
    for (auto [integer, code] :
         {std::pair("int", "i"), std::pair("uint", "ui"), std::pair("ll", "ll"), std::pair("ull", "ull")}) {
      for (auto [mode, targetMode] : roundingModes) {
        alias(table, "__nv_" + std::string(name) + "2" + integer + "_" + mode,
              "llvm.nvvm." + std::string(letter) + "2" + code + "." + targetMode);
        alias(table, "__nv_" + std::string(integer) + "2" + name + "_" + mode,
              "llvm.nvvm." + std::string(code) + "2" + letter + "." + targetMode);
      }
    }
  for (const char *name :
       {"float_as_int", "float_as_uint", "int_as_float", "uint_as_float", "double_as_longlong", "longlong_as_double"})
    table["__nv_" + std::string(name)] = [](CallSite &site) {
      return site.builder.CreateBitCast(site.argument(0), site.type());
    };
  alias(table, "__nv_double2loint", "llvm.nvvm.d2i.lo");
  alias(table, "__nv_double2hiint", "llvm.nvvm.d2i.hi");
  table["__nv_hiloint2double"] = [](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    Value *low = builder.CreateZExt(site.argument(1), builder.getInt64Ty());
    Value *high = builder.CreateShl(builder.CreateZExt(site.argument(0), builder.getInt64Ty()), 32);
    return builder.CreateBitCast(builder.CreateOr(low, high), site.type());
  };
  table["__nv_float2half_rn"] = table.lookup("llvm.nvvm.f2h.rn");
  table["__nv_half2float"] = [](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    return builder.CreateFPExt(builder.CreateBitCast(site.argument(0), builder.getHalfTy()), site.type());
  };
}

} // namespace

void addLibdevice(LoweringTable &table) {
  addHostMath(table);
  addIntrinsicMath(table);
  addClassification(table);
  addIntegers(table);
  addRoundedArithmetic(table);
  addConversions(table);
}

} // namespace lockstep::simgpu::jit
