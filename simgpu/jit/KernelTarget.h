// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_KERNELTARGET_H
#define LOCKSTEP_SIMGPU_JIT_KERNELTARGET_H

#include "simgpu/jit/AmdgpuDispatch.h"
#include "llvm/IR/Module.h"

namespace lockstep::simgpu::jit {

/// What a device program says about the device that it is for.
struct KernelTarget {
  uint32_t warpSize = 32;
  ImplicitLayout implicitLayout = ImplicitLayout::none;
};

/// Reads it from the module's triple and flags and its kernels' attributes. Fails where kernels of one module differ,
/// and where the program uses memory of a kind that the simulated device does not have.
llvm::Expected<KernelTarget> readKernelTarget(const llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

} // namespace lockstep::simgpu::jit

#endif
