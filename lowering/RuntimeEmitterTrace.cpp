// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls by which a program says what order its chains ask for (runtime-api/Trace.h).

#include "lowering/CertainAccesses.h"
#include "lowering/RuntimeEmitter.h"

#include "runtime-api/Trace.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace lockstep::agpu {

Value RuntimeEmitter::callTrace(StringRef function, bool hasResult, ValueRange arguments) {
  auto declared = module.lookupSymbol<LLVM::LLVMFuncOp>(function);
  if (!declared) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type result = hasResult ? pointerType : LLVM::LLVMVoidType::get(module.getContext());
    declared = LLVM::LLVMFuncOp::create(builder, module.getLoc(), function,
                                        LLVM::LLVMFunctionType::get(result, llvm::to_vector(arguments.getTypes())));
  }
  auto call = LLVM::CallOp::create(builder, loc, declared, arguments);
  return hasResult ? call.getResult() : Value();
}

static LockstepTraceKind getTraceKind(Operation *op) {
  return isa<JoinOp>(op) ? kLockstepTraceJoin : isa<WaitOp>(op) ? kLockstepTraceWait : kLockstepTraceWork;
}

Value RuntimeEmitter::traceOp(ChainOpInterface op) {
  Value kind = constant(builder.getI32Type(), getTraceKind(op));
  Value chain = callTrace("lockstepTraceOp", /*hasResult=*/true, {stringAddress(describeOp(op)), kind});
  for (Value before : op.getChains())
    callTrace("lockstepTraceAfter", /*hasResult=*/false, before);
  return chain;
}

void RuntimeEmitter::traceAccess(Value memref, int32_t access) {
  auto [rank, pointer] = rankAndPointer(memref, 0);
  callTrace("lockstepTraceAccess", /*hasResult=*/false,
            {rank, pointer, constant64(elementBytes(memref.getType())), constant(builder.getI32Type(), access)});
}

void RuntimeEmitter::traceElements(Operation *op, ValueRange arguments) {
  std::optional<ArgumentAccesses> accesses = getAnnotatedAccesses(op);
  if (!accesses)
    return;
  for (auto [argument, elements] : llvm::zip_equal(arguments, *accesses))
    for (const CertainAccess &element : elements) {
      auto [rank, pointer] = rankAndPointer(argument, 0);
      StringRef indices(reinterpret_cast<const char *>(element.indices.data()),
                        element.indices.size() * sizeof(int64_t));
      int32_t access = element.isWrite ? kLockstepTraceWrites : kLockstepTraceReads;
      callTrace("lockstepTraceElement", /*hasResult=*/false,
                {rank, pointer, constant64(elementBytes(argument.getType())), constant(builder.getI32Type(), access),
                 dataAddress(indices)});
    }
}

void RuntimeEmitter::traceAccesses(Operation *op) {
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    // Behind the operation, whose result is replaced when its work is emitted.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(op);
    traceAccess(alloc.getMemref(), kLockstepTraceAllocates);
  } else if (auto dealloc = dyn_cast<DeallocOp>(op)) {
    traceAccess(dealloc.getMemref(), kLockstepTraceFrees);
  } else if (auto copy = dyn_cast<MemcpyOp>(op)) {
    traceAccess(copy.getDst(), kLockstepTraceWrites);
    traceAccess(copy.getSrc(), kLockstepTraceReads);
  } else if (auto fill = dyn_cast<MemsetOp>(op)) {
    traceAccess(fill.getDst(), kLockstepTraceWrites);
  } else if (auto launch = dyn_cast<LaunchFuncOp>(op)) {
    traceElements(op, launch.getKernelOperands());
  } else if (auto call = dyn_cast<HostCallOp>(op)) {
    traceElements(op, call.getArguments());
  }
}

/// Whether the operations up to the next device operation of the block leave memory alone, and there is one.
static bool isUnobserved(Operation *op) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (isa<ChainOpInterface>(next))
      return true;
    if (next->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(next))
      return false;
  }
  return false;
}

void RuntimeEmitter::traceHostWait(ChainOpInterface op) {
  int32_t wait = isUnobserved(op) ? kLockstepTraceUnobserved : kLockstepTraceObserved;
  callTrace("lockstepTraceHostWait", /*hasResult=*/false, constant(builder.getI32Type(), wait));
}

} // namespace lockstep::agpu
