// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What threads of a block or lanes of a warp do together, and the ways in which a thread stops.

#include "simgpu/jit/BlockScheduler.h"
#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

Value *barrier(CallSite &site, BarrierKind kind, Value *id, Value *count, Value *predicate) {
  IRBuilder<> &builder = site.builder;
  Value *result = site.callHost("lockstep.barrier", builder.getInt64Ty(),
                                {site.block(), builder.getInt32(uint32_t(kind)), id, count, predicate});
  Type *type = site.type();
  return type->isVoidTy() ? result : builder.CreateTrunc(result, type);
}

void addBarriers(LoweringTable &table) {
  // With a count the barrier opens at that many threads; "all" means every thread of the block.
  for (std::string aligned : {"", ".aligned"}) {
    table["llvm.nvvm.barrier.cta.sync" + aligned + ".all"] = [](CallSite &site) {
      Value *zero = site.builder.getInt32(0);
      return barrier(site, BarrierKind::sync, site.argument(0), zero, zero);
    };
    table["llvm.nvvm.barrier.cta.sync" + aligned + ".count"] = [](CallSite &site) {
      return barrier(site, BarrierKind::sync, site.argument(0), site.argument(1), site.builder.getInt32(0));
    };
    table["llvm.nvvm.barrier.cta.arrive" + aligned + ".count"] = [](CallSite &site) {
      return barrier(site, BarrierKind::arrive, site.argument(0), site.argument(1), site.builder.getInt32(0));
    };
    for (auto [name, kind] : {std::pair("and", BarrierKind::reduceAnd), std::pair("or", BarrierKind::reduceOr),
                              std::pair("popc", BarrierKind::reducePopulation)}) {
      std::string prefix = "llvm.nvvm.barrier.cta.red." + std::string(name) + aligned;
      table[prefix + ".all"] = [kind = kind](CallSite &site) {
        IRBuilder<> &builder = site.builder;
        return barrier(site, kind, site.argument(0), builder.getInt32(0),
                       builder.CreateZExt(site.argument(1), builder.getInt32Ty()));
      };
      table[prefix + ".count"] = [kind = kind](CallSite &site) {
        IRBuilder<> &builder = site.builder;
        return barrier(site, kind, site.argument(0), site.argument(1),
                       builder.CreateZExt(site.argument(2), builder.getInt32Ty()));
      };
    }
  }
}

/// Calls the runtime; the value of a lane travels in 64 bits, whatever its type.
Value *warp(CallSite &site, WarpOperation operation, Value *mask, Value *value, Value *lane = nullptr,
            Value *clamp = nullptr) {
  IRBuilder<> &builder = site.builder;
  Value *zero = builder.getInt32(0);
  if (value->getType()->isFloatTy())
    value = builder.CreateBitCast(value, builder.getInt32Ty());
  value = builder.CreateZExt(value, builder.getInt64Ty());
  return site.callHost(
      "lockstep.warp", builder.getInt64Ty(),
      {site.block(), builder.getInt32(uint32_t(operation)), mask, value, lane ? lane : zero, clamp ? clamp : zero});
}

/// Turns the runtime's 64 bits into the result: a value, or a value and the predicate above its 32 bits.
Value *unpack(CallSite &site, Value *bits) {
  IRBuilder<> &builder = site.builder;
  auto asValue = [&](Type *type) {
    if (type->isFloatTy())
      return builder.CreateBitCast(builder.CreateTrunc(bits, builder.getInt32Ty()), type);
    return builder.CreateTrunc(bits, type);
  };
  if (site.type()->isVoidTy())
    return bits;
  auto *pair = dyn_cast<StructType>(site.type());
  if (!pair)
    return asValue(site.type());
  Value *predicate = builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt1Ty());
  Value *result = builder.CreateInsertValue(PoisonValue::get(pair), asValue(pair->getElementType(0)), 0);
  return builder.CreateInsertValue(result, predicate, 1);
}

void addShuffles(LoweringTable &table) {
  for (auto [name, operation] :
       {std::pair("up", WarpOperation::shuffleUp), std::pair("down", WarpOperation::shuffleDown),
        std::pair("bfly", WarpOperation::shuffleXor), std::pair("idx", WarpOperation::shuffleIndex)})
    for (const char *suffix : {".i32", ".i32p", ".f32", ".f32p"})
      table["llvm.nvvm.shfl.sync." + std::string(name) + suffix] = [operation = operation](CallSite &site) {
        return unpack(site,
                      warp(site, operation, site.argument(0), site.argument(1), site.argument(2), site.argument(3)));
      };
}

void addVotes(LoweringTable &table) {
  for (auto [name, operation] :
       {std::pair("vote.all.sync", WarpOperation::voteAll), std::pair("vote.any.sync", WarpOperation::voteAny),
        std::pair("vote.uni.sync", WarpOperation::voteUniform), std::pair("vote.ballot.sync", WarpOperation::ballot),
        std::pair("match.any.sync.i32", WarpOperation::matchAny),
        std::pair("match.any.sync.i64", WarpOperation::matchAny),
        std::pair("match.all.sync.i32p", WarpOperation::matchAll),
        std::pair("match.all.sync.i64p", WarpOperation::matchAll)})
    table["llvm.nvvm." + std::string(name)] = [operation = operation](CallSite &site) {
      return unpack(site, warp(site, operation, site.argument(0), site.argument(1)));
    };
  for (auto [name, operation] :
       {std::pair("add", WarpOperation::reduceAdd), std::pair("min", WarpOperation::reduceMin),
        std::pair("max", WarpOperation::reduceMax), std::pair("umin", WarpOperation::reduceUnsignedMin),
        std::pair("umax", WarpOperation::reduceUnsignedMax), std::pair("and", WarpOperation::reduceAnd),
        std::pair("or", WarpOperation::reduceOr), std::pair("xor", WarpOperation::reduceXor),
        std::pair("fmin", WarpOperation::reduceFloatMin), std::pair("fmax", WarpOperation::reduceFloatMax)})
    table["llvm.nvvm.redux.sync." + std::string(name)] = [operation = operation](CallSite &site) {
      return unpack(site, warp(site, operation, site.argument(1), site.argument(0)));
    };
  table["llvm.nvvm.bar.warp.sync"] = [](CallSite &site) {
    return warp(site, WarpOperation::sync, site.argument(0), site.builder.getInt32(0));
  };
  table["llvm.nvvm.elect.sync"] = [](CallSite &site) {
    return unpack(site, warp(site, WarpOperation::elect, site.argument(0), site.builder.getInt32(0)));
  };
  // Lanes need not run together unless they synchronise, so a lane may find itself alone; it always does here.
  table["llvm.nvvm.activemask"] = [](CallSite &site) {
    return site.builder.CreateShl(site.builder.getInt32(1), site.lane());
  };
}

} // namespace

void addNvvmSynchronization(LoweringTable &table) {
  addBarriers(table);
  addShuffles(table);
  addVotes(table);
  for (const char *scope : {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cluster"})
    table["llvm.nvvm." + std::string(scope)] = sequentialFence();
  table["llvm.nvvm.nanosleep"] = callRuntime("lockstep.yield");
  table["llvm.nvvm.exit"] = callRuntime("lockstep.exit");
  table["__assertfail"] = [](CallSite &site) {
    return site.callHost("lockstep.assertfail", site.builder.getVoidTy(),
                         {site.block(), site.argument(0), site.argument(1), site.argument(2), site.argument(3)});
  };
  table["vprintf"] = [](CallSite &site) {
    return site.callHost("lockstep.printf", site.builder.getInt32Ty(),
                         {site.block(), site.argument(0), site.argument(1)});
  };
}

} // namespace lockstep::simgpu::jit
