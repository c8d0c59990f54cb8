// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ChainGraph.h"

#include "dialect/AgpuOps.h"
#include "dialect/AgpuTypes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"

using namespace lockstep::harness;
using mlir::Operation;
using mlir::Value;

namespace {

class GraphWriter {
public:
  explicit GraphWriter(llvm::raw_ostream &stream) : stream(stream) {}

  void writeFunction(mlir::FunctionOpInterface function, unsigned index);

private:
  void writeNode(Operation *op);
  void writeArguments(mlir::Block &block);

  llvm::raw_ostream &stream;
  llvm::DenseMap<Value, std::string> producers; ///< The node that gives each chain.
  unsigned nodeCount = 0;
};

} // namespace

static bool isChain(mlir::Type type) { return mlir::isa<lockstep::agpu::ChainType>(type); }

static bool hasChains(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isChain) || llvm::any_of(op->getResultTypes(), isChain);
}

/// The op's name, the kernel or function that it calls, and its line.
static std::string labelOf(Operation *op) {
  std::string label = op->getName().getStringRef().str();
  if (auto launch = mlir::dyn_cast<lockstep::agpu::LaunchFuncOp>(op))
    label += " @" + launch.getKernelName().str();
  else if (auto call = mlir::dyn_cast<lockstep::agpu::HostCallOp>(op))
    label += " @" + call.getCallee().str();
  if (auto place = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    label += "\\nline " + std::to_string(place.getLine());
  return label;
}

void GraphWriter::writeArguments(mlir::Block &block) {
  for (mlir::BlockArgument argument : block.getArguments()) {
    if (!isChain(argument.getType()))
      continue;
    std::string node = "n" + std::to_string(nodeCount++);
    stream << "    " << node << " [label=\"argument " << argument.getArgNumber() << "\", shape=plaintext];\n";
    producers[argument] = node;
  }
}

void GraphWriter::writeNode(Operation *op) {
  std::string node = "n" + std::to_string(nodeCount++);
  stream << "    " << node << " [label=\"" << labelOf(op) << "\"];\n";
  for (Value operand : op->getOperands())
    if (isChain(operand.getType()))
      stream << "    " << producers[operand] << " -> " << node << ";\n";
  for (Value result : op->getResults())
    if (isChain(result.getType()))
      producers[result] = node;
}

void GraphWriter::writeFunction(mlir::FunctionOpInterface function, unsigned index) {
  stream << "  subgraph cluster_" << index << " {\n    label=\"@" << function.getName() << "\";\n";
  // Blocks first, then operations: an op may use an argument of a block that comes later in the text.
  function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Block *block) { writeArguments(*block); });
  function->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function.getOperation() && hasChains(op))
      writeNode(op);
  });
  stream << "  }\n";
}

void lockstep::harness::writeChainGraph(mlir::ModuleOp module, llvm::raw_ostream &stream) {
  stream << "digraph chains {\n  node [shape=box, fontname=\"monospace\"];\n";
  GraphWriter writer(stream);
  unsigned index = 0;
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (!function.isExternal())
      writer.writeFunction(function, index++);
  stream << "}\n";
}
