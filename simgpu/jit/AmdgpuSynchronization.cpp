// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What threads of a block or lanes of a wave of the AMDGPU target do together. Wave operations have no mask: they are
// for the lanes that run, see BlockScheduler.

#include "simgpu/jit/BlockScheduler.h"
#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

/// A wave operation on a value of at most 64 bits; the result has the value's type. `step` tells the operations of one
/// call apart.
Value *wave(CallSite &site, WarpOperation operation, Value *value, Value *lane = nullptr, unsigned step = 0) {
  IRBuilder<> &builder = site.builder;
  Type *type = value->getType();
  if (!type->isPointerTy() && (!type->getPrimitiveSizeInBits() || type->getPrimitiveSizeInBits() > 64))
    return nullptr;
  unsigned width = type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits());
  Type *bits = builder.getIntNTy(width);
  value = type->isPointerTy() ? builder.CreatePtrToInt(value, bits) : builder.CreateBitCast(value, bits);
  value = builder.CreateZExt(value, builder.getInt64Ty());
  Value *result = site.callHost("lockstep.wave", builder.getInt64Ty(),
                                {site.block(), builder.getInt32(uint32_t(operation)),
                                 builder.getInt32(2 * site.number + step), value, lane ? lane : builder.getInt32(0)});
  result = builder.CreateTrunc(result, bits);
  return type->isPointerTy() ? builder.CreateIntToPtr(result, type) : builder.CreateBitCast(result, type);
}

/// A number of a lane, cut to the wave.
Value *laneNumber(CallSite &site, Value *number) { return site.builder.CreateAnd(number, site.lanesPerWarp - 1); }

/// ds_bpermute and ds_permute address lanes in bytes.
LowerCall permute(WarpOperation operation) {
  return [operation](CallSite &site) {
    Value *lane = laneNumber(site, site.builder.CreateLShr(site.argument(0), 2));
    return wave(site, operation, site.argument(1), lane);
  };
}

/// The lanes that take part and for which `condition` holds, as a mask of 64 bits.
Value *ballot(CallSite &site, Value *condition, unsigned step) {
  IRBuilder<> &builder = site.builder;
  return wave(site, WarpOperation::ballot, builder.CreateZExt(condition, builder.getInt64Ty()), nullptr, step);
}

/// update.dpp(old, source, control, row mask, bank mask, bound control).
Value *updateDpp(CallSite &site, Value *old, Value *source, unsigned control) {
  IRBuilder<> &builder = site.builder;
  Value *lane = site.lane();
  Value *from = site.callHost("lockstep.dppSource", builder.getInt32Ty(), {site.argument(control), lane});
  Value *active = ballot(site, builder.getTrue(), 0);
  Value *value = wave(site, WarpOperation::read, source, laneNumber(site, from), 1);
  if (!value)
    return nullptr;
  Value *number = builder.CreateZExt(laneNumber(site, from), builder.getInt64Ty());
  Value *isActive = builder.CreateTrunc(builder.CreateLShr(active, number), builder.getInt1Ty());
  Value *inWave = builder.CreateICmpULT(from, builder.getInt32(site.lanesPerWarp));
  Value *bound = builder.CreateSelect(site.argument(control + 3), Constant::getNullValue(old->getType()), old);
  Value *read = builder.CreateSelect(builder.CreateAnd(inWave, isActive), value, bound);
  auto isEnabled = [&](Value *mask, Value *position) {
    return builder.CreateTrunc(builder.CreateLShr(mask, position), builder.getInt1Ty());
  };
  Value *row = isEnabled(site.argument(control + 1), builder.CreateLShr(lane, 4));
  Value *bank = isEnabled(site.argument(control + 2), builder.CreateAnd(builder.CreateLShr(lane, 2), 3));
  return builder.CreateSelect(builder.CreateAnd(row, bank), read, old);
}

void addWaveOperations(LoweringTable &table) {
  table["llvm.amdgcn.ds.bpermute"] = permute(WarpOperation::read);
  table["llvm.amdgcn.ds.permute"] = permute(WarpOperation::push);
  table["llvm.amdgcn.ds.swizzle"] = [](CallSite &site) {
    Value *from = site.callHost("lockstep.swizzleSource", site.builder.getInt32Ty(), {site.argument(1), site.lane()});
    return wave(site, WarpOperation::read, site.argument(0), laneNumber(site, from));
  };
  table["llvm.amdgcn.readlane"] = [](CallSite &site) {
    return wave(site, WarpOperation::readLane, site.argument(0), laneNumber(site, site.argument(1)));
  };
  table["llvm.amdgcn.readfirstlane"] = [](CallSite &site) {
    return wave(site, WarpOperation::readFirst, site.argument(0));
  };
  // The value and the lane are the same in all lanes.
  table["llvm.amdgcn.writelane"] = [](CallSite &site) {
    Value *isTarget = site.builder.CreateICmpEQ(site.lane(), laneNumber(site, site.argument(1)));
    return site.builder.CreateSelect(isTarget, site.argument(0), site.argument(2));
  };
  table["llvm.amdgcn.ballot"] = [](CallSite &site) {
    return site.builder.CreateTrunc(ballot(site, site.argument(0), 0), site.type());
  };
  table["llvm.amdgcn.update.dpp"] = [](CallSite &site) {
    return updateDpp(site, site.argument(0), site.argument(1), 2);
  };
  table["llvm.amdgcn.mov.dpp"] = [](CallSite &site) {
    return updateDpp(site, Constant::getNullValue(site.type()), site.argument(0), 1);
  };
  table["llvm.amdgcn.wave.barrier"] = [](CallSite &site) {
    return wave(site, WarpOperation::sync, site.builder.getInt32(0));
  };
}

void addIgnored(LoweringTable &table) {
  // Waits for and caches of memory that has none here, and hints to the scheduler of instructions.
  for (const char *name : {"s.waitcnt", "s.wait.loadcnt", "s.wait.storecnt", "s.wait.dscnt", "s.wait.kmcnt",
                           "s.wait.asynccnt", "sched.barrier", "sched.group.barrier", "iglp.opt", "s.setprio", "s.nop",
                           "s.dcache.inv", "s.dcache.wb", "buffer.wbinvl1", "buffer.wbinvl1.vol", "s.barrier.signal"})
    table["llvm.amdgcn." + std::string(name)] = [](CallSite &site) -> Value * { return site.builder.getInt32(0); };
}

} // namespace

void addAmdgpuSynchronization(LoweringTable &table) {
  table["llvm.amdgcn.s.barrier"] = callBlockBarrier;
  // Both halves of a split barrier happen at its wait.
  table["llvm.amdgcn.s.barrier.wait"] = callBlockBarrier;
  table["llvm.amdgcn.s.sleep"] = callRuntime("lockstep.yield");
  table["llvm.amdgcn.endpgm"] = callRuntime("lockstep.exit");
  addWaveOperations(table);
  addIgnored(table);
}

} // namespace lockstep::simgpu::jit
