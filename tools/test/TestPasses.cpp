// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass plugin as a user would write one, for the test of --load-pass-plugin: its pass takes every wait out of a
// program, which some schedule must find.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

namespace {

class RemoveWaitsPass : public mlir::PassWrapper<RemoveWaitsPass, mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RemoveWaitsPass)
  llvm::StringRef getArgument() const override { return "test-remove-waits"; }
  llvm::StringRef getDescription() const override { return "Removes the waits of the host."; }
  void runOnOperation() override {
    getOperation().walk([](mlir::Operation *op) {
      if (op->getName().getStringRef() == "agpu.wait")
        op->erase();
    });
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestPasses", LLVM_VERSION_STRING,
          [] { mlir::PassRegistration<RemoveWaitsPass>(); }};
}
