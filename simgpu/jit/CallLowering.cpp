// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/CallLowering.h"
#include "simgpu/jit/BlockContext.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

Value *CallSite::linearThread() {
  Value *width = blockField32(offsetof(BlockContext, blockSize.x));
  Value *height = blockField32(offsetof(BlockContext, blockSize.y));
  Value *row = builder.CreateAdd(threadIndex(1), builder.CreateMul(height, threadIndex(2)));
  return builder.CreateAdd(threadIndex(0), builder.CreateMul(width, row));
}

Value *CallSite::lane() { return builder.CreateAnd(linearThread(), lanesPerWarp - 1); }

Value *CallSite::blockField(size_t offsetBytes, Type *type) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block(), offsetBytes);
  LoadInst *load = builder.CreateLoad(type, address);
  // Within one run of the compiled code the context does not change; without this every store of the kernel might
  // change it.
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

Value *CallSite::callHost(StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  auto callee = call.getModule()->getOrInsertFunction(name, FunctionType::get(result, types, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()))
    function->addFnAttr(Attribute::NoUnwind);
  return builder.CreateCall(callee, arguments);
}

Value *CallSite::callIntrinsic(Intrinsic::ID id, ArrayRef<Value *> arguments) {
  return builder.CreateIntrinsic(id, {arguments.front()->getType()}, arguments);
}

const LoweringTable &nvvmLoweringTable() {
  static const LoweringTable *table = [] {
    auto *result = new LoweringTable;
    addGenericCalls(*result);
    addNvvmRegisters(*result);
    addNvvmSynchronization(*result);
    addNvvmArithmetic(*result);
    addLibdevice(*result);
    return result;
  }();
  return *table;
}

const LoweringTable &amdgpuLoweringTable() {
  static const LoweringTable *table = [] {
    auto *result = new LoweringTable;
    addGenericCalls(*result);
    addAmdgpuRegisters(*result);
    addAmdgpuSynchronization(*result);
    addAmdgpuLibrary(*result);
    return result;
  }();
  return *table;
}

} // namespace lockstep::simgpu::jit
