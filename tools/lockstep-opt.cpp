// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lockstep-opt: mlir-opt with this project's dialect and passes added. Reads MLIR, runs passes, prints MLIR.

#include "dialect/AgpuDialect.h"
#include "lowering/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  lockstep::agpu::registerLoweringPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<lockstep::agpu::AgpuDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Lockstep optimizer driver\n", registry));
}
