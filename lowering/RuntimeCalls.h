// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of and calls to the mgpu runtime ABI, for every pass that emits them. Names and types come from
// runtime-api/Symbols.def, so a lowering that disagrees with the table does not compile or fails an assertion.
//
// C types map to LLVM dialect types: pointers and handles to !llvm.ptr, intptr_t, size_t and 64-bit integers to i64,
// int to i32, and bool to i8 (what upstream's gpu-to-llvm passes, so that both kinds of program can share one
// declaration).

#ifndef LOCKSTEP_LOWERING_RUNTIMECALLS_H
#define LOCKSTEP_LOWERING_RUNTIMECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <array>

namespace lockstep::agpu {

/// One enumerator for each function of the ABI: RuntimeFunction::mgpuStreamCreate.
enum class RuntimeFunction : unsigned {
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) NAME,
#include "runtime-api/Symbols.def"
};

constexpr unsigned kRuntimeFunctionCount = 0
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) +1
#include "runtime-api/Symbols.def"
    ;

/// The symbol name: "mgpuStreamCreate".
llvm::StringRef getRuntimeFunctionName(RuntimeFunction function);

/// The function's type in the LLVM dialect.
mlir::LLVM::LLVMFunctionType getRuntimeFunctionType(mlir::MLIRContext *context, RuntimeFunction function);

/// Declares runtime functions in one module, each at its first use, and builds calls to them. Not thread safe: for
/// passes that run on the module. Lives no longer than the module, and assumes that nobody erases a declaration
/// meanwhile.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}

  /// Reports a symbol of the module that has the name of a runtime function and is not its declaration. To be called
  /// once, before the first declare or call.
  mlir::LogicalResult verifyNames();

  /// The declaration, created at the start of the module where it is not there yet.
  mlir::LLVM::LLVMFuncOp declare(RuntimeFunction function);

  /// A call at the builder's position. Argument types must be exactly those of the table.
  mlir::LLVM::CallOp call(mlir::OpBuilder &builder, mlir::Location loc, RuntimeFunction function,
                          mlir::ValueRange arguments);

private:
  mlir::ModuleOp module;
  std::array<mlir::LLVM::LLVMFuncOp, kRuntimeFunctionCount> declarations{};
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_RUNTIMECALLS_H
