// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's way from the agpu dialect to LLVM IR, in the steps that `lockstep emit` shows.

#ifndef LOCKSTEP_HARNESS_LOWEREDPROGRAM_H
#define LOCKSTEP_HARNESS_LOWEREDPROGRAM_H

#include "harness/ProgramCompiler.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace lockstep::harness {

/// Turns everything into the agpu dialect: upstream's gpu and async operations are imported.
llvm::Error importProgram(mlir::ModuleOp module);

/// What upstream's gpu-to-llvm would get: a program in its form as it is, another one exported to its tokens.
llvm::Error exportProgram(mlir::ModuleOp module);

/// Imports, and turns chains into calls of the runtime ABI; kernels stay in gpu.module.
llvm::Error lowerToRuntimeCalls(mlir::ModuleOp module, const LoweringRequest &request);

/// All the way to the LLVM dialect, kernels embedded in the form that the driver takes.
llvm::Error lowerProgram(mlir::ModuleOp module, const LoweringRequest &request);

/// The kernels of a program as text in the device's instruction set, one after the other.
llvm::Expected<std::string> emitKernelAssembly(mlir::ModuleOp module, const LoweringRequest &request);

/// The LLVM IR of a program that lowerProgram has lowered.
llvm::Expected<std::unique_ptr<llvm::Module>> translateHostPart(mlir::ModuleOp module, llvm::LLVMContext &context);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_LOWEREDPROGRAM_H
