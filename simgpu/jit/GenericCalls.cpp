// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the tables of several targets have in common.

#include "simgpu/jit/BlockContext.h"
#include "simgpu/jit/BlockScheduler.h"
#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

Value *readClock(CallSite &site) {
  IRBuilder<> &builder = site.builder;
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), site.block(), offsetof(BlockContext, clock));
  Value *now = builder.CreateLoad(builder.getInt64Ty(), address);
  builder.CreateStore(builder.CreateAdd(now, builder.getInt64(1)), address);
  return builder.CreateTrunc(now, site.type());
}

Value *callBlockBarrier(CallSite &site) {
  Value *zero = site.builder.getInt32(0);
  return site.callHost("lockstep.barrier", site.builder.getInt64Ty(),
                       {site.block(), site.builder.getInt32(uint32_t(BarrierKind::sync)), zero, zero, zero});
}

LowerCall callRuntime(const char *name) {
  return [name](CallSite &site) { return site.callHost(name, site.builder.getVoidTy(), {site.block()}); };
}

LowerCall callHostFunction(std::string name) {
  return [name](CallSite &site) {
    SmallVector<Value *> arguments(site.call.args());
    return site.callHost(name, site.type(), arguments);
  };
}

LowerCall sequentialFence() {
  return [](CallSite &site) -> Value * { return site.builder.CreateFence(AtomicOrdering::SequentiallyConsistent); };
}

void addGenericCalls(LoweringTable &table) {
  for (const char *name : {"llvm.readcyclecounter", "llvm.readsteadycounter"})
    table[name] = readClock;
  table["llvm.trap"] = callRuntime("lockstep.trap");
  table["llvm.ubsantrap"] = callRuntime("lockstep.trap");
  table["llvm.debugtrap"] = [](CallSite &site) -> Value * { return site.builder.getInt32(0); };
}

} // namespace lockstep::simgpu::jit
