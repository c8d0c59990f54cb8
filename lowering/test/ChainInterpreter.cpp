// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/test/ChainInterpreter.h"

#include "dialect/AgpuOps.h"
#include "lowering/test/RuntimeModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A value of the program: a number (integer, stream or event), or the work that a chain stands for.
struct Cell {
  int64_t number = 0;
  WorkSet chain;
};

using Frame = llvm::DenseMap<Value, Cell>;

class Interpreter {
public:
  explicit Interpreter(ModuleOp module) : module(module) {}

  ChainRun run() {
    callFunction("main", {});
    // The host knows what it waited for in one form or in the other.
    runtime.finish();
    result.hostKnows.back() |= host;
    return std::move(result);
  }

private:
  SmallVector<Cell> callFunction(StringRef name, ArrayRef<Cell> arguments) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    Frame frame;
    Block *block = &function.getBody().front();
    SmallVector<Cell> passed(arguments);
    while (true) {
      for (auto [argument, cell] : llvm::zip_equal(block->getArguments(), passed))
        frame[argument] = cell;
      for (Operation &op : block->without_terminator())
        execute(op, frame);
      Operation *terminator = block->getTerminator();
      auto read = [&](ValueRange values) { return llvm::map_to_vector(values, [&](Value v) { return frame[v]; }); };
      if (isa<func::ReturnOp>(terminator))
        return read(terminator->getOperands());
      unsigned index = chooseSuccessor(terminator, frame);
      passed = read(cast<BranchOpInterface>(terminator).getSuccessorOperands(index).getForwardedOperands());
      block = terminator->getSuccessor(index);
    }
  }

  unsigned chooseSuccessor(Operation *terminator, Frame &frame) {
    if (auto branch = dyn_cast<cf::CondBranchOp>(terminator))
      return frame[branch.getCondition()].number ? 0 : 1;
    if (auto choice = dyn_cast<cf::SwitchOp>(terminator)) {
      if (auto values = choice.getCaseValues())
        for (auto [index, value] : llvm::enumerate(values->getValues<APInt>()))
          if (value.getSExtValue() == frame[choice.getFlag()].number)
            return index + 1;
    }
    return 0;
  }

  void execute(Operation &op, Frame &frame) {
    IntegerAttr constant;
    if (op.getNumResults() == 1 && matchPattern(op.getResult(0), m_Constant(&constant))) {
      frame[op.getResult(0)].number = constant.getValue().getSExtValue();
    } else if (auto chainOp = dyn_cast<agpu::ChainOpInterface>(op)) {
      executeChainOp(chainOp, frame);
    } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      Cell cell;
      cell.number = callRuntime(*call.getCallee(), call.getArgOperands(), frame);
      if (call.getNumResults())
        frame[call.getResult()] = cell;
    } else if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      globals.push_back(module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName()));
      frame[address.getResult()].number = globals.size();
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      auto arguments = llvm::map_to_vector(call.getOperands(), [&](Value v) { return frame[v]; });
      for (auto [value, cell] : llvm::zip_equal(call.getResults(), callFunction(call.getCallee(), arguments)))
        frame[value] = cell;
    } else {
      executeArithmetic(op, frame);
    }
  }

  void executeArithmetic(Operation &op, Frame &frame) {
    auto number = [&](unsigned index) { return frame[op.getOperand(index)].number; };
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Cell chosen = frame[number(0) ? select.getTrueValue() : select.getFalseValue()];
      frame[op.getResult(0)] = chosen;
    } else if (isa<arith::AddIOp>(op)) {
      int64_t sum = number(0) + number(1);
      frame[op.getResult(0)].number = sum;
    } else if (isa<arith::SubIOp>(op)) {
      int64_t difference = number(0) - number(1);
      frame[op.getResult(0)].number = difference;
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      APInt left(64, number(0), true), right(64, number(1), true);
      frame[op.getResult(0)].number = arith::applyCmpPredicate(compare.getPredicate(), left, right);
    }
    // Everything else computes addresses and sizes, which do not matter here.
  }

  void executeChainOp(agpu::ChainOpInterface op, Frame &frame) {
    WorkSet needed;
    for (Value chain : op.getChains())
      needed |= frame[chain].chain;
    if (isa<agpu::WaitOp>(op)) {
      host |= needed;
      return;
    }
    if (!isa<agpu::JoinOp>(op)) {
      unsigned number = result.before.size();
      result.before.push_back(needed);
      result.hostKnows.push_back(host);
      needed.set(number);
    }
    if (op.isAsync())
      frame[op.getChain()].chain = needed;
    else
      host |= needed;
  }

  std::vector<int32_t> readIntegers(int64_t pointer) {
    if (!pointer)
      return {};
    auto bytes = cast<StringAttr>(*globals[pointer - 1].getValue()).getValue();
    std::vector<int32_t> integers(bytes.size() / sizeof(int32_t));
    std::memcpy(integers.data(), bytes.data(), integers.size() * sizeof(int32_t));
    return integers;
  }

  int64_t callRuntime(StringRef name, ValueRange arguments, Frame &frame) {
    auto numbers = llvm::map_to_vector(arguments, [&](Value argument) { return frame[argument].number; });
    return runtime.call(name, numbers, [&](int64_t pointer) { return readIntegers(pointer); });
  }

  ModuleOp module;
  ChainRun result;
  /// What the chains say that the host has waited for.
  WorkSet host;
  RuntimeModel runtime{result};
  /// The constants whose address was taken; a pointer is a position behind the first.
  SmallVector<LLVM::GlobalOp> globals;
};

} // namespace

ChainRun test::interpret(ModuleOp module) { return Interpreter(module).run(); }
