// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/RuntimeEmitter.h"
#include "lowering/RuntimeEmitterPrologue.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace lockstep::agpu {

RuntimeEmitter::RuntimeEmitter(ModuleOp module, bool opNames)
    : module(module), opNames(opNames), runtime(module), types(module.getContext()), layout(module),
      builder(module.getContext()), loc(module.getLoc()), pointerType(LLVM::LLVMPointerType::get(module.getContext())) {
  // Names that are made from a counter start behind those that an earlier run left in the module.
  for (Operation &op : *module.getBody()) {
    unsigned number;
    auto name = SymbolTable::getSymbolName(&op);
    if (name && name.getValue().starts_with("agpu.") && !name.getValue().rsplit('.').second.getAsInteger(10, number))
      numSymbols = std::max(numSymbols, number + 1);
  }
}

/// Launches and host calls state what they need here; all others need room for descriptors and arrays of their rank.
LogicalResult RuntimeEmitter::enterFunction(func::FuncOp function) {
  entry = &function.getBody().front();
  prologueEnd = nullptr;
  lastNamed = nullptr;
  constants.clear();
  null = {};
  scratch.reset();
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (!isa_and_nonnull<AgpuDialect>(op->getDialect()))
      return WalkResult::advance();
    for (Type type :
         llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()), llvm::to_vector(op->getResultTypes())))
      if (auto memref = dyn_cast<MemRefType>(type))
        scratch.needRank(memref.getRank());
    ValueRange arguments = isa<LaunchFuncOp>(op) ? cast<LaunchFuncOp>(op).getKernelOperands() : ValueRange();
    if (auto call = dyn_cast<HostCallOp>(op))
      arguments = call.getArguments();
    unsigned count = 0;
    uint64_t largest = 0, total = 0;
    for (Value argument : arguments) {
      Type type = types.convertType(argument.getType());
      if (!type)
        return op->emitOpError("has an argument without a representation in LLVM: ") << argument.getType();
      count += isa<MemRefType>(argument.getType())
                   ? MemRefDescriptor::getNumUnpackedValues(cast<MemRefType>(argument.getType()))
               : isa<UnrankedMemRefType>(argument.getType()) ? 2
                                                             : 1;
      uint64_t bytes = layout.getTypeSize(type);
      total += llvm::alignTo(bytes, layout.getTypeABIAlignment(type)) + layout.getTypeABIAlignment(type);
      largest = std::max<uint64_t>(largest, isa<BaseMemRefType>(argument.getType()) ? sizeof(void *) : bytes);
    }
    if (isa<LaunchFuncOp>(op))
      scratch.needParameters(count, largest);
    else
      scratch.needArguments(total);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

Value RuntimeEmitter::acquireStream() {
  InPrologue prologue(*this);
  return call(RuntimeFunction::mgpuStreamPoolAcquire, {});
}

LogicalResult RuntimeEmitter::emitWork(ChainOpInterface op, const WorkTarget &target) {
  return TypeSwitch<Operation *, LogicalResult>(op.getOperation())
      .Case([&](AllocOp op) { return emitAlloc(op, target); })
      .Case([&](DeallocOp op) { return emitDealloc(op, target); })
      .Case([&](MemcpyOp op) { return emitMemcpy(op, target); })
      .Case([&](MemsetOp op) { return emitMemset(op, target); })
      .Case([&](LaunchFuncOp op) { return emitLaunch(op, target); })
      .Case([&](HostCallOp op) { return emitHostCall(op, target); })
      .Case([&](LaunchOp op) {
        return op.emitOpError("has a kernel in its region: run agpu-outline-kernels before this pass");
      })
      .Default([](Operation *op) { return op->emitOpError("has no lowering to the runtime"); });
}

void RuntimeEmitter::callWork(const WorkTarget &target, RuntimeFunction onStream, RuntimeFunction asNode,
                              ValueRange arguments) {
  SmallVector<Value, 16> all(arguments);
  if (target.stream) {
    all.push_back(target.stream);
    call(onStream, all);
    return;
  }
  Value place[] = {target.graph, target.dependencies, target.dependencyCount};
  all.insert(all.begin(), std::begin(place), std::end(place));
  call(asNode, all);
}

WorkTarget RuntimeEmitter::behindNodes(Value graph, ArrayRef<int32_t> dependencies) {
  StringRef bytes(reinterpret_cast<const char *>(dependencies.data()), dependencies.size() * sizeof(int32_t));
  return {graph, dependencies.empty() ? nullPointer() : dataAddress(bytes), constant64(dependencies.size())};
}

Value RuntimeEmitter::createGraphSlot() {
  LLVM::GlobalOp slot;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    slot = LLVM::GlobalOp::create(builder, loc, pointerType, /*isConstant=*/false, LLVM::Linkage::Internal,
                                  newSymbol("agpu.graph."), Attribute());
    slot->setAttr(kGraphSlotAttribute, builder.getUnitAttr());
    builder.createBlock(&slot.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, pointerType).getResult());
  }
  return LLVM::AddressOfOp::create(builder, loc, slot);
}

LogicalResult RuntimeEmitter::emitHostOp(Operation *op) {
  setInsertionPoint(op);
  if (auto expect = dyn_cast<ExpectOp>(op))
    return emitExpect(expect);
  emitName(op);
  emitHostRegister(op->getOperand(0), isa<HostRegisterOp>(op) ? RuntimeFunction::mgpuMemHostRegisterMemRef
                                                              : RuntimeFunction::mgpuMemHostUnregisterMemRef);
  return success();
}

void RuntimeEmitter::emitName(Operation *op) {
  if (!opNames || op == lastNamed)
    return;
  lastNamed = op;
  call(RuntimeFunction::mgpuSetOp, stringAddress(describeOp(op)));
}

Value RuntimeEmitter::call(RuntimeFunction function, ValueRange arguments) {
  LLVM::CallOp call = runtime.call(builder, loc, function, arguments);
  return call.getNumResults() ? call.getResult() : Value();
}

Value RuntimeEmitter::constant(Type type, int64_t value) {
  Value &known = constants[{type, value}];
  if (!known) {
    InPrologue prologue(*this);
    known = LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }
  return known;
}

Value RuntimeEmitter::nullPointer() {
  if (!null) {
    InPrologue prologue(*this);
    null = LLVM::ZeroOp::create(builder, loc, pointerType);
  }
  return null;
}

void RuntimeEmitter::setInsertionPoint(Operation *before) {
  builder.setInsertionPoint(before);
  loc = before->getLoc();
}

void RuntimeEmitter::setInsertionPointToStart(Block *block, Location at) {
  builder.setInsertionPointToStart(block);
  loc = at;
}

Value RuntimeEmitter::toLLVM(Value value) {
  Type type = types.convertType(value.getType());
  if (type == value.getType())
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
}

Value RuntimeEmitter::dataAddress(StringRef bytes) {
  LLVM::GlobalOp &global = strings[bytes];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                    newSymbol("agpu.constant."), builder.getStringAttr(bytes), alignof(int64_t));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value RuntimeEmitter::stringAddress(StringRef text) { return dataAddress((text + Twine('\0')).str()); }

std::string describeOp(Operation *op) {
  return describeLocation(op->getLoc()) + " " + op->getName().stripDialect().str();
}

std::string describeLocation(Location loc) {
  std::string text = kUnknownLocation.str();
  loc->walk([&](Location part) {
    // What was generated has no file, but a name.
    if (auto name = dyn_cast<NameLoc>(part); name && isa<UnknownLoc>(name.getChildLoc())) {
      text = name.getName().str();
      return WalkResult::interrupt();
    }
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
    return WalkResult::interrupt();
  });
  return text;
}

} // namespace lockstep::agpu
