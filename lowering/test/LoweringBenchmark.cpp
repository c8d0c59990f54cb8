// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the time to lower a program grows with its size. docs/performance/lowering.md has figures and says how to read
// them.

#include "dialect/AgpuOps.h"
#include "lowering/Passes.h"
#include "lowering/StreamPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"

#include <benchmark/benchmark.h>

#include <random>

using namespace mlir;
using namespace lockstep;

namespace {

/// Layers of 32 operations, each with one to three dependencies in the two layers before: wider than the streams are
/// many.
constexpr uint32_t kLayerSize = 32;
constexpr uint32_t kMaxDependencies = 3;

std::vector<uint32_t> pickDependencies(uint32_t index, std::mt19937 &random) {
  std::vector<uint32_t> dependencies;
  uint32_t layer = index / kLayerSize;
  if (!layer)
    return dependencies;
  uint32_t first = layer >= 2 ? (layer - 2) * kLayerSize : 0, end = layer * kLayerSize;
  for (uint32_t i = 0, count = 1 + random() % kMaxDependencies; i < count; ++i)
    dependencies.push_back(first + random() % (end - first));
  return dependencies;
}

/// One function with that many copies and fills of two buffers of a dynamic size, and a wait for the last layer.
OwningOpRef<ModuleOp> makeProgram(MLIRContext &context, uint32_t numOps) {
  OpBuilder builder(&context);
  Location loc = FileLineColLoc::get(&context, "benchmark.mlir", 1, 1);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto memref = MemRefType::get({ShapedType::kDynamic}, builder.getI32Type());
  auto function = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({memref, memref}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value value = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value first = function.getArgument(0), second = function.getArgument(1);
  Type chain = agpu::ChainType::get(&context);
  std::mt19937 random(1);
  SmallVector<Value> chains;
  for (uint32_t index = 0; index < numOps; ++index) {
    Location at = FileLineColLoc::get(&context, "benchmark.mlir", index + 1, 1);
    SmallVector<Value> dependencies;
    for (uint32_t dependency : pickDependencies(index, random))
      dependencies.push_back(chains[dependency]);
    OperationState state(at, index % 2 ? agpu::MemcpyOp::getOperationName() : agpu::MemsetOp::getOperationName());
    state.addOperands(dependencies);
    state.addOperands({first, index % 2 ? second : value});
    state.addTypes(chain);
    chains.push_back(builder.create(state)->getResult(0));
  }
  OperationState wait(loc, agpu::WaitOp::getOperationName());
  wait.addOperands(ArrayRef<Value>(chains).take_back(kLayerSize));
  builder.create(wait);
  func::ReturnOp::create(builder, loc);
  return module;
}

/// Pruning, conversion to streams, and conversion to LLVM, as `lockstep-lower` does them for host code.
void lowerProgram(benchmark::State &state) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<agpu::AgpuDialect, arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                      memref::MemRefDialect>();
  for (auto iteration : state) {
    (void)iteration;
    state.PauseTiming();
    OwningOpRef<ModuleOp> module = makeProgram(context, state.range(0));
    state.ResumeTiming();
    PassManager passes(&context);
    passes.enableVerifier(false);
    passes.addPass(agpu::createAgpuPruneChainsPass());
    passes.addPass(agpu::createConvertAgpuToStreamsPass());
    passes.addPass(agpu::createAgpuToLlvmPass());
    if (failed(passes.run(*module)))
      state.SkipWithError("the lowering failed");
    state.PauseTiming();
    module = nullptr;
    state.ResumeTiming();
  }
  state.SetComplexityN(state.range(0));
  state.counters["per_op"] =
      benchmark::Counter(state.range(0), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// The plan alone. With one dependency an operation and layers narrower than the option the minimum cover is found.
void planGraph(benchmark::State &state, uint32_t layerSize) {
  std::mt19937 random(1);
  StreamPlanGraph graph;
  for (uint32_t index = 0; index < state.range(0); ++index) {
    StreamPlanNode node;
    for (uint32_t i = 0; i < kMaxDependencies && index >= layerSize; ++i)
      node.dependencies.push_back((index / layerSize - 1) * layerSize + random() % layerSize);
    graph.nodes.push_back(std::move(node));
  }
  for (auto iteration : state) {
    (void)iteration;
    benchmark::DoNotOptimize(planStreams(graph, 8));
  }
  state.SetComplexityN(state.range(0));
  state.counters["per_op"] =
      benchmark::Counter(state.range(0), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

} // namespace

BENCHMARK(lowerProgram)->Arg(1000)->Arg(5000)->Arg(20000)->Arg(100000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK_CAPTURE(planGraph, narrow, 6)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(20000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_CAPTURE(planGraph, wide, 32)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(20000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

BENCHMARK_MAIN();
