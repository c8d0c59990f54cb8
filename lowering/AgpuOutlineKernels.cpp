// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-outline-kernels: the region of each agpu.launch becomes a kernel. KernelPasses.td says what it guarantees. The
// conventions (one module a kernel, copied symbols, constants inside) are those of upstream's gpu-kernel-outlining.

#include "dialect/AgpuOps.h"
#include "lowering/KernelBody.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "agpu-outline-kernels"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUOUTLINEKERNELSPASS
#include "lowering/Passes.h.inc"

namespace {

class AgpuOutlineKernelsPass : public impl::AgpuOutlineKernelsPassBase<AgpuOutlineKernelsPass> {
  void runOnOperation() override {
    previousKernels.clear();
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    SymbolTable symbols(getOperation());
    for (LaunchOp launch : launches) {
      if (failed(outline(launch, symbols)))
        return signalPassFailure();
    }
    if (launches.empty())
      return markAllAnalysesPreserved();
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), UnitAttr::get(&getContext()));
  }

  LogicalResult outline(LaunchOp launch, SymbolTable &symbols);

  struct Previous {
    /// The operation after which the function's next kernel goes: the function, then its last kernel.
    Operation *op;
    unsigned nextNumber = 0;
  };
  DenseMap<Operation *, Previous> previousKernels;
};

/// Three sizes as an attribute, or null where one is not constant or does not fit.
DenseI32ArrayAttr getConstantSizes(OperandRange sizes) {
  SmallVector<int32_t> values;
  for (Value size : sizes) {
    APInt value;
    if (!matchPattern(size, m_ConstantInt(&value)) || !value.isSignedIntN(32) || !value.isStrictlyPositive())
      return {};
    values.push_back(static_cast<int32_t>(value.getSExtValue()));
  }
  return DenseI32ArrayAttr::get(sizes.front().getContext(), values);
}

/// The function right below |module| that holds the launch, or null.
FunctionOpInterface getHostFunction(LaunchOp launch, ModuleOp module) {
  auto function = launch->getParentOfType<FunctionOpInterface>();
  return function && function->getParentOp() == module ? function : FunctionOpInterface();
}

LogicalResult AgpuOutlineKernelsPass::outline(LaunchOp launch, SymbolTable &symbols) {
  FunctionOpInterface host = getHostFunction(launch, getOperation());
  if (!host)
    return launch.emitOpError("must be in a function that is a direct child of the module");
  if (failed(verifyKernelBody(launch)))
    return failure();
  sunkCount += sinkIntoKernel(launch);

  OpBuilder builder(launch);
  Previous &previous = previousKernels.try_emplace(host, Previous{host}).first->second;
  std::string base = (host.getName() + "_kernel").str(), name = base;
  while (symbols.lookup(name))
    name = base + "_" + std::to_string(previous.nextNumber++);
  auto gpuModule = gpu::GPUModuleOp::create(builder, launch.getLoc(), name);
  gpuModule->remove();
  StringAttr kernelName = symbols.insert(gpuModule, std::next(Block::iterator(previous.op)));
  previous.op = gpuModule;

  SmallVector<Value> arguments = getKernelArguments(launch);
  gpu::GPUFuncOp kernel = createKernel(launch, arguments, kernelName, gpuModule);
  kernel.setKnownGridSizeAttr(getConstantSizes(launch.getGridSizes()));
  kernel.setKnownBlockSizeAttr(getConstantSizes(launch.getBlockSizes()));
  if (failed(copySymbols(launch.getLoc(), gpuModule, symbols)))
    return failure();

  auto reference = SymbolRefAttr::get(kernelName, {FlatSymbolRefAttr::get(kernelName)});
  OperandRange grid = launch.getGridSizes(), block = launch.getBlockSizes();
  builder.setInsertionPoint(launch);
  auto launchFunc = LaunchFuncOp::create(builder, launch.getLoc(), launch->getResultTypes(), launch.getChains(),
                                         reference, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                         launch.getDynamicSharedMemorySize(), arguments);
  launchFunc->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  launch->replaceAllUsesWith(launchFunc->getResults());
  launch.erase();
  ++kernelCount;
  return success();
}

} // namespace
} // namespace lockstep::agpu
