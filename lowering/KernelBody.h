// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps by which the region of an agpu.launch becomes the body of a gpu.func, for agpu-outline-kernels.

#ifndef LOCKSTEP_LOWERING_KERNELBODY_H
#define LOCKSTEP_LOWERING_KERNELBODY_H

#include "dialect/AgpuOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace lockstep::agpu {

/// Reports what cannot stand in a kernel. Changes nothing.
mlir::LogicalResult verifyKernelBody(LaunchOp launch);

/// Copies constants from above into the region, and moves cheap computations that only the region uses. Returns how
/// many operations that were.
unsigned sinkIntoKernel(LaunchOp launch);

/// The values from above that the region uses, each once, in order of first use.
llvm::SmallVector<mlir::Value> getKernelArguments(LaunchOp launch);

/// Creates the kernel in |gpuModule| and moves the region's blocks into it. The launch is left with an empty region.
mlir::gpu::GPUFuncOp createKernel(LaunchOp launch, llvm::ArrayRef<mlir::Value> arguments, llvm::StringRef name,
                                  mlir::gpu::GPUModuleOp gpuModule);

/// Copies the symbols that |gpuModule| uses from the host module into it, with those that they use in turn. Reports a
/// symbol that is missing, and a global whose copy would be a different variable.
mlir::LogicalResult copySymbols(mlir::Location loc, mlir::gpu::GPUModuleOp gpuModule, mlir::SymbolTable &hostSymbols);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_KERNELBODY_H
