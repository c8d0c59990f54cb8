// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/test/ChainInterpreter.h"

#include "dialect/AgpuOps.h"

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
    result.hostKnows.push_back(host);
    for (auto [index, references] : llvm::enumerate(references))
      if (references)
        problem("event " + Twine(index + 1) + " keeps " + Twine(references) + " references");
    for (auto [index, isHeld] : llvm::enumerate(streamHeld))
      if (isHeld)
        problem("stream " + Twine(index + 1) + " is not released");
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

  int64_t callRuntime(StringRef name, ValueRange arguments, Frame &frame) {
    auto number = [&](unsigned index) { return frame[arguments[index]].number; };
    if (name == "mgpuStreamPoolAcquire") {
      ++result.numStreamAcquires;
      streamHeld.push_back(true);
      streams.emplace_back();
      return streams.size();
    }
    if (name == "mgpuEventPoolAcquire") {
      events.emplace_back();
      references.push_back(1);
      noteEvents(1);
      return events.size();
    }
    if (name == "mgpuStreamPoolRelease")
      streamHeld[number(0) - 1] = false;
    else if (name == "mgpuEventPoolRetain" || name == "mgpuEventPoolRelease")
      changeReferences(number(0), name == "mgpuEventPoolRelease" ? -1 : number(1));
    else if (name == "mgpuEventRecord" && isAlive(number(0)))
      events[number(0) - 1] = stream(number(1));
    else if (name == "mgpuStreamWaitEvent" || name == "mgpuStreamWaitChain") {
      if (isAlive(number(1)) && number(1))
        stream(number(0)) |= events[number(1) - 1];
    } else if (name == "mgpuEventSynchronize" || name == "mgpuChainSynchronize") {
      if (isAlive(number(0)) && number(0))
        host |= events[number(0) - 1];
    } else if (name == "mgpuStreamSynchronize")
      host |= stream(number(0));
    else if (name.starts_with("mgpuMem"))
      issue(stream(number(arguments.size() - 1)));
    return 0;
  }

  void issue(WorkSet &on) {
    on |= host;
    unsigned number = result.before.size();
    result.before.push_back(on);
    result.hostKnows.push_back(host);
    on.set(number);
  }

  WorkSet &stream(int64_t number) {
    if (!streamHeld[number - 1])
      problem("stream " + Twine(number) + " is used after its release");
    return streams[number - 1];
  }

  bool isAlive(int64_t event) {
    if (!event || references[event - 1] > 0)
      return true;
    problem("event " + Twine(event) + " is used after its release");
    return false;
  }

  void changeReferences(int64_t event, int64_t change) {
    if (!event || !isAlive(event))
      return;
    references[event - 1] += change;
    if (!references[event - 1])
      noteEvents(-1);
  }

  void noteEvents(int64_t change) {
    numEvents += change;
    result.numEventsPeak = std::max(result.numEventsPeak, numEvents);
  }

  void problem(const Twine &text) { result.problems.push_back(text.str()); }

  ModuleOp module;
  ChainRun result;
  WorkSet host;
  std::vector<WorkSet> streams, events;
  std::vector<bool> streamHeld;
  std::vector<int64_t> references;
  uint64_t numEvents = 0;
};

} // namespace

ChainRun test::interpret(ModuleOp module) { return Interpreter(module).run(); }
