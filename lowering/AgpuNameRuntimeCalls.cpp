// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-name-runtime-calls: names operations to the runtime in what another compiler lowered.

#include "lowering/Passes.h"
#include "lowering/RuntimeCalls.h"
#include "lowering/RuntimeEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

#define DEBUG_TYPE "agpu-name-runtime-calls"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUNAMERUNTIMECALLSPASS
#include "lowering/Passes.h.inc"

namespace {

/// The kind of operation that became this one: what its name is in agpu. Empty where it is no call that does work.
StringRef getKind(Operation *op) {
  // Becomes a call of mgpuLaunchKernel when the module is translated to LLVM IR.
  if (isa<gpu::LaunchFuncOp>(op))
    return LaunchFuncOp::getOperationName();
  auto call = dyn_cast<LLVM::CallOp>(op);
  StringRef function = call ? call.getCallee().value_or("") : "";
  return llvm::StringSwitch<StringRef>(function)
      .Case("mgpuMemAlloc", AllocOp::getOperationName())
      .Case("mgpuMemFree", DeallocOp::getOperationName())
      .Cases({"mgpuMemcpy", "mgpuMemcpyStrided", "mgpuMemcpyMemRef"}, MemcpyOp::getOperationName())
      .StartsWith("mgpuMemset", MemsetOp::getOperationName())
      .Cases({"mgpuLaunchKernel", "mgpuLaunchClusterKernel"}, LaunchFuncOp::getOperationName())
      .Case("mgpuLaunchHostFunc", HostCallOp::getOperationName())
      .Cases({"mgpuStreamSynchronize", "mgpuEventSynchronize"}, WaitOp::getOperationName())
      .Default("");
}

class AgpuNameRuntimeCallsPass : public impl::AgpuNameRuntimeCallsPassBase<AgpuNameRuntimeCallsPass> {
  void runOnOperation() override {
    // Who names operations itself knows better.
    if (getOperation().lookupSymbol(getRuntimeFunctionName(RuntimeFunction::mgpuSetOp)))
      return;
    RuntimeCalls runtime(getOperation());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      nameCalls(*block, runtime);
  }

  /// One operation may be several calls in a row: they have its location, and its name once.
  void nameCalls(Block &block, RuntimeCalls &runtime) {
    std::string last;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      StringRef kind = getKind(&op);
      if (kind.empty())
        continue;
      std::string place = describeLocation(op.getLoc());
      if (place == kUnknownLocation || place == last)
        continue;
      last = place;
      OpBuilder builder(&op);
      Value name = getString(place + " " + kind.rsplit('.').second.str(), builder, op.getLoc());
      runtime.call(builder, op.getLoc(), RuntimeFunction::mgpuSetOp, name);
      ++namedCount;
    }
  }

  Value getString(const std::string &text, OpBuilder &builder, Location loc) {
    LLVM::GlobalOp &global = strings[text];
    if (!global) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(getOperation().getBody());
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size() + 1);
      global =
          LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                 "agpu.op_name." + std::to_string(strings.size()), builder.getStringAttr(text + '\0'));
    }
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  llvm::StringMap<LLVM::GlobalOp> strings;
};

} // namespace
} // namespace lockstep::agpu
