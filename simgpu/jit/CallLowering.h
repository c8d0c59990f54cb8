// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_CALLLOWERING_H
#define LOCKSTEP_SIMGPU_JIT_CALLLOWERING_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace lockstep::simgpu::jit {

/// The hidden parameters that every function of a flattened program takes before its own: the BlockContext, and the
/// thread's index in the block.
constexpr unsigned hiddenParameters = 4;

/// One call of the device program, about to be replaced. Gives the lowering functions of the tables what they need to
/// build the replacement, which goes right before the call.
class CallSite {
public:
  /// `lanesPerWarp` is that of the program's kernels; `number` tells this call from others and grows along a function.
  CallSite(llvm::CallInst &call, uint32_t lanesPerWarp, uint32_t number)
      : call(call), builder(&call), lanesPerWarp(lanesPerWarp), number(number) {}

  llvm::Value *argument(unsigned i) const { return call.getArgOperand(i); }
  unsigned numArguments() const { return call.arg_size(); }
  llvm::Type *type() const { return call.getType(); }

  llvm::Value *block() const { return call.getFunction()->getArg(0); }
  llvm::Value *threadIndex(unsigned axis) const { return call.getFunction()->getArg(1 + axis); }
  /// The thread's number in its block, x running fastest.
  llvm::Value *linearThread();
  llvm::Value *lane();
  /// A field of the BlockContext.
  llvm::Value *blockField(size_t offsetBytes, llvm::Type *type);
  llvm::Value *blockField32(size_t offsetBytes) { return blockField(offsetBytes, builder.getInt32Ty()); }

  /// Calls a function of HostSymbols by name.
  llvm::Value *callHost(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);
  /// Calls an LLVM intrinsic overloaded on the type of its first argument.
  llvm::Value *callIntrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments);

  llvm::CallInst &call;
  llvm::IRBuilder<> builder;
  const uint32_t lanesPerWarp;
  const uint32_t number;
};

/// Builds the replacement of one call; returns the value that takes the place of its result (any value, not used, for
/// a call without one). Null: this use is not supported.
using LowerCall = std::function<llvm::Value *(CallSite &)>;

/// What one GPU target calls: intrinsics by base name (without overload suffix) and library functions by name.
using LoweringTable = llvm::StringMap<LowerCall>;

/// The table of the NVPTX target.
const LoweringTable &nvvmLoweringTable();
/// Adds the parts that nvvmLoweringTable is made of.
void addNvvmRegisters(LoweringTable &table);
void addNvvmSynchronization(LoweringTable &table);
void addNvvmArithmetic(LoweringTable &table);
void addLibdevice(LoweringTable &table);

/// The table of the AMDGPU target.
const LoweringTable &amdgpuLoweringTable();
/// Adds the parts that amdgpuLoweringTable is made of.
void addAmdgpuRegisters(LoweringTable &table);
void addAmdgpuSynchronization(LoweringTable &table);
void addAmdgpuLibrary(LoweringTable &table);

/// Adds what every target has: traps and clocks.
void addGenericCalls(LoweringTable &table);
/// Adds the functions of a math library that two targets have: `<prefix>NAME<doubleSuffix>` and so on, by the host's.
void addMathLibrary(LoweringTable &table, llvm::StringRef prefix, llvm::StringRef doubleSuffix,
                    llvm::StringRef floatSuffix);
/// Lowers to the host function of that name, with the call's own arguments.
LowerCall callHostFunction(std::string name);
/// A read of a device clock: each is one tick.
llvm::Value *readClock(CallSite &site);
/// A block barrier for all threads, barrier 0.
llvm::Value *callBlockBarrier(CallSite &site);
/// A call without result of a runtime function that takes the block alone.
LowerCall callRuntime(const char *name);
/// A sequentially consistent fence.
LowerCall sequentialFence();

} // namespace lockstep::simgpu::jit

#endif
