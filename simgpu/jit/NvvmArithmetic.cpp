// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic of the NVPTX target. Approximations are computed as exactly as the host does, which the rules allow;
// flushing of denormals is not modelled.

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

LowerCall binary(Instruction::BinaryOps operation) {
  return
      [operation](CallSite &site) { return site.builder.CreateBinOp(operation, site.argument(0), site.argument(1)); };
}

LowerCall convert(Instruction::CastOps operation) {
  return [operation](CallSite &site) { return site.builder.CreateCast(operation, site.argument(0), site.type()); };
}

Value *reciprocal(CallSite &site, Value *value) {
  return site.builder.CreateFDiv(ConstantFP::get(value->getType(), 1.0), value);
}

Value *reciprocalRoot(CallSite &site) {
  return reciprocal(site, site.callIntrinsic(Intrinsic::sqrt, {site.argument(0)}));
}

/// The upper half of the product.
LowerCall multiplyHigh(bool isSigned) {
  return [isSigned](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    unsigned width = site.type()->getIntegerBitWidth();
    Type *wide = builder.getIntNTy(width * 2);
    Value *product = builder.CreateMul(builder.CreateIntCast(site.argument(0), wide, isSigned),
                                       builder.CreateIntCast(site.argument(1), wide, isSigned));
    return builder.CreateTrunc(builder.CreateLShr(product, width), site.type());
  };
}

/// The product of the low 24 bits of both.
LowerCall multiply24(bool isSigned) {
  return [isSigned](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    auto low24 = [&](Value *value) {
      value = builder.CreateShl(value, 8);
      return isSigned ? builder.CreateAShr(value, 8) : builder.CreateLShr(value, 8);
    };
    return builder.CreateMul(low24(site.argument(0)), low24(site.argument(1)));
  };
}

/// |a - b| + c.
LowerCall absoluteDifferenceSum(bool isSigned) {
  return [isSigned](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    Value *a = site.argument(0), *b = site.argument(1);
    Value *greater = isSigned ? builder.CreateICmpSGT(a, b) : builder.CreateICmpUGT(a, b);
    Value *difference = builder.CreateSelect(greater, builder.CreateSub(a, b), builder.CreateSub(b, a));
    return builder.CreateAdd(difference, site.argument(2));
  };
}

/// To an integer with saturation, after rounding to an integral value by `rounding`; NaN gives 0.
LowerCall toInteger(Intrinsic::ID rounding, bool isSigned) {
  return [rounding, isSigned](CallSite &site) -> Value * {
    Value *rounded = site.callIntrinsic(rounding, {site.argument(0)});
    return site.builder.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                        {site.type(), rounded->getType()}, {rounded});
  };
}

Value *saturate(CallSite &site) {
  Type *type = site.type();
  Value *low = site.callIntrinsic(Intrinsic::maxnum, {site.argument(0), ConstantFP::get(type, 0.0)});
  return site.callIntrinsic(Intrinsic::minnum, {low, ConstantFP::get(type, 1.0)});
}

/// Two floats into a vector of two narrow ones; the first operand goes to the upper element.
Value *packPair(CallSite &site) {
  IRBuilder<> &builder = site.builder;
  Type *element = site.type()->getScalarType();
  Value *result = PoisonValue::get(site.type());
  result = builder.CreateInsertElement(result, builder.CreateFPTrunc(site.argument(1), element), uint64_t(0));
  return builder.CreateInsertElement(result, builder.CreateFPTrunc(site.argument(0), element), uint64_t(1));
}

void addFloatOperations(LoweringTable &table) {
  for (std::string suffix : {"f", "d", "ftz.f"}) {
    table["llvm.nvvm.fma.rn." + suffix] = intrinsic(Intrinsic::fma);
    table["llvm.nvvm.add.rn." + suffix] = binary(Instruction::FAdd);
    table["llvm.nvvm.mul.rn." + suffix] = binary(Instruction::FMul);
    table["llvm.nvvm.div.rn." + suffix] = binary(Instruction::FDiv);
    table["llvm.nvvm.rcp.rn." + suffix] = [](CallSite &site) { return reciprocal(site, site.argument(0)); };
    table["llvm.nvvm.sqrt.rn." + suffix] = intrinsic(Intrinsic::sqrt);
    table["llvm.nvvm.fmin." + suffix] = intrinsic(Intrinsic::minnum);
    table["llvm.nvvm.fmax." + suffix] = intrinsic(Intrinsic::maxnum);
    table["llvm.nvvm.floor." + suffix] = intrinsic(Intrinsic::floor);
    table["llvm.nvvm.ceil." + suffix] = intrinsic(Intrinsic::ceil);
    table["llvm.nvvm.trunc." + suffix] = intrinsic(Intrinsic::trunc);
    table["llvm.nvvm.round." + suffix] = intrinsic(Intrinsic::roundeven);
    table["llvm.nvvm.saturate." + suffix] = saturate;
  }
  for (std::string suffix : {"f16", "f16x2", "bf16", "bf16x2"}) {
    table["llvm.nvvm.fma.rn." + suffix] = intrinsic(Intrinsic::fma);
    table["llvm.nvvm.fmin." + suffix] = intrinsic(Intrinsic::minnum);
    table["llvm.nvvm.fmax." + suffix] = intrinsic(Intrinsic::maxnum);
    table["llvm.nvvm.fmin.nan." + suffix] = intrinsic(Intrinsic::minimum);
    table["llvm.nvvm.fmax.nan." + suffix] = intrinsic(Intrinsic::maximum);
  }
  table["llvm.nvvm.fmin.nan.f"] = table["llvm.nvvm.fmin.ftz.nan.f"] = intrinsic(Intrinsic::minimum);
  table["llvm.nvvm.fmax.nan.f"] = table["llvm.nvvm.fmax.ftz.nan.f"] = intrinsic(Intrinsic::maximum);
  table["llvm.nvvm.fabs"] = table["llvm.nvvm.fabs.ftz"] = intrinsic(Intrinsic::fabs);
  for (const char *name : {"llvm.nvvm.neg.bf16", "llvm.nvvm.neg.bf16x2"})
    table[name] = [](CallSite &site) { return site.builder.CreateFNeg(site.argument(0)); };
}

void addApproximations(LoweringTable &table) {
  for (const char *name : {"div.approx.f", "div.approx.ftz.f", "div.full", "div.full.ftz"})
    table["llvm.nvvm." + std::string(name)] = binary(Instruction::FDiv);
  for (const char *name : {"rcp.approx.ftz.f", "rcp.approx.ftz.d"})
    table["llvm.nvvm." + std::string(name)] = [](CallSite &site) { return reciprocal(site, site.argument(0)); };
  for (const char *name : {"sqrt.f", "sqrt.approx.f", "sqrt.approx.ftz.f"})
    table["llvm.nvvm." + std::string(name)] = intrinsic(Intrinsic::sqrt);
  for (const char *name : {"rsqrt.approx.f", "rsqrt.approx.d", "rsqrt.approx.ftz.f", "rsqrt.approx.ftz.d"})
    table["llvm.nvvm." + std::string(name)] = reciprocalRoot;
  for (const char *name : {"ex2.approx", "ex2.approx.ftz"})
    table["llvm.nvvm." + std::string(name)] = intrinsic(Intrinsic::exp2);
  for (const char *name : {"lg2.approx.f", "lg2.approx.d", "lg2.approx.ftz.f"})
    table["llvm.nvvm." + std::string(name)] = intrinsic(Intrinsic::log2);
  for (const char *name : {"sin.approx.f", "sin.approx.ftz.f"})
    table["llvm.nvvm." + std::string(name)] = intrinsic(Intrinsic::sin);
  for (const char *name : {"cos.approx.f", "cos.approx.ftz.f"})
    table["llvm.nvvm." + std::string(name)] = intrinsic(Intrinsic::cos);
}

void addConversions(LoweringTable &table) {
  for (auto [mode, rounding] : {std::pair("rn", Intrinsic::roundeven), std::pair("rz", Intrinsic::trunc),
                                std::pair("rm", Intrinsic::floor), std::pair("rp", Intrinsic::ceil)})
    for (std::string from : {"f", "d"})
      for (std::string flush : {"", ".ftz"}) {
        std::string suffix = std::string(".") + mode + flush;
        table["llvm.nvvm." + from + "2i" + suffix] = table["llvm.nvvm." + from + "2ll" + suffix] =
            toInteger(rounding, true);
        table["llvm.nvvm." + from + "2ui" + suffix] = table["llvm.nvvm." + from + "2ull" + suffix] =
            toInteger(rounding, false);
      }
  for (std::string to : {"f", "d"})
    for (std::string width : {"i", "ll"}) {
      table["llvm.nvvm." + width + "2" + to + ".rn"] = convert(Instruction::SIToFP);
      table["llvm.nvvm.u" + width + "2" + to + ".rn"] = convert(Instruction::UIToFP);
    }
  for (const char *name : {"d2f.rn", "d2f.rn.ftz", "f2bf16.rn", "f2f16.rn"})
    table["llvm.nvvm." + std::string(name)] = convert(Instruction::FPTrunc);
  for (const char *name : {"ff2bf16x2.rn", "ff2f16x2.rn"})
    table["llvm.nvvm." + std::string(name)] = packPair;
  for (const char *name : {"f2h.rn", "f2h.rn.ftz"})
    table["llvm.nvvm." + std::string(name)] = [](CallSite &site) {
      IRBuilder<> &builder = site.builder;
      return builder.CreateBitCast(builder.CreateFPTrunc(site.argument(0), builder.getHalfTy()), site.type());
    };
  table["llvm.nvvm.d2i.lo"] = [](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    return builder.CreateTrunc(builder.CreateBitCast(site.argument(0), builder.getInt64Ty()), site.type());
  };
  table["llvm.nvvm.d2i.hi"] = [](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    Value *bits = builder.CreateBitCast(site.argument(0), builder.getInt64Ty());
    return builder.CreateTrunc(builder.CreateLShr(bits, 32), site.type());
  };
  table["llvm.nvvm.lohi.i2d"] = [](CallSite &site) {
    IRBuilder<> &builder = site.builder;
    Value *low = builder.CreateZExt(site.argument(0), builder.getInt64Ty());
    Value *high = builder.CreateShl(builder.CreateZExt(site.argument(1), builder.getInt64Ty()), 32);
    return builder.CreateBitCast(builder.CreateOr(low, high), site.type());
  };
}

LowerCall hostFunction(std::string name) {
  return [name](CallSite &site) {
    SmallVector<Value *> arguments(site.call.args());
    return site.callHost(name, site.type(), arguments);
  };
}

/// What rounds towards zero, minus or plus infinity.
void addDirectedRounding(LoweringTable &table) {
  for (std::string mode : {"rz", "rm", "rp"}) {
    for (std::string operation : {"add", "mul", "div", "rcp", "sqrt", "fma"}) {
      std::string name = operation + "." + mode;
      for (std::string letter : {"f", "d"})
        table["llvm.nvvm." + name + "." + letter] = hostFunction("lockstep." + name + "." + letter);
      table["llvm.nvvm." + name + ".ftz.f"] = hostFunction("lockstep." + name + ".f");
    }
    for (std::string from : {"i", "ui", "ll", "ull"})
      for (std::string to : {"f", "d"})
        table["llvm.nvvm." + from + "2" + to + "." + mode] = hostFunction("lockstep." + from + "2" + to + "." + mode);
    table["llvm.nvvm.d2f." + mode] = table["llvm.nvvm.d2f." + mode + ".ftz"] = hostFunction("lockstep.d2f." + mode);
  }
}

void addIntegerOperations(LoweringTable &table) {
  for (const char *width : {"s", "i", "ll"})
    table["llvm.nvvm.mulhi." + std::string(width)] = multiplyHigh(true);
  for (const char *width : {"us", "ui", "ull"})
    table["llvm.nvvm.mulhi." + std::string(width)] = multiplyHigh(false);
  table["llvm.nvvm.mul24.i"] = multiply24(true);
  table["llvm.nvvm.mul24.ui"] = multiply24(false);
  for (const char *width : {"s", "i", "ll"})
    table["llvm.nvvm.sad." + std::string(width)] = absoluteDifferenceSum(true);
  for (const char *width : {"us", "ui", "ull"})
    table["llvm.nvvm.sad." + std::string(width)] = absoluteDifferenceSum(false);
  for (auto [name, host] : {std::pair("fns", "lockstep.fns"), std::pair("prmt", "lockstep.prmt")})
    table["llvm.nvvm." + std::string(name)] = [host = host](CallSite &site) {
      return site.callHost(host, site.type(), {site.argument(0), site.argument(1), site.argument(2)});
    };
}

void addMemoryReads(LoweringTable &table) {
  // Reads that a GPU sends through another cache.
  for (const char *name :
       {"ldu.global.i", "ldu.global.f", "ldu.global.p", "ldg.global.i", "ldg.global.f", "ldg.global.p"})
    table["llvm.nvvm." + std::string(name)] = [](CallSite &site) -> Value * {
      auto *align = dyn_cast<ConstantInt>(site.argument(1));
      if (!align)
        return nullptr;
      return site.builder.CreateAlignedLoad(site.type(), site.argument(0), Align(align->getZExtValue()));
    };
}

} // namespace

void addNvvmArithmetic(LoweringTable &table) {
  addFloatOperations(table);
  addApproximations(table);
  addConversions(table);
  addDirectedRounding(table);
  addIntegerOperations(table);
  addMemoryReads(table);
  // No property of the program may depend on the architecture that the library would be built for.
  table["llvm.nvvm.reflect"] = [](CallSite &site) -> Value * { return site.builder.getInt32(0); };
  table["__nvvm_reflect"] = table["llvm.nvvm.reflect"];
}

} // namespace lockstep::simgpu::jit
