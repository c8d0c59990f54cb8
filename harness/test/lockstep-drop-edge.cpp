// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a wrong program of a right one, for the tests that prove the harness: removes one dependency.
//
//   lockstep-drop-edge FILE --list              one line an edge: its number, the user, the producer; "(implied)" where
//                                                 the rest of the program says the same
//   lockstep-drop-edge FILE --edge N            the program without the N-th edge (from 0)
//   lockstep-drop-edge FILE --edge N --beside   the same, with independent work in front of the edge's user
//   lockstep-drop-edge FILE --call NAME --edge N  the program without the N-th call of the function NAME
//   lockstep-drop-edge FILE --nodes --edge N      the program with the N-th list of dependencies of graph nodes empty
//
// An edge is a chain among the operands of an agpu operation. Status 1 where there is no such edge, 2 for wrong usage.

#include "dialect/AgpuDialect.h"
#include "dialect/AgpuInterfaces.h"
#include "dialect/AgpuOps.h"
#include "dialect/AgpuTypes.h"
#include "harness/test/ImpliedChains.h"
#include "harness/test/LoweredEdges.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/raw_ostream.h"

using mlir::Operation;

namespace {

struct Edge {
  Operation *user;
  unsigned operand;
};

struct Options {
  llvm::StringRef file;
  llvm::StringRef call;
  bool list = false;
  bool beside = false;
  bool nodes = false;
  unsigned edge = 0;
};

} // namespace

static bool readOptions(llvm::ArrayRef<const char *> arguments, Options &options) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    bool hasNext = i + 1 < arguments.size();
    if (argument == "--list")
      options.list = true;
    else if (argument == "--beside")
      options.beside = true;
    else if (argument == "--nodes")
      options.nodes = true;
    else if (argument == "--edge" && hasNext) {
      if (llvm::StringRef(arguments[++i]).getAsInteger(10, options.edge))
        return false;
    } else if (argument == "--call" && hasNext)
      options.call = arguments[++i];
    else if (options.file.empty() && !argument.starts_with("-"))
      options.file = argument;
    else
      return false;
  }
  return !options.file.empty();
}

static std::vector<Edge> findEdges(mlir::ModuleOp module) {
  std::vector<Edge> edges;
  module.walk([&](Operation *op) {
    if (op->getDialect() && op->getDialect()->getNamespace() == "agpu")
      for (auto [index, operand] : llvm::enumerate(op->getOperands()))
        if (mlir::isa<lockstep::agpu::ChainType>(operand.getType()))
          edges.push_back({op, unsigned(index)});
  });
  return edges;
}

/// Host memory in the programs that this is for: from memref.alloc, without a memory space.
static bool isHostMemory(mlir::Value memref) {
  auto alloc = memref.getDefiningOp<mlir::memref::AllocOp>();
  return alloc && !alloc.getType().getMemorySpace();
}

static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!op)
    return "a block argument";
  stream << op->getName();
  if (auto place = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    stream << " line " << place.getLine();
  if (auto copy = mlir::dyn_cast<lockstep::agpu::MemcpyOp>(op))
    if (isHostMemory(copy.getSrc()) && !isHostMemory(copy.getDst()))
      stream << " (host to device)";
  return text;
}

/// The chain operands of an op with operand segments are its first segment, so that count changes too.
static void dropOperand(Edge edge) {
  Operation *user = edge.user;
  auto chained = mlir::cast<lockstep::agpu::ChainOpInterface>(user);
  chained.getChainsMutable().erase(edge.operand);
}

/// Where a block holds one thread of work only, the lowering puts it on the function's first stream, and so the work of
/// the next block: streams then order what no chain orders. Independent work in front takes that stream.
static void insertIndependentWork(Operation *op) {
  static constexpr llvm::StringLiteral text = R"(
    %memory, %allocated = agpu.alloc [] () : memref<1xi32, 1>
    %freed = agpu.dealloc [%allocated] %memory : memref<1xi32, 1>
  )";
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, op->getContext());
  for (Operation &work : llvm::make_early_inc_range(*parsed->getBody()))
    work.moveBefore(op);
}

int main(int argc, char **argv) {
  Options options;
  if (!readOptions(llvm::ArrayRef(argv + 1, argc - 1), options)) {
    llvm::errs() << "usage: lockstep-drop-edge FILE [--list | [--call NAME | --nodes] --edge N [--beside]]\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<lockstep::agpu::AgpuDialect>();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(options.file, &context);
  if (!module)
    return 2;
  std::vector<Edge> edges = findEdges(*module);
  if (options.list) {
    mlir::DominanceInfo dominance(*module);
    for (auto [index, edge] : llvm::enumerate(edges))
      llvm::outs() << index << ": " << describe(edge.user) << " after "
                   << describe(edge.user->getOperand(edge.operand).getDefiningOp())
                   << (lockstep::harness::isImpliedChain(edge.user, edge.operand, dominance) ? " (implied)" : "")
                   << '\n';
    return 0;
  }
  std::vector<mlir::LLVM::CallOp> calls = options.nodes ? lockstep::harness::findDependentNodes(*module)
                                                        : lockstep::harness::findCalls(*module, options.call);
  const bool isLowered = options.nodes || !options.call.empty();
  if (options.edge >= (isLowered ? calls.size() : edges.size())) {
    llvm::errs() << "there is no edge " << options.edge << '\n';
    return 1;
  }
  if (!isLowered && options.beside)
    insertIndependentWork(edges[options.edge].user);
  if (options.nodes)
    lockstep::harness::emptyDependencies(calls[options.edge]);
  else if (isLowered)
    calls[options.edge]->erase();
  else
    dropOperand(edges[options.edge]);
  module->print(llvm::outs());
  llvm::outs() << '\n';
  return 0;
}
