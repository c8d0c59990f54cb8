// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/RuntimeCalls.h"

#include "runtime-api/Mgpu.h"

#include <type_traits>

using namespace mlir;

namespace lockstep::agpu {

namespace {

template <typename T> Type convertType(MLIRContext *context) {
  if constexpr (std::is_void_v<T>)
    return LLVM::LLVMVoidType::get(context);
  else if constexpr (std::is_pointer_v<T>)
    return LLVM::LLVMPointerType::get(context);
  else if constexpr (std::is_same_v<T, double>)
    return Float64Type::get(context);
  else {
    static_assert(std::is_integral_v<T>, "no LLVM type is known for this C type");
    return IntegerType::get(context, sizeof(T) * 8);
  }
}

template <typename Signature> struct SignatureType;

template <typename Result, typename... Parameters> struct SignatureType<Result(Parameters...)> {
  static LLVM::LLVMFunctionType get(MLIRContext *context) {
    SmallVector<Type> parameters{convertType<Parameters>(context)...};
    return LLVM::LLVMFunctionType::get(convertType<Result>(context), parameters);
  }
};

} // namespace

StringRef getRuntimeFunctionName(RuntimeFunction function) {
  static constexpr const char *kNames[] = {
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) #NAME,
#include "runtime-api/Symbols.def"
  };
  return kNames[static_cast<unsigned>(function)];
}

LLVM::LLVMFunctionType getRuntimeFunctionType(MLIRContext *context, RuntimeFunction function) {
  using Getter = LLVM::LLVMFunctionType (*)(MLIRContext *);
  static constexpr Getter kGetters[] = {
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) &SignatureType<RESULT PARAMETERS>::get,
#include "runtime-api/Symbols.def"
  };
  return kGetters[static_cast<unsigned>(function)](context);
}

LogicalResult RuntimeCalls::verifyNames() {
  SymbolTable symbols(module);
  for (unsigned i = 0; i != kRuntimeFunctionCount; ++i) {
    auto function = static_cast<RuntimeFunction>(i);
    StringRef name = getRuntimeFunctionName(function);
    Operation *op = symbols.lookup(name);
    if (!op)
      continue;
    LLVM::LLVMFunctionType expected = getRuntimeFunctionType(module.getContext(), function);
    auto declaration = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!declaration || !declaration.isExternal() || declaration.getFunctionType() != expected) {
      return op->emitOpError("has the name of a runtime function but is not its declaration: expected an external "
                             "llvm.func of type ")
             << expected;
    }
    declarations[i] = declaration;
  }
  return success();
}

LLVM::LLVMFuncOp RuntimeCalls::declare(RuntimeFunction function) {
  LLVM::LLVMFuncOp &declaration = declarations[static_cast<unsigned>(function)];
  if (declaration)
    return declaration;
  StringRef name = getRuntimeFunctionName(function);
  LLVM::LLVMFunctionType type = getRuntimeFunctionType(module.getContext(), function);
  declaration = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!declaration) {
    assert(!module.lookupSymbol(name) && "verifyNames was not called");
    auto builder = OpBuilder::atBlockBegin(module.getBody());
    declaration = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  }
  assert(declaration.getFunctionType() == type && "verifyNames was not called");
  return declaration;
}

LLVM::CallOp RuntimeCalls::call(OpBuilder &builder, Location loc, RuntimeFunction function, ValueRange arguments) {
  LLVM::LLVMFuncOp callee = declare(function);
  assert(arguments.getTypes() == callee.getFunctionType().getParams() && "arguments disagree with the symbol table");
  return LLVM::CallOp::create(builder, loc, callee, arguments);
}

} // namespace lockstep::agpu
