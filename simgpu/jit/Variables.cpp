// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Variables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

constexpr unsigned sharedAddressSpace = 3;

bool refersToGlobals(const Constant *constant) {
  if (isa<GlobalValue>(constant) || isa<BlockAddress>(constant))
    return true;
  return any_of(constant->operands(), [](const Use &use) { return refersToGlobals(cast<Constant>(use.get())); });
}

/// Writes the bytes of an initialiser as the device would see them.
class InitialBytes {
public:
  InitialBytes(const DataLayout &layout, const DenseMap<const GlobalVariable *, VariableHome> &homes,
               TableVariable &variable)
      : layout(layout), homes(homes), variable(variable) {}

  Error write(const Constant *constant, uint64_t offset) {
    if (isa<ConstantAggregateZero>(constant) || isa<UndefValue>(constant) || isa<ConstantPointerNull>(constant))
      return Error::success();
    if (auto *data = dyn_cast<ConstantDataSequential>(constant)) {
      for (unsigned i = 0, e = data->getNumElements(); i != e; ++i)
        if (Error error = write(data->getElementAsConstant(i), offset + i * data->getElementByteSize()))
          return error;
      return Error::success();
    }
    if (auto *integer = dyn_cast<ConstantInt>(constant))
      return writeBits(integer->getValue(), constant->getType(), offset);
    if (auto *number = dyn_cast<ConstantFP>(constant))
      return writeBits(number->getValueAPF().bitcastToAPInt(), constant->getType(), offset);
    if (isa<ConstantAggregate>(constant))
      return writeAggregate(constant, offset);
    return writeAddress(constant, offset);
  }

private:
  Error writeBits(const APInt &bits, Type *type, uint64_t offset) {
    uint64_t sizeBytes = layout.getTypeStoreSize(type);
    APInt wide = bits.zextOrTrunc(sizeBytes * 8);
    for (uint64_t i = 0; i != sizeBytes; ++i)
      variable.initialBytes[offset + i] = char(wide.extractBitsAsZExtValue(8, i * 8));
    return Error::success();
  }

  Error writeAggregate(const Constant *constant, uint64_t offset) {
    auto *structure = dyn_cast<StructType>(constant->getType());
    for (unsigned i = 0, e = constant->getNumOperands(); i != e; ++i) {
      uint64_t at = structure ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                              : i * layout.getTypeAllocSize(constant->getOperand(i)->getType()).getFixedValue();
      if (Error error = write(cast<Constant>(constant->getOperand(i)), offset + at))
        return error;
    }
    return Error::success();
  }

  Error writeAddress(const Constant *constant, uint64_t offset) {
    if (constant->getType()->isPointerTy()) {
      APInt addend(layout.getIndexTypeSizeInBits(constant->getType()), 0);
      auto *base = constant->stripAndAccumulateConstantOffsets(layout, addend, /*AllowNonInbounds=*/true);
      auto *global = dyn_cast<GlobalVariable>(base);
      auto home = global ? homes.find(global) : homes.end();
      if (home != homes.end() && home->second.kind == VariableHome::table) {
        variable.relocations.push_back({offset, unsigned(home->second.position), addend.getSExtValue()});
        return Error::success();
      }
    }
    return createStringError("the initial value of variable '" + variable.name +
                             "' holds an address that has no place in device memory");
  }

  const DataLayout &layout;
  const DenseMap<const GlobalVariable *, VariableHome> &homes;
  TableVariable &variable;
};

/// The functions that a kernel may run: everything it names, and with an indirect call everything anybody names.
SmallSetVector<const Function *, 8> reachableFunctions(const Function *kernel) {
  SmallSetVector<const Function *, 8> reached;
  reached.insert(kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const Instruction &instruction : instructions(*reached[i])) {
      for (const Use &use : instruction.operands())
        if (auto *callee = dyn_cast<Function>(use->stripPointerCasts()); callee && !callee->isDeclaration())
          reached.insert(callee);
      if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
        for (const Function &other : *kernel->getParent())
          if (!other.isDeclaration() && other.hasAddressTaken())
            reached.insert(&other);
    }
  return reached;
}

/// Functions whose code names the variable, through constant expressions too.
void collectUsers(const Value *value, SmallPtrSetImpl<const Function *> &users) {
  for (const User *user : value->users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      users.insert(instruction->getFunction());
    else if (isa<ConstantExpr>(user) || isa<ConstantAggregate>(user))
      collectUsers(user, users);
}

class Planner {
public:
  Planner(llvm::Module &module, ArrayRef<Function *> kernels) : module(module), layout(module.getDataLayout()) {
    for (Function *kernel : kernels)
      reached.push_back({kernel, reachableFunctions(kernel)});
  }

  Expected<VariablePlan> run() {
    std::vector<const GlobalVariable *> sharedVariables;
    for (const GlobalVariable &variable : module.globals()) {
      if (variable.getName().starts_with("llvm."))
        continue;
      if (variable.isThreadLocal())
        return createStringError("variable '" + variable.getName() + "' is thread-local, which no GPU has");
      if (variable.getAddressSpace() == sharedAddressSpace) {
        if (layout.getTypeAllocSize(variable.getValueType()) == 0)
          plan.homes[&variable] = {VariableHome::dynamicShared, 0};
        else
          sharedVariables.push_back(&variable);
        continue;
      }
      if (!variable.hasInitializer())
        return createStringError("variable '" + variable.getName() + "' is declared but not defined in the module");
      if (variable.isConstant() && variable.hasLocalLinkage() && !refersToGlobals(variable.getInitializer())) {
        plan.homes[&variable] = {VariableHome::hostConstant, 0};
        continue;
      }
      addTableVariable(variable);
    }
    placeShared(sharedVariables);
    for (auto [variable, home] : plan.homes)
      if (home.kind == VariableHome::table) {
        TableVariable &entry = plan.variables[home.position];
        if (Error error = InitialBytes(layout, plan.homes, entry).write(variable->getInitializer(), 0))
          return error;
      }
    return plan;
  }

private:
  void addTableVariable(const GlobalVariable &variable) {
    plan.homes[&variable] = {VariableHome::table, plan.variables.size()};
    TableVariable entry;
    entry.name = variable.getName().str();
    entry.visibleToHost = !variable.hasLocalLinkage();
    entry.sizeBytes = layout.getTypeAllocSize(variable.getValueType());
    entry.alignBytes = variable.getAlign().value_or(layout.getPrefTypeAlign(variable.getValueType())).value();
    entry.initialBytes.assign(entry.sizeBytes, 0);
    plan.variables.push_back(std::move(entry));
  }

  uint64_t append(uint64_t end, const GlobalVariable *variable) {
    uint64_t offset = alignTo(end, variable->getAlign().value_or(layout.getPrefTypeAlign(variable->getValueType())));
    plan.homes[variable] = {VariableHome::shared, offset};
    return offset + layout.getTypeAllocSize(variable->getValueType());
  }

  /// First what several kernels (or none) reach, at the same offset for all; then each kernel's own.
  void placeShared(ArrayRef<const GlobalVariable *> sharedVariables) {
    std::vector<std::pair<const GlobalVariable *, const Function *>> own;
    uint64_t commonEnd = 0;
    for (const GlobalVariable *variable : sharedVariables) {
      SmallPtrSet<const Function *, 8> users;
      collectUsers(variable, users);
      SmallVector<const Function *> owners;
      for (auto &[kernel, functions] : reached)
        if (any_of(functions, [&](const Function *function) { return users.contains(function); }))
          owners.push_back(kernel);
      if (owners.size() == 1) {
        own.push_back({variable, owners.front()});
        continue;
      }
      commonEnd = append(commonEnd, variable);
      for (const Function *owner : owners)
        plan.sharedBytes[owner] = commonEnd;
    }
    DenseMap<const Function *, uint64_t> ownEnd;
    for (auto [variable, owner] : own)
      plan.sharedBytes[owner] = ownEnd[owner] = append(ownEnd.lookup_or(owner, commonEnd), variable);
  }

  llvm::Module &module;
  const DataLayout &layout;
  std::vector<std::pair<const Function *, SmallSetVector<const Function *, 8>>> reached;
  VariablePlan plan;
};

} // namespace

Expected<VariablePlan> planVariables(llvm::Module &module, ArrayRef<Function *> kernels) {
  return Planner(module, kernels).run();
}

} // namespace lockstep::simgpu::jit
