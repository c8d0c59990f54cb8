// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches and host functions in device order.

#include "lowering/RuntimeEmitter.h"
#include "lowering/RuntimeEmitterPrologue.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;

namespace lockstep::agpu {

/// Kernels take memrefs as the members of their descriptor, as upstream's conversion of gpu.func makes them.
void RuntimeEmitter::flattenArgument(Value argument, SmallVectorImpl<Value> &values) {
  Value value = toLLVM(argument);
  if (auto type = dyn_cast<MemRefType>(argument.getType()))
    MemRefDescriptor::unpack(builder, loc, value, type, values);
  else if (isa<UnrankedMemRefType>(argument.getType()))
    UnrankedMemRefDescriptor::unpack(builder, loc, value, values);
  else
    values.push_back(value);
}

/// The handle is a global that the embedding of kernels fills before the program starts.
Value RuntimeEmitter::kernelHandle(SymbolRefAttr kernel) {
  LLVM::GlobalOp &global = kernelHandles[kernel];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    std::string name =
        ("agpu.function." + kernel.getRootReference().getValue() + "." + kernel.getLeafReference().getValue()).str();
    global = module.lookupSymbol<LLVM::GlobalOp>(name);
    if (!global) {
      global = LLVM::GlobalOp::create(builder, loc, pointerType, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                      Attribute());
      global->setAttr("agpu.kernel", kernel);
    }
  }
  Value address = LLVM::AddressOfOp::create(builder, loc, global);
  return LLVM::LoadOp::create(builder, loc, pointerType, address);
}

LogicalResult RuntimeEmitter::emitLaunch(LaunchFuncOp op, const WorkTarget &target) {
  SmallVector<Value> values;
  for (Value argument : op.getKernelOperands())
    flattenArgument(argument, values);
  if (!values.empty() && !scratch.hasParameters()) {
    InPrologue prologue(*this);
    scratch.createParameters(builder, loc);
  }
  for (auto [index, value] : llvm::enumerate(values))
    LLVM::StoreOp::create(builder, loc, value, scratch.parameterSlot(index));
  SmallVector<Value> arguments{kernelHandle(op.getKernel())};
  for (Value size : op.getGridSizes())
    arguments.push_back(toLLVM(size));
  for (Value size : op.getBlockSizes())
    arguments.push_back(toLLVM(size));
  Value sharedBytes = op.getDynamicSharedMemorySize();
  arguments.push_back(sharedBytes ? sharedBytes : constant(builder.getI32Type(), 0));
  Value parameters = values.empty() ? nullPointer() : scratch.parameterArray();
  Value count = constant64(values.size());
  if (target.stream) {
    llvm::append_values(arguments, target.stream, parameters, nullPointer(), count);
    call(RuntimeFunction::mgpuLaunchKernel, arguments);
    return success();
  }
  SmallVector<int64_t> bytes;
  for (Value value : values)
    bytes.push_back(layout.getTypeSize(value.getType()));
  Value sizes =
      values.empty()
          ? nullPointer()
          : dataAddress(StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size() * sizeof(int64_t)));
  llvm::append_values(arguments, parameters, sizes, count);
  Value place[] = {target.graph, target.dependencies, target.dependencyCount};
  arguments.insert(arguments.begin(), std::begin(place), std::end(place));
  call(RuntimeFunction::mgpuGraphAddKernelNode, arguments);
  return success();
}

/// A function that the runtime calls with the arguments in memory, and that calls the callee with them as values.
LLVM::LLVMFuncOp RuntimeEmitter::getTrampoline(HostCallOp op, LLVM::LLVMStructType arguments) {
  LLVM::LLVMFuncOp &trampoline = trampolines[op.getCalleeAttr()];
  if (trampoline)
    return trampoline;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()), pointerType);
  trampoline = LLVM::LLVMFuncOp::create(builder, loc, newSymbol(("agpu.host_call." + op.getCallee() + ".").str()), type,
                                        LLVM::Linkage::Internal);
  Block *block = trampoline.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> values;
  for (auto [index, argument] : llvm::enumerate(op.getArguments())) {
    Type fieldType = arguments.getBody()[index];
    Value address = LLVM::GEPOp::create(builder, loc, pointerType, arguments, block->getArgument(0),
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    Value value = LLVM::LoadOp::create(builder, loc, fieldType, address);
    if (fieldType != argument.getType())
      value = UnrealizedConversionCastOp::create(builder, loc, argument.getType(), value).getResult(0);
    values.push_back(value);
  }
  func::CallOp::create(builder, loc, op.getCalleeAttr(), TypeRange(), values);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return trampoline;
}

LogicalResult RuntimeEmitter::emitHostCall(HostCallOp op, const WorkTarget &target) {
  SmallVector<Type> fieldTypes;
  for (Value argument : op.getArguments()) {
    if (isa<UnrankedMemRefType>(argument.getType()))
      return op.emitOpError("passes an unranked memref, whose descriptor may be gone when the function runs: pass a "
                            "ranked one: ")
             << argument.getType();
    fieldTypes.push_back(types.convertType(argument.getType()));
  }
  auto structType = LLVM::LLVMStructType::getLiteral(module.getContext(), fieldTypes);
  Value trampoline = LLVM::AddressOfOp::create(builder, loc, getTrampoline(op, structType));
  Value memory = nullPointer();
  if (!fieldTypes.empty()) {
    InPrologue prologue(*this);
    memory = scratch.arguments(builder, loc);
  }
  for (auto [index, argument] : llvm::enumerate(op.getArguments())) {
    Value address = LLVM::GEPOp::create(builder, loc, pointerType, structType, memory,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, toLLVM(argument), address);
  }
  Value bytes = constant64(fieldTypes.empty() ? 0 : uint64_t(layout.getTypeSize(structType)));
  if (target.stream)
    call(RuntimeFunction::mgpuLaunchHostFunc, {target.stream, trampoline, memory, bytes});
  else
    call(RuntimeFunction::mgpuGraphAddHostNode,
         {target.graph, target.dependencies, target.dependencyCount, trampoline, memory, bytes});
  return success();
}

} // namespace lockstep::agpu
