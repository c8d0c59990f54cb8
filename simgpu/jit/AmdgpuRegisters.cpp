// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a thread of the AMDGPU target asks about itself, its block and its launch, and plain arithmetic.

#include "simgpu/jit/AmdgpuDispatch.h"
#include "simgpu/jit/BlockContext.h"
#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

constexpr const char *axes[] = {"x", "y", "z"};
constexpr size_t axisBytes = sizeof(uint32_t);

LowerCall pointerField(size_t offsetBytes) {
  return [offsetBytes](CallSite &site) { return site.blockField(offsetBytes, site.builder.getPtrTy()); };
}

/// mbcnt: the base plus the bits of a half of the mask that stand for lanes below this one.
LowerCall countBelow(bool isHigh) {
  return [isHigh](CallSite &site) -> Value * {
    IRBuilder<> &builder = site.builder;
    Value *one = builder.getInt64(1);
    Value *own = builder.CreateShl(one, builder.CreateZExt(site.lane(), builder.getInt64Ty()));
    Value *below = builder.CreateSub(own, one);
    Value *half = builder.CreateTrunc(builder.CreateLShr(below, isHigh ? 32 : 0), builder.getInt32Ty());
    Value *count = site.callIntrinsic(Intrinsic::ctpop, {builder.CreateAnd(half, site.argument(0))});
    return builder.CreateAdd(count, site.argument(1));
  };
}

/// A value by axis, where the axis is an argument. Values from the fourth axis on are `otherwise`.
Value *selectAxis(CallSite &site, function_ref<Value *(unsigned)> value, uint32_t otherwise) {
  IRBuilder<> &builder = site.builder;
  Value *result = builder.getInt32(otherwise);
  for (unsigned i = 0; i != 3; ++i) {
    Value *isAxis = builder.CreateICmpEQ(site.argument(0), ConstantInt::get(site.argument(0)->getType(), i));
    result = builder.CreateSelect(isAxis, value(i), result);
  }
  return builder.CreateZExtOrTrunc(result, site.type());
}

Value *blockAxis(CallSite &site, size_t fieldBytes, unsigned axis) {
  return site.blockField32(fieldBytes + axis * axisBytes);
}

void addLibraryQueries(LoweringTable &table) {
  table["__ockl_get_local_id"] = [](CallSite &site) {
    return selectAxis(site, [&](unsigned i) { return site.threadIndex(i); }, 0);
  };
  table["__ockl_get_group_id"] = [](CallSite &site) {
    return selectAxis(site, [&](unsigned i) { return blockAxis(site, offsetof(BlockContext, blockIndex), i); }, 0);
  };
  for (const char *name : {"__ockl_get_local_size", "__ockl_get_enqueued_local_size"})
    table[name] = [](CallSite &site) {
      return selectAxis(site, [&](unsigned i) { return blockAxis(site, offsetof(BlockContext, blockSize), i); }, 1);
    };
  table["__ockl_get_num_groups"] = [](CallSite &site) {
    return selectAxis(site, [&](unsigned i) { return blockAxis(site, offsetof(BlockContext, gridSize), i); }, 1);
  };
  table["__ockl_get_global_id"] = [](CallSite &site) {
    auto value = [&](unsigned i) {
      Value *block = blockAxis(site, offsetof(BlockContext, blockIndex), i);
      Value *start = site.builder.CreateMul(block, blockAxis(site, offsetof(BlockContext, blockSize), i));
      return site.builder.CreateAdd(start, site.threadIndex(i));
    };
    return selectAxis(site, value, 0);
  };
  table["__ockl_get_global_size"] = [](CallSite &site) {
    auto value = [&](unsigned i) {
      return site.builder.CreateMul(blockAxis(site, offsetof(BlockContext, gridSize), i),
                                    blockAxis(site, offsetof(BlockContext, blockSize), i));
    };
    return selectAxis(site, value, 1);
  };
  table["__ockl_get_global_offset"] = [](CallSite &site) -> Value * { return ConstantInt::get(site.type(), 0); };
  table["__ockl_lane_u32"] = [](CallSite &site) { return site.lane(); };
}

Value *reciprocal(CallSite &site, Value *value) {
  return site.builder.CreateFDiv(ConstantFP::get(value->getType(), 1.0), value);
}

LowerCall unaryIntrinsic(Intrinsic::ID id) {
  return [id](CallSite &site) { return site.callIntrinsic(id, {site.argument(0)}); };
}

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

void addArithmetic(LoweringTable &table) {
  table["llvm.amdgcn.rcp"] = [](CallSite &site) { return reciprocal(site, site.argument(0)); };
  table["llvm.amdgcn.rsq"] = [](CallSite &site) {
    return reciprocal(site, site.callIntrinsic(Intrinsic::sqrt, {site.argument(0)}));
  };
  table["llvm.amdgcn.sqrt"] = unaryIntrinsic(Intrinsic::sqrt);
  table["llvm.amdgcn.exp2"] = unaryIntrinsic(Intrinsic::exp2);
  table["llvm.amdgcn.log"] = unaryIntrinsic(Intrinsic::log2);
  table["llvm.amdgcn.fract"] = [](CallSite &site) {
    return site.builder.CreateFSub(site.argument(0), site.callIntrinsic(Intrinsic::floor, {site.argument(0)}));
  };
  table["llvm.amdgcn.fmed3"] = [](CallSite &site) {
    Value *low = site.callIntrinsic(Intrinsic::minnum, {site.argument(0), site.argument(1)});
    Value *high = site.callIntrinsic(Intrinsic::maxnum, {site.argument(0), site.argument(1)});
    Value *inner = site.callIntrinsic(Intrinsic::minnum, {high, site.argument(2)});
    return site.callIntrinsic(Intrinsic::maxnum, {low, inner});
  };
  table["llvm.amdgcn.mul.u24"] = multiply24(false);
  table["llvm.amdgcn.mul.i24"] = multiply24(true);
}

} // namespace

void addAmdgpuRegisters(LoweringTable &table) {
  for (unsigned i = 0; i != 3; ++i) {
    table["llvm.amdgcn.workitem.id." + std::string(axes[i])] = [i](CallSite &site) { return site.threadIndex(i); };
    table["llvm.amdgcn.workgroup.id." + std::string(axes[i])] = [i](CallSite &site) {
      return blockAxis(site, offsetof(BlockContext, blockIndex), i);
    };
  }
  table["llvm.amdgcn.implicitarg.ptr"] = pointerField(offsetof(BlockContext, implicitArguments));
  table["llvm.amdgcn.dispatch.ptr"] = pointerField(offsetof(BlockContext, dispatchPacket));
  table["llvm.amdgcn.kernarg.segment.ptr"] = pointerField(offsetof(BlockContext, arguments));
  table["llvm.amdgcn.dispatch.id"] = [](CallSite &site) -> Value * { return site.builder.getInt64(0); };
  table["llvm.amdgcn.groupstaticsize"] = [](CallSite &site) {
    return site.blockField32(offsetof(BlockContext, staticSharedBytes));
  };
  table["llvm.amdgcn.wavefrontsize"] = [](CallSite &site) -> Value * {
    return site.builder.getInt32(site.lanesPerWarp);
  };
  table["llvm.amdgcn.mbcnt.lo"] = countBelow(false);
  table["llvm.amdgcn.mbcnt.hi"] = countBelow(true);
  for (const char *name : {"s.memtime", "s.memrealtime"})
    table["llvm.amdgcn." + std::string(name)] = readClock;
  addLibraryQueries(table);
  addArithmetic(table);
}

} // namespace lockstep::simgpu::jit
