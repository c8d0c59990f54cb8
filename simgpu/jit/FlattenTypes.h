// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_FLATTENTYPES_H
#define LOCKSTEP_SIMGPU_JIT_FLATTENTYPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace lockstep::simgpu::jit {

/// Maps every type to the same type with all pointers in address space 0.
class FlattenTypes : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override {
    llvm::Type *&mapped = cache[type];
    if (mapped)
      return mapped;
    llvm::Type *result = compute(type);
    return cache[type] = result;
  }

private:
  llvm::Type *compute(llvm::Type *type) {
    using namespace llvm;
    if (type->isPointerTy())
      return PointerType::get(type->getContext(), 0);
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    if (auto *structure = dyn_cast<StructType>(type))
      return computeStruct(structure);
    if (auto *function = dyn_cast<FunctionType>(type)) {
      SmallVector<Type *> parameters;
      for (Type *parameter : function->params())
        parameters.push_back(remapType(parameter));
      return FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
    }
    return type;
  }

  llvm::Type *computeStruct(llvm::StructType *structure) {
    using namespace llvm;
    SmallVector<Type *> elements;
    bool changed = false;
    for (Type *element : structure->elements()) {
      elements.push_back(remapType(element));
      changed |= elements.back() != element;
    }
    // With opaque pointers a structure cannot contain itself, so the recursion ends.
    return changed ? StructType::get(structure->getContext(), elements, structure->isPacked()) : structure;
  }

  llvm::DenseMap<llvm::Type *, llvm::Type *> cache;
};

} // namespace lockstep::simgpu::jit

#endif
