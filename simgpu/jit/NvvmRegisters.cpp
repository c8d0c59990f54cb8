// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Special registers of the NVPTX target, and the reads that are plain loads here.

#include "simgpu/jit/BlockContext.h"
#include "simgpu/jit/CallLowering.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

constexpr const char *axes[] = {"x", "y", "z"};
constexpr size_t axisBytes = sizeof(uint32_t);

LowerCall constant32(uint32_t value) {
  return [value](CallSite &site) -> Value * { return site.builder.getInt32(value); };
}

LowerCall field32(size_t offsetBytes) {
  return [offsetBytes](CallSite &site) { return site.blockField32(offsetBytes); };
}

/// lanemask.{eq,lt,le,gt,ge}: bits of the lanes that compare so with this one.
Value *laneMask(CallSite &site, StringRef comparison) {
  IRBuilder<> &builder = site.builder;
  Value *own = builder.CreateShl(builder.getInt32(1), site.lane());
  Value *below = builder.CreateSub(own, builder.getInt32(1));
  if (comparison == "eq")
    return own;
  if (comparison == "lt")
    return below;
  Value *belowOrOwn = builder.CreateOr(below, own);
  if (comparison == "le")
    return belowOrOwn;
  return builder.CreateNot(comparison == "gt" ? belowOrOwn : below);
}

void addClusterRegisters(LoweringTable &table) {
  // A cluster of one block: the cluster's index is the block's.
  for (unsigned i = 0; i != 3; ++i) {
    std::string axis = axes[i];
    table["llvm.nvvm.read.ptx.sreg.clusterid." + axis] = field32(offsetof(BlockContext, blockIndex) + i * axisBytes);
    table["llvm.nvvm.read.ptx.sreg.nclusterid." + axis] = field32(offsetof(BlockContext, gridSize) + i * axisBytes);
    table["llvm.nvvm.read.ptx.sreg.cluster.ctaid." + axis] = constant32(0);
    table["llvm.nvvm.read.ptx.sreg.cluster.nctaid." + axis] = constant32(1);
  }
  table["llvm.nvvm.read.ptx.sreg.cluster.ctarank"] = constant32(0);
  table["llvm.nvvm.read.ptx.sreg.cluster.nctarank"] = constant32(1);
  table["llvm.nvvm.is_explicit_cluster"] = [](CallSite &site) -> Value * { return site.builder.getFalse(); };
}

void addClocks(LoweringTable &table) {
  for (const char *name : {"clock", "clock64", "globaltimer", "globaltimer.lo"})
    table[("llvm.nvvm.read.ptx.sreg." + Twine(name)).str()] = readClock;
}

} // namespace

void addNvvmRegisters(LoweringTable &table) {
  for (unsigned i = 0; i != 3; ++i) {
    std::string axis = axes[i];
    table["llvm.nvvm.read.ptx.sreg.tid." + axis] = [i](CallSite &site) { return site.threadIndex(i); };
    table["llvm.nvvm.read.ptx.sreg.ntid." + axis] = field32(offsetof(BlockContext, blockSize) + i * axisBytes);
    table["llvm.nvvm.read.ptx.sreg.ctaid." + axis] = field32(offsetof(BlockContext, blockIndex) + i * axisBytes);
    table["llvm.nvvm.read.ptx.sreg.nctaid." + axis] = field32(offsetof(BlockContext, gridSize) + i * axisBytes);
  }
  addClusterRegisters(table);
  addClocks(table);
  table["llvm.nvvm.read.ptx.sreg.laneid"] = [](CallSite &site) { return site.lane(); };
  table["llvm.nvvm.read.ptx.sreg.warpsize"] = constant32(warpSize);
  table["llvm.nvvm.read.ptx.sreg.warpid"] = [](CallSite &site) {
    return site.builder.CreateUDiv(site.linearThread(), site.builder.getInt32(warpSize));
  };
  table["llvm.nvvm.read.ptx.sreg.nwarpid"] = [](CallSite &site) -> Value * {
    IRBuilder<> &builder = site.builder;
    Value *threads = site.blockField32(offsetof(BlockContext, blockSize.x));
    threads = builder.CreateMul(threads, site.blockField32(offsetof(BlockContext, blockSize.y)));
    threads = builder.CreateMul(threads, site.blockField32(offsetof(BlockContext, blockSize.z)));
    return builder.CreateUDiv(builder.CreateAdd(threads, builder.getInt32(warpSize - 1)), builder.getInt32(warpSize));
  };
  for (const char *comparison : {"eq", "lt", "le", "gt", "ge"})
    table[("llvm.nvvm.read.ptx.sreg.lanemask." + Twine(comparison)).str()] = [comparison](CallSite &site) {
      return laneMask(site, comparison);
    };
  table["llvm.nvvm.read.ptx.sreg.smid"] = constant32(0);
  table["llvm.nvvm.read.ptx.sreg.nsmid"] = constant32(1);
  table["llvm.nvvm.read.ptx.sreg.gridid"] = constant32(0);
  table["llvm.nvvm.read.ptx.sreg.dynamic_smem_size"] = field32(offsetof(BlockContext, dynamicSharedBytes));
  table["llvm.nvvm.read.ptx.sreg.total_smem_size"] = [](CallSite &site) {
    return site.builder.CreateAdd(site.blockField32(offsetof(BlockContext, dynamicSharedBytes)),
                                  site.blockField32(offsetof(BlockContext, staticSharedBytes)));
  };
}

} // namespace lockstep::simgpu::jit
