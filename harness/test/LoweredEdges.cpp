// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/test/LoweredEdges.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

/// Where a call that adds a node to a graph has its list of dependencies, and their count.
static constexpr unsigned kListArgument = 1, kCountArgument = 2;

std::vector<LLVM::CallOp> lockstep::harness::findCalls(ModuleOp module, llvm::StringRef function) {
  std::vector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == std::optional<llvm::StringRef>(function))
      calls.push_back(call);
  });
  return calls;
}

std::vector<LLVM::CallOp> lockstep::harness::findDependentNodes(ModuleOp module) {
  std::vector<LLVM::CallOp> nodes;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() && call.getCallee()->starts_with("mgpuGraphAdd") &&
        !call.getArgOperands()[kListArgument].getDefiningOp<LLVM::ZeroOp>())
      nodes.push_back(call);
  });
  return nodes;
}

void lockstep::harness::emptyDependencies(LLVM::CallOp call) {
  OpBuilder builder(call);
  auto arguments = call.getArgOperandsMutable();
  Type listType = call.getArgOperands()[kListArgument].getType();
  arguments[kListArgument].set(LLVM::ZeroOp::create(builder, call.getLoc(), listType));
  arguments[kCountArgument].set(LLVM::ConstantOp::create(builder, call.getLoc(), builder.getI64IntegerAttr(0)));
}
