// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/KernelTarget.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

constexpr unsigned sharedSpace = 3, privateSpace = 5, firstUnknownSpace = 6, regionSpace = 2;

/// As LLVM does: by the features, else by the processor. Up to gfx9 there are 64 lanes, later 32.
uint32_t waveSize(const Function &kernel) {
  StringRef features = kernel.getFnAttribute("target-features").getValueAsString();
  if (features.contains("+wavefrontsize32"))
    return 32;
  if (features.contains("+wavefrontsize64"))
    return 64;
  return kernel.getFnAttribute("target-cpu").getValueAsString().starts_with("gfx1") ? 32 : 64;
}

ImplicitLayout implicitLayout(const llvm::Module &module) {
  // LLVM's default is version 6.
  uint64_t version = 600;
  if (auto *flag = mdconst::extract_or_null<ConstantInt>(module.getModuleFlag("amdhsa_code_object_version")))
    version = flag->getZExtValue();
  return version < 500 ? ImplicitLayout::v4 : ImplicitLayout::v5;
}

/// Null, or what about the type has no place in the simulated device.
const char *findUnknown(Type *type) {
  auto *pointer = dyn_cast<PointerType>(type->getScalarType());
  if (!pointer)
    return nullptr;
  unsigned space = pointer->getAddressSpace();
  if (space == regionSpace)
    return "memory of all blocks (address space 2)";
  return space >= firstUnknownSpace ? "buffer resources or 32-bit pointers (address spaces from 6)" : nullptr;
}

/// Workgroup and private addresses have 32 bits on the device and 64 on the simulated one.
bool cutsAddress(const Instruction &instruction) {
  auto isShort = [](Type *pointer, Type *integer) {
    unsigned space = pointer->getPointerAddressSpace();
    return (space == sharedSpace || space == privateSpace) && integer->getScalarSizeInBits() < 64;
  };
  if (auto *cast = dyn_cast<PtrToIntInst>(&instruction))
    return isShort(cast->getSrcTy(), cast->getDestTy());
  auto *cast = dyn_cast<IntToPtrInst>(&instruction);
  return cast && isShort(cast->getDestTy(), cast->getSrcTy());
}

Error checkFunction(const Function &function) {
  auto refuse = [&](StringRef what) {
    return createStringError("function '" + function.getName() + "' uses " + what +
                             ", which the simulated device does not have");
  };
  for (const Argument &argument : function.args())
    if (const char *what = findUnknown(argument.getType()))
      return refuse(what);
  for (const Instruction &instruction : instructions(function)) {
    if (const char *what = findUnknown(instruction.getType()))
      return refuse(what);
    if (cutsAddress(instruction))
      return refuse("addresses of workgroup or private memory as numbers of 32 bits");
  }
  return Error::success();
}

} // namespace

Expected<KernelTarget> readKernelTarget(const llvm::Module &module, ArrayRef<Function *> kernels) {
  KernelTarget target;
  if (!module.getTargetTriple().isAMDGCN())
    return target;
  target.implicitLayout = implicitLayout(module);
  for (const Function &function : module)
    if (Error error = checkFunction(function))
      return error;
  if (kernels.empty())
    return target;
  target.warpSize = waveSize(*kernels.front());
  for (const Function *kernel : kernels) {
    if (waveSize(*kernel) != target.warpSize)
      return createStringError("kernels '" + kernels.front()->getName() + "' and '" + kernel->getName() +
                               "' of one module are for waves of different sizes");
    for (const Argument &argument : kernel->args())
      if (argument.getType()->isPointerTy() && !argument.getPointeeInMemoryValueType() &&
          (argument.getType()->getPointerAddressSpace() == sharedSpace ||
           argument.getType()->getPointerAddressSpace() == privateSpace))
        return createStringError("kernel '" + kernel->getName() +
                                 "' takes the address of workgroup or private memory, which no host has");
  }
  return target;
}

} // namespace lockstep::simgpu::jit
