// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Entries.h"
#include "simgpu/jit/BlockContext.h"
#include "simgpu/jit/CallLowering.h"
#include "simgpu/jit/HostSymbols.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

/// The product of a thread bound written "64,2,1", 0 when there is none.
uint32_t threadBound(const Function &kernel, StringRef attribute) {
  StringRef text = kernel.getFnAttribute(attribute).getValueAsString();
  uint32_t product = text.empty() ? 0 : 1;
  SmallVector<StringRef, 3> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    uint32_t factor = 1;
    if (!part.trim().getAsInteger(10, factor))
      product *= factor;
  }
  return product;
}

/// Whether a thread that runs `kernel` may stop and let others run.
bool mayBlock(Function &kernel) {
  SmallSetVector<Function *, 8> reached;
  reached.insert(&kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (Instruction &instruction : instructions(*reached[i])) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call)
        continue;
      if (Function *callee = call->getCalledFunction()) {
        if (isBlockingHostFunction(callee->getName()))
          return true;
        if (!callee->isDeclaration())
          reached.insert(callee);
      } else {
        for (Function &other : *kernel.getParent())
          if (!other.isDeclaration() && other.hasAddressTaken())
            reached.insert(&other);
      }
    }
  return false;
}

class EntryBuilder {
public:
  EntryBuilder(Function &kernel, const CompiledKernel &record)
      : kernel(kernel), record(record), context(kernel.getContext()), builder(context) {}

  void buildFiberEntry() {
    Type *word = builder.getInt32Ty();
    start({builder.getPtrTy(), word, word, word});
    callKernel({entry->getArg(1), entry->getArg(2), entry->getArg(3)}, loadArguments());
    builder.CreateRetVoid();
  }

  void buildPlainEntry() {
    start({builder.getPtrTy()});
    SmallVector<Value *> arguments = loadArguments();
    Value *sizes[3];
    for (unsigned axis = 0; axis != 3; ++axis)
      sizes[axis] =
          load(builder.getInt32Ty(), entry->getArg(0), offsetof(BlockContext, blockSize) + axis * sizeof(uint32_t));
    PHINode *indices[3];
    BasicBlock *headers[3];
    // Nested from z outside to x inside. The body runs at least once: no block dimension is 0.
    for (int axis = 2; axis >= 0; --axis) {
      BasicBlock *before = builder.GetInsertBlock();
      headers[axis] = BasicBlock::Create(context, "axis", entry);
      builder.CreateBr(headers[axis]);
      builder.SetInsertPoint(headers[axis]);
      indices[axis] = builder.CreatePHI(builder.getInt32Ty(), 2);
      indices[axis]->addIncoming(builder.getInt32(0), before);
    }
    callKernel({indices[0], indices[1], indices[2]}, arguments);
    for (unsigned axis = 0; axis != 3; ++axis) {
      BasicBlock *latch = builder.GetInsertBlock();
      BasicBlock *after = BasicBlock::Create(context, "after", entry);
      Value *next = builder.CreateNUWAdd(indices[axis], builder.getInt32(1));
      indices[axis]->addIncoming(next, latch);
      builder.CreateCondBr(builder.CreateICmpULT(next, sizes[axis]), headers[axis], after);
      builder.SetInsertPoint(after);
    }
    builder.CreateRetVoid();
  }

private:
  void start(ArrayRef<Type *> parameters) {
    entry = Function::Create(FunctionType::get(builder.getVoidTy(), parameters, false), GlobalValue::ExternalLinkage,
                             record.entrySymbol, kernel.getParent());
    entry->addFnAttr(Attribute::NoUnwind);
    entry->addFnAttr(Attribute::NullPointerIsValid);
    entry->addFnAttr("probe-stack", "inline-asm");
    builder.SetInsertPoint(BasicBlock::Create(context, "entry", entry));
  }

  Value *load(Type *type, Value *base, uint64_t offset, Align align = Align(4)) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    LoadInst *value = builder.CreateAlignedLoad(type, address, align);
    value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    return value;
  }

  SmallVector<Value *> loadArguments() {
    SmallVector<Value *> arguments;
    Value *buffer = load(builder.getPtrTy(), entry->getArg(0), offsetof(BlockContext, arguments), Align(8));
    for (unsigned i = 0; i != record.parameters.size(); ++i) {
      const KernelParameter &parameter = record.parameters[i];
      Argument *formal = kernel.getArg(hiddenParameters + i);
      if (formal->hasByValAttr() || formal->hasByRefAttr())
        arguments.push_back(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, parameter.offsetBytes));
      else if (formal->getType()->isIntegerTy(1))
        // The host stores a byte.
        arguments.push_back(
            builder.CreateIsNotNull(load(builder.getInt8Ty(), buffer, parameter.offsetBytes, Align(1))));
      else
        arguments.push_back(load(formal->getType(), buffer, parameter.offsetBytes, Align(parameter.alignBytes)));
    }
    return arguments;
  }

  void callKernel(std::array<Value *, 3> threadIndex, ArrayRef<Value *> arguments) {
    SmallVector<Value *> all{entry->getArg(0), threadIndex[0], threadIndex[1], threadIndex[2]};
    append_range(all, arguments);
    CallInst *call = builder.CreateCall(&kernel, all);
    for (unsigned i = 0; i != arguments.size(); ++i)
      if (Type *type = kernel.getParamByValType(hiddenParameters + i))
        call->addParamAttr(hiddenParameters + i, Attribute::getWithByValType(context, type));
  }

  Function &kernel;
  const CompiledKernel &record;
  LLVMContext &context;
  IRBuilder<> builder;
  Function *entry = nullptr;
};

} // namespace

CompiledKernel describeKernel(const Function &kernel, size_t index) {
  CompiledKernel record;
  record.name = kernel.getName().str();
  record.entrySymbol = "lockstep.entry." + std::to_string(index);
  const DataLayout &layout = kernel.getDataLayout();
  uint64_t end = 0;
  for (const Argument &argument : kernel.args()) {
    // AMD's kernels may take a structure by reference to the place where it was passed by value.
    Type *byValue = argument.getPointeeInMemoryValueType();
    Type *type = byValue ? byValue : argument.getType();
    Align align = layout.getABITypeAlign(type);
    if (byValue)
      align = argument.getParamAlign().value_or(align);
    uint64_t offset = alignTo(end, align);
    uint64_t sizeBytes = layout.getTypeAllocSize(type);
    record.parameters.push_back({uint32_t(sizeBytes), uint32_t(align.value()), uint32_t(offset)});
    end = offset + sizeBytes;
  }
  record.argumentBytes = end;
  record.maxThreadsPerBlock = threadBound(kernel, "nvvm.reqntid");
  if (!record.maxThreadsPerBlock)
    record.maxThreadsPerBlock = threadBound(kernel, "nvvm.maxntid");
  if (kernel.getCallingConv() == CallingConv::AMDGPU_KERNEL) {
    auto [least, most] = kernel.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString().split(',');
    most.trim().getAsInteger(10, record.maxThreadsPerBlock);
  }
  return record;
}

void createEntry(Function &flattenedKernel, CompiledKernel &record) {
  record.usesFibers = mayBlock(flattenedKernel);
  if (!flattenedKernel.hasFnAttribute(Attribute::NoInline))
    flattenedKernel.addFnAttr(Attribute::AlwaysInline);
  EntryBuilder builder(flattenedKernel, record);
  if (record.usesFibers)
    builder.buildFiberEntry();
  else
    builder.buildPlainEntry();
}

} // namespace lockstep::simgpu::jit
