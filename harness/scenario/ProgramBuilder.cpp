// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/ProgramBuilder.h"

#include "dialect/AgpuDialect.h"
#include "dialect/AgpuOps.h"
#include "harness/scenario/Execution.h"
#include "harness/scenario/KernelLibrary.h"
#include "harness/scenario/Mixing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace lockstep::scenario;
namespace agpu = lockstep::agpu;

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(ModuleOp module, const Dag &dag)
      : dag(dag), module(module), library(module), b(module.getLoc(), module.getContext()), buffers(dag.buffers.size()),
        chains(dag.chainCount) {}

  void build() {
    b.setInsertionPointToEnd(module.getBody());
    auto main = func::FuncOp::create(b, "main", b.getFunctionType({}, {}));
    b.setInsertionPointToStart(main.addEntryBlock());
    makeHostMemory();
    addSteps(dag.body);
    expectResults();
    freeHostMemory();
    func::ReturnOp::create(b);
  }

private:
  Value index(uint64_t value) { return arith::ConstantIndexOp::create(b, static_cast<int64_t>(value)); }
  Value word(uint32_t value) { return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value))); }
  MemRefType bufferType() { return MemRefType::get({ShapedType::kDynamic}, b.getI32Type()); }
  Type chainType() { return agpu::ChainType::get(b.getContext()); }
  void nameNext(StringRef name) { b.setLoc(NameLoc::get(b.getStringAttr(name))); }

  void makeHostMemory();
  void expectResults();
  void freeHostMemory();

  void addSteps(const Sequence &block) {
    for (const Step &step : block.steps)
      std::visit([&](const auto &what) { add(what); }, step.what);
  }
  void add(const DeviceOp &op);
  void add(const Join &join);
  void add(const Wait &wait);
  void add(const HostUpdate &update);
  void add(const Loop &loop);
  void add(const Branch &branch);

  Value addLaunch(const DeviceOp &op, ValueRange after);
  Value addAlloc(const DeviceOp &op, ValueRange after);
  /// A view of a slice. `isTyped` as kernels and host functions take it.
  Value view(const Slice &slice, bool isTyped = false);
  Value salt(uint32_t word_);
  SmallVector<Value> valuesOf(ArrayRef<ChainId> ids) {
    return llvm::map_to_vector(ids, [&](ChainId id) { return chains[id]; });
  }

  const Dag &dag;
  ModuleOp module;
  KernelLibrary library;
  ImplicitLocOpBuilder b;
  std::vector<Value> buffers; ///< The memref of each buffer that exists.
  std::vector<Value> chains;
  std::vector<Value> iterations; ///< Of the loops around, innermost last.
};

} // namespace

void ProgramBuilder::makeHostMemory() {
  for (BufferId id = 0; id < dag.buffers.size(); ++id) {
    const Buffer &buffer = dag.buffers[id];
    if (!buffer.isHost())
      continue;
    nameNext(buffer.name);
    buffers[id] = memref::AllocOp::create(b, bufferType(), ValueRange{index(buffer.words)});
    if (buffer.isInput)
      func::CallOp::create(b, library.fillInput(), ValueRange{buffers[id], word(id)});
    else
      func::CallOp::create(b, library.poison(), ValueRange{buffers[id]});
    if (buffer.memory == MemoryKind::Pinned)
      agpu::HostRegisterOp::create(b, buffers[id]);
  }
}

void ProgramBuilder::expectResults() {
  std::vector<std::vector<uint32_t>> expected = evaluate(unroll(dag));
  for (BufferId id = 0; id < dag.buffers.size(); ++id) {
    if (!dag.buffers[id].isChecked)
      continue;
    nameNext(dag.buffers[id].name);
    auto type = RankedTensorType::get({static_cast<int64_t>(expected[id].size())}, b.getI32Type());
    auto words = DenseElementsAttr::get(type, ArrayRef<uint32_t>(expected[id]));
    agpu::ExpectOp::create(b, buffers[id], words, FloatAttr());
  }
}

void ProgramBuilder::freeHostMemory() {
  for (BufferId id = 0; id < dag.buffers.size(); ++id) {
    if (!dag.buffers[id].isHost())
      continue;
    nameNext(dag.buffers[id].name);
    if (dag.buffers[id].memory == MemoryKind::Pinned)
      agpu::HostUnregisterOp::create(b, buffers[id]);
    memref::DeallocOp::create(b, buffers[id]);
  }
}

Value ProgramBuilder::view(const Slice &slice, bool isTyped) {
  Value buffer = buffers[slice.buffer];
  bool isWhole = slice.words == dag.buffers[slice.buffer].words && slice.stride == 1 && slice.offsetPerIteration == 0;
  Value viewed = buffer;
  if (!isWhole) {
    Value offset = index(slice.offset);
    if (slice.offsetPerIteration)
      offset = arith::AddIOp::create(b, offset,
                                     arith::MulIOp::create(b, iterations.back(), index(slice.offsetPerIteration)));
    viewed =
        memref::SubViewOp::create(b, buffer, ArrayRef<OpFoldResult>(offset), ArrayRef<OpFoldResult>(index(slice.words)),
                                  ArrayRef<OpFoldResult>(b.getIndexAttr(static_cast<int64_t>(slice.stride))));
  }
  return isTyped ? memref::CastOp::create(b, sliceType(b.getContext()), viewed).getResult() : viewed;
}

Value ProgramBuilder::salt(uint32_t word_) {
  Value value = word(word_);
  for (Value iteration : iterations) {
    Value number = arith::IndexCastOp::create(b, b.getI32Type(), iteration);
    value = arith::AddIOp::create(b, value, arith::MulIOp::create(b, number, word(kSaltPerIteration)));
  }
  return value;
}

Value ProgramBuilder::addAlloc(const DeviceOp &op, ValueRange after) {
  auto alloc = agpu::AllocOp::create(b, TypeRange{bufferType(), chainType()}, after,
                                     ValueRange{index(dag.buffers[op.buffer].words)}, UnitAttr());
  buffers[op.buffer] = alloc.getMemref();
  return alloc.getChain();
}

Value ProgramBuilder::addLaunch(const DeviceOp &op, ValueRange after) {
  uint64_t threads = KernelLibrary::threadCount(op);
  Value one = index(1);
  SmallVector<Value> arguments = {view(op.target, true)};
  for (const Slice &source : op.sources)
    arguments.push_back(view(source, true));
  arguments.append({index(threads), salt(op.word)});
  Value blocks = index((threads + kBlockThreads - 1) / kBlockThreads);
  return agpu::LaunchFuncOp::create(b, chainType(), after, library.kernel(op.kernel, op.sources.size()), blocks, one,
                                    one, index(kBlockThreads), one, one, Value(), arguments)
      .getChain();
}

void ProgramBuilder::add(const DeviceOp &op) {
  nameNext(op.name);
  SmallVector<Value> after = valuesOf(op.after);
  Value &chain = chains[op.chain];
  switch (op.kind) {
  case OpKind::Alloc:
    chain = addAlloc(op, after);
    break;
  case OpKind::Dealloc:
    chain = agpu::DeallocOp::create(b, chainType(), after, buffers[op.buffer]).getChain();
    break;
  case OpKind::Copy:
    chain = agpu::MemcpyOp::create(b, chainType(), after, view(op.target), view(op.sources[0])).getChain();
    break;
  case OpKind::Fill:
    chain = agpu::MemsetOp::create(b, chainType(), after, view(op.target), word(op.word)).getChain();
    break;
  case OpKind::Launch:
    chain = addLaunch(op, after);
    break;
  case OpKind::HostCall: {
    SmallVector<Value> arguments = {view(op.target, true), salt(op.word)};
    chain = agpu::HostCallOp::create(b, chainType(), after, library.rewrite().getSymName(), arguments).getChain();
    break;
  }
  }
}

void ProgramBuilder::add(const Join &join) {
  chains[join.chain] = agpu::JoinOp::create(b, chainType(), valuesOf(join.after));
}

void ProgramBuilder::add(const Wait &wait) {
  nameNext(wait.name);
  agpu::WaitOp::create(b, valuesOf(wait.on));
}

void ProgramBuilder::add(const HostUpdate &update) {
  func::CallOp::create(b, library.rewrite(), ValueRange{view(update.target, true), salt(update.salt)});
}

void ProgramBuilder::add(const Loop &loop) {
  SmallVector<Value> initial =
      llvm::map_to_vector(loop.carried, [&](const Loop::Carried &carried) { return chains[carried.initial]; });
  auto forOp = scf::ForOp::create(b, index(0), index(loop.iterations), index(1), initial);
  for (auto [carried, argument] : llvm::zip_equal(loop.carried, forOp.getRegionIterArgs()))
    chains[carried.argument] = argument;
  {
    OpBuilder::InsertionGuard guard(b);
    if (initial.empty())
      forOp.getBody()->getTerminator()->erase();
    b.setInsertionPointToEnd(forOp.getBody());
    iterations.push_back(forOp.getInductionVar());
    addSteps(loop.body);
    iterations.pop_back();
    scf::YieldOp::create(
        b, llvm::map_to_vector(loop.carried, [&](const Loop::Carried &carried) { return chains[carried.yielded]; }));
  }
  for (auto [carried, result] : llvm::zip_equal(loop.carried, forOp.getResults()))
    chains[carried.result] = result;
}

void ProgramBuilder::add(const Branch &branch) {
  // The host reads the condition from memory that it has just written: constants would be folded.
  Value cell = memref::AllocaOp::create(b, MemRefType::get({1}, b.getI1Type()));
  Value known = arith::ConstantOp::create(b, b.getBoolAttr(branch.isTaken));
  memref::StoreOp::create(b, known, cell, ValueRange{index(0)});
  Value condition = memref::LoadOp::create(b, cell, ValueRange{index(0)});
  SmallVector<Type> types(branch.results.size(), chainType());
  auto ifOp = scf::IfOp::create(b, types, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  auto fill = [&](mlir::Block *block, const Sequence &steps, ChainId Branch::Result::*chain) {
    OpBuilder::InsertionGuard guard(b);
    if (!block->empty())
      block->back().erase();
    b.setInsertionPointToEnd(block);
    addSteps(steps);
    scf::YieldOp::create(
        b, llvm::map_to_vector(branch.results, [&](const Branch::Result &result) { return chains[result.*chain]; }));
  };
  fill(ifOp.thenBlock(), branch.onThen, &Branch::Result::onThen);
  fill(ifOp.elseBlock(), branch.onElse, &Branch::Result::onElse);
  for (auto [result, value] : llvm::zip_equal(branch.results, ifOp.getResults()))
    chains[result.result] = value;
}

OwningOpRef<ModuleOp> lockstep::scenario::buildProgram(MLIRContext &context, const Dag &dag) {
  context.loadDialect<agpu::AgpuDialect, arith::ArithDialect, func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect,
                      scf::SCFDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ProgramBuilder(*module, dag).build();
  assert(succeeded(verify(*module)) && "a scenario is a valid program");
  return module;
}
