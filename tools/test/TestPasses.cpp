// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass plugin as a user would write one: its passes make a program or its lowering wrong, which must be found.

#include "harness/test/LoweredEdges.h"

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

class DropCallPass : public mlir::PassWrapper<DropCallPass, mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropCallPass)
  DropCallPass() = default;
  DropCallPass(const DropCallPass &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "test-drop-call"; }
  llvm::StringRef getDescription() const override { return "Drops one call of a function from a lowered program."; }
  void runOnOperation() override {
    std::vector<mlir::LLVM::CallOp> calls = lockstep::harness::findCalls(getOperation(), function);
    if (number < calls.size())
      return calls[number].erase();
    getOperation().emitError("there is no such call");
    signalPassFailure();
  }

private:
  Option<std::string> function{*this, "function", llvm::cl::desc("Name of the function.")};
  Option<unsigned> number{*this, "number", llvm::cl::desc("Which of its calls, from 0.")};
};

class FreeNodePass : public mlir::PassWrapper<FreeNodePass, mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FreeNodePass)
  FreeNodePass() = default;
  FreeNodePass(const FreeNodePass &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "test-free-node"; }
  llvm::StringRef getDescription() const override { return "Takes all dependencies from one node of a graph."; }
  void runOnOperation() override {
    std::vector<mlir::LLVM::CallOp> nodes = lockstep::harness::findDependentNodes(getOperation());
    if (number < nodes.size())
      return lockstep::harness::emptyDependencies(nodes[number]);
    getOperation().emitError("there is no such node");
    signalPassFailure();
  }

private:
  Option<unsigned> number{*this, "number", llvm::cl::desc("Which of the nodes with dependencies, from 0.")};
};

} // namespace

extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestPasses", LLVM_VERSION_STRING, [] {
            mlir::PassRegistration<RemoveWaitsPass>();
            mlir::PassRegistration<DropCallPass>();
            mlir::PassRegistration<FreeNodePass>();
          }};
}
