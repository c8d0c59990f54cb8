// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs before and after each lowering of chains and compares: what the chains ask for is enforced, references
// balance on every path, and a loop takes no more streams or events for more rounds.

#include "dialect/AgpuDialect.h"
#include "lowering/Passes.h"
#include "lowering/test/ChainInterpreter.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <gmock/gmock.h>

#include <random>

using namespace mlir;
using namespace lockstep;
using namespace lockstep::test;
using testing::IsEmpty;

namespace {

class StreamExecution : public testing::Test {
protected:
  StreamExecution() {
    context.loadDialect<agpu::AgpuDialect, arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                        LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  ChainRun runWith(ModuleOp module, std::unique_ptr<Pass> pass) {
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager passes(&context);
    passes.addPass(std::move(pass));
    passes.addPass(createSCFToControlFlowPass());
    EXPECT_TRUE(succeeded(passes.run(*copy)));
    ChainRun run = interpret(*copy);
    if (!run.problems.empty())
      copy->dump();
    return run;
  }

  ChainRun runAsked(ModuleOp module) { return runWith(module, createSCFToControlFlowPass()); }

  ChainRun runStreams(ModuleOp module, unsigned maxStreams = 8) {
    agpu::ConvertAgpuToStreamsPassOptions options;
    options.maxStreams = maxStreams;
    return runWith(module, agpu::createConvertAgpuToStreamsPass(options));
  }

  ChainRun runGraph(ModuleOp module, const char *mode, unsigned maxStreams = 8) {
    agpu::ConvertAgpuToGraphPassOptions options;
    options.mode = mode;
    options.maxStreams = maxStreams;
    return runWith(module, agpu::createConvertAgpuToGraphPass(options));
  }

  /// What is asked for and not enforced, and other problems.
  static std::vector<std::string> compare(const ChainRun &asked, const ChainRun &enforced) {
    std::vector<std::string> problems = enforced.problems;
    if (asked.before.size() != enforced.before.size())
      return {llvm::formatv("{0} pieces of work instead of {1}", enforced.before.size(), asked.before.size())};
    for (size_t work = 0; work < asked.before.size(); ++work)
      for (unsigned missing : asked.before[work] - enforced.before[work])
        problems.push_back(llvm::formatv("nothing enforces {0} before {1}", missing, work));
    for (size_t work = 0; work < asked.hostKnows.size(); ++work)
      for (unsigned missing : asked.hostKnows[work] - enforced.hostKnows[work])
        problems.push_back(llvm::formatv("the host does not wait for {0} before {1}", missing, work));
    return problems;
  }

  void check(const std::string &text) {
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    ChainRun asked = runAsked(*module);
    for (unsigned maxStreams : {1u, 2u, 8u}) {
      ASSERT_THAT(compare(asked, runStreams(*module, maxStreams)), IsEmpty()) << maxStreams << " streams\n" << text;
      for (const char *mode : {"explicit", "capture"})
        ASSERT_THAT(compare(asked, runGraph(*module, mode, maxStreams)), IsEmpty())
            << mode << " graphs, " << maxStreams << " streams\n"
            << text;
    }
    ASSERT_THAT(compare(asked, runWith(*module, agpu::createConvertAgpuToSerialPass())), IsEmpty()) << text;
  }

  MLIRContext context;
};

/// A program around the body of @main, with memory %d, a value %v and some constants. `more` is further functions.
std::string program(const std::string &body, const std::string &more = "") {
  return R"(
    memref.global @memory : memref<4xi32>
    func.func @main() {
      %d = memref.get_global @memory : memref<4xi32>
      %v = arith.constant 1 : i32
      %true = arith.constant true
      %false = arith.constant false
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      )" +
         body + R"(
      return
    }
  )" + more;
}

/// One piece of work: "%name = agpu.memset [deps] …".
std::string work(const std::string &name, const std::string &deps) {
  return "%" + name + " = agpu.memset [" + deps + "] (%d, %v) : memref<4xi32>, i32\n";
}

/// A function that takes what `work` needs.
const char *const kStep = R"(
  func.func @step(%d: memref<4xi32>, %v: i32, %a: !agpu.chain, %b: !agpu.chain) -> (!agpu.chain, !agpu.chain) {
    %c = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
    return %c, %b : !agpu.chain, !agpu.chain
  }
)";

} // namespace

TEST_F(StreamExecution, StraightLine) {
  check(program(work("a", "") + work("b", "%a") + work("c", "%a") + "%j = agpu.join [%b, %c]\n" + work("e", "%j") +
                "agpu.wait [%e]\n" + work("f", "%e") + "agpu.wait [%f, %a]\n"));
}

TEST_F(StreamExecution, SynchronousWork) {
  check(program("agpu.memset (%d, %v) : memref<4xi32>, i32\n" + work("a", "") +
                "agpu.memset (%d, %v) : memref<4xi32>, i32\n" + work("b", "%a") + "agpu.wait [%b]"));
}

TEST_F(StreamExecution, If) {
  for (const char *condition : {"%true", "%false"})
    check(
        program(work("a", "") + work("b", "") + "%r, %s = scf.if " + condition + " -> (!agpu.chain, !agpu.chain) {\n" +
                work("c", "%a") +
                "scf.yield %c, %c : !agpu.chain, !agpu.chain } else { scf.yield %b, %a : !agpu.chain, !agpu.chain }\n" +
                work("e", "%r, %s") + "agpu.wait [%e]"));
}

TEST_F(StreamExecution, For) {
  check(program(work("a", "") + "%r = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %a) -> (!agpu.chain) {\n" +
                work("b", "%x") + work("c", "%x") + work("e", "%b, %c") +
                "scf.yield %e : !agpu.chain }\nagpu.wait [%r]"));
}

TEST_F(StreamExecution, ForWithoutRounds) {
  check(program(work("a", "") + "%r = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> (!agpu.chain) {\n" +
                work("b", "%x") + "scf.yield %b : !agpu.chain }\nagpu.wait [%r]"));
}

TEST_F(StreamExecution, While) {
  check(program(work("a", "") + R"(
    %n, %r = scf.while (%i = %c0, %x = %a) : (index, !agpu.chain) -> (index, !agpu.chain) {
      %more = arith.cmpi slt, %i, %c7 : index
      )" + work("b", "%x") +
                R"(
      scf.condition(%more) %i, %b : index, !agpu.chain
    } do {
    ^bb0(%i: index, %x: !agpu.chain):
      %next = arith.addi %i, %c1 : index
      )" + work("c", "%x") +
                R"(
      scf.yield %next, %c : index, !agpu.chain
    }
    agpu.wait [%r])"));
}

TEST_F(StreamExecution, RotatingChainsInLoop) {
  check(program(work("a", "") + work("b", "") + R"(
    %r, %s, %t = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %a, %y = %b, %z = %a)
        -> (!agpu.chain, !agpu.chain, !agpu.chain) {
      )" + work("c", "%x") +
                R"(
      scf.yield %y, %c, %x : !agpu.chain, !agpu.chain, !agpu.chain
    }
    )" + work("e", "%r") +
                "agpu.wait [%s]\nagpu.wait [%e, %t]"));
}

TEST_F(StreamExecution, ChainThatTheLoopDoesNotCarry) {
  check(program(work("a", "") + "scf.for %i = %c0 to %c7 step %c1 {\n" + work("b", "%a") + "agpu.wait [%b] }\n" +
                "scf.for %i = %c0 to %c7 step %c1 {\n" + work("e", "%a") + "}\n"));
}

TEST_F(StreamExecution, BranchesAndSwitch) {
  for (const char *flag : {"0", "1", "2", "3"})
    check(program(std::string("%flag = arith.constant ") + flag + " : i32\n" + work("a", "") + work("b", "") + R"(
      cf.switch %flag : i32, [default: ^last(%a, %b : !agpu.chain, !agpu.chain),
        0: ^last(%b, %b : !agpu.chain, !agpu.chain), 1: ^middle, 2: ^last(%a, %a : !agpu.chain, !agpu.chain)]
    ^middle:
      )" + work("c", "%b") +
                  R"(
      cf.cond_br %true, ^last(%c, %c : !agpu.chain, !agpu.chain), ^last(%a, %b : !agpu.chain, !agpu.chain)
    ^last(%x: !agpu.chain, %y: !agpu.chain):
      )" + work("e", "%x, %y") +
                  "agpu.wait [%e]"));
}

TEST_F(StreamExecution, BothWaysToTheSameBlock) {
  for (const char *condition : {"%true", "%false"})
    check(program(work("a", "") + work("b", "") + "cf.cond_br " + condition +
                  R"(, ^next(%a : !agpu.chain), ^next(%b : !agpu.chain)
    ^next(%x: !agpu.chain):
      )" + work("c", "%x") +
                  "agpu.wait [%c]"));
}

TEST_F(StreamExecution, LoopOnItself) {
  check(program(work("a", "") + R"(
      cf.br ^loop(%c0, %a, %a : index, !agpu.chain, !agpu.chain)
    ^loop(%i: index, %x: !agpu.chain, %y: !agpu.chain):
      )" + work("b", "%x, %a") +
                R"(
      %next = arith.addi %i, %c1 : index
      %more = arith.cmpi slt, %next, %c7 : index
      cf.cond_br %more, ^loop(%next, %b, %x : index, !agpu.chain, !agpu.chain), ^end
    ^end:
      agpu.wait [%y, %b])"));
}

TEST_F(StreamExecution, Calls) {
  check(program(work("a", "") + work("b", "%a") + R"(
    %r, %s = func.call @step(%d, %v, %a, %b)
        : (memref<4xi32>, i32, !agpu.chain, !agpu.chain) -> (!agpu.chain, !agpu.chain)
    %t, %u = func.call @step(%d, %v, %r, %r)
        : (memref<4xi32>, i32, !agpu.chain, !agpu.chain) -> (!agpu.chain, !agpu.chain)
    )" + work("c", "%t, %s, %a") +
                    "agpu.wait [%c]",
                kStep));
}

TEST_F(StreamExecution, CallInLoop) {
  check(program(work("a", "") + R"(
    %p, %q = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %a, %y = %a) -> (!agpu.chain, !agpu.chain) {
      %r, %s = func.call @step(%d, %v, %x, %y)
          : (memref<4xi32>, i32, !agpu.chain, !agpu.chain) -> (!agpu.chain, !agpu.chain)
      scf.yield %s, %r : !agpu.chain, !agpu.chain
    }
    agpu.wait [%p, %q])",
                kStep));
}

TEST_F(StreamExecution, Recursion) {
  check(program(work("a", "") + R"(
    %r = func.call @descend(%d, %v, %c7, %a) : (memref<4xi32>, i32, index, !agpu.chain) -> !agpu.chain
    agpu.wait [%r])",
                R"(
    func.func @descend(%d: memref<4xi32>, %v: i32, %n: index, %a: !agpu.chain) -> !agpu.chain {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %done = arith.cmpi eq, %n, %c0 : index
      cf.cond_br %done, ^end(%a : !agpu.chain), ^more
    ^more:
      %less = arith.subi %n, %c1 : index
      %b = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
      %r = func.call @descend(%d, %v, %less, %b) : (memref<4xi32>, i32, index, !agpu.chain) -> !agpu.chain
      cf.br ^end(%r : !agpu.chain)
    ^end(%x: !agpu.chain):
      return %x : !agpu.chain
    })"));
}

TEST_F(StreamExecution, ReturnedTwiceAndUnused) {
  check(program(work("a", "") + R"(
    %r:2 = func.call @twice(%a) : (!agpu.chain) -> (!agpu.chain, !agpu.chain)
    func.call @drop(%a, %r#0) : (!agpu.chain, !agpu.chain) -> ()
    agpu.wait [%r#1])",
                R"(
    func.func @twice(%a: !agpu.chain) -> (!agpu.chain, !agpu.chain) { return %a, %a : !agpu.chain, !agpu.chain }
    func.func @drop(%a: !agpu.chain, %b: !agpu.chain) { return })"));
}

TEST_F(StreamExecution, Select) {
  for (const char *condition : {"%true", "%false"})
    check(program(work("a", "") + work("b", "") + "%x = arith.select " + condition + ", %a, %b : !agpu.chain\n" +
                  work("c", "%x") + "%y = arith.select " + condition + ", %x, %x : !agpu.chain\nagpu.wait [%y, %c]"));
}

TEST_F(StreamExecution, CarriedJoin) {
  check(program(work("a", "") + work("b", "") + "%none = agpu.join []\n%j = agpu.join [%a, %b]\nagpu.wait [%a, %b]\n" +
                "%complete = agpu.join [%a, %b]\n" + "scf.for %i = %c0 to %c7 step %c1 {\n" +
                work("e", "%j, %none, %complete") + "}\n"));
}

/// Structured programs made at random: nested loops, branches, joins, waits and calls over a growing list of chains.
class RandomProgram {
public:
  explicit RandomProgram(uint32_t seed) : random(seed) {}

  std::string make() {
    std::vector<std::string> chains;
    std::string body = "%start = agpu.join []\n";
    chains.push_back("%start");
    body += block(chains, 3, 6);
    return program(body + "agpu.wait [" + pick(chains) + "]\n", kStep);
  }

private:
  std::string pick(const std::vector<std::string> &chains) { return chains[random() % chains.size()]; }
  std::string fresh() { return "%n" + std::to_string(next++); }

  std::string block(std::vector<std::string> &chains, int depth, int length) {
    std::string text;
    for (int i = 0; i < length; ++i) {
      std::string name = fresh();
      std::string one = pick(chains), two = pick(chains);
      switch (random() % (depth ? 10 : 7)) {
      case 0:
        text += name + " = agpu.join [" + one + ", " + two + "]\n";
        break;
      case 1:
        text += "agpu.wait [" + one + "]\n";
        continue;
      case 2:
        text += name + ", " + name + "b = func.call @step(%d, %v, " + one + ", " + two +
                ") : (memref<4xi32>, i32, !agpu.chain, !agpu.chain) -> (!agpu.chain, !agpu.chain)\n";
        break;
      case 7:
        text += loop(name, one, two, chains, depth);
        break;
      case 8:
        text += branch(name, chains, depth);
        break;
      case 9:
        text += name + " = arith.select " + (random() % 2 ? "%true" : "%false") + ", " + one + ", " + two +
                " : !agpu.chain\n";
        break;
      default:
        text += work(name.substr(1), one + ", " + two);
      }
      chains.push_back(name);
    }
    return text;
  }

  std::string loop(const std::string &name, const std::string &one, const std::string &two,
                   std::vector<std::string> chains, int depth) {
    std::string x = fresh(), y = fresh();
    chains.insert(chains.end(), {x, y, x, y});
    std::string text = name + ", " + name + "b = scf.for " + fresh() + " = %c0 to %c2 step %c1 iter_args(" + x + " = " +
                       one + ", " + y + " = " + two + ") -> (!agpu.chain, !agpu.chain) {\n";
    text += block(chains, depth - 1, 3);
    return text + "scf.yield " + pick(chains) + ", " + pick(chains) + " : !agpu.chain, !agpu.chain }\n";
  }

  std::string branch(const std::string &name, const std::vector<std::string> &chains, int depth) {
    std::string text = name + " = scf.if " + (random() % 2 ? "%true" : "%false") + " -> !agpu.chain {\n";
    for (const char *end : {"} else {\n", "}\n"}) {
      std::vector<std::string> inner = chains;
      text += block(inner, depth - 1, 2);
      text += "scf.yield " + pick(inner) + " : !agpu.chain " + end;
    }
    return text;
  }

  std::mt19937 random;
  uint32_t next = 0;
};

TEST_F(StreamExecution, RandomPrograms) {
  for (uint32_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    check(RandomProgram(seed).make());
  }
}

/// LOWER-3: more rounds take no more streams and no more events at a time.
TEST_F(StreamExecution, LoopsCreateNothing) {
  auto parseLoop = [&](int rounds) {
    std::string end = "%end = arith.constant " + std::to_string(rounds) + " : index\n";
    return parse(program(
        end + work("a", "") + work("b", "") +
        "%r, %s = scf.for %i = %c0 to %end step %c1 iter_args(%x = %a, %y = %b) -> (!agpu.chain, !agpu.chain) {\n" +
        work("c", "%x") + work("e", "%x, %y") + work("f", "%c, %e") +
        "scf.yield %f, %c : !agpu.chain, !agpu.chain }\nagpu.wait [%r, %s]"));
  };
  auto expectSame = [](const ChainRun &few, const ChainRun &many) {
    EXPECT_EQ(few.numStreamAcquires, many.numStreamAcquires);
    EXPECT_EQ(few.numEventsPeak, many.numEventsPeak);
    EXPECT_GT(many.before.size(), few.before.size());
  };
  OwningOpRef<ModuleOp> few = parseLoop(3), many = parseLoop(100);
  expectSame(runStreams(*few), runStreams(*many));
  for (const char *mode : {"explicit", "capture"})
    expectSame(runGraph(*few, mode), runGraph(*many, mode));
}

namespace {

/// Lowered programs with one call that orders or balances taken away, or one list of dependencies.
class Mutants {
public:
  explicit Mutants(ModuleOp module) : module(module) {}

  unsigned count() {
    unsigned number = 0;
    module.walk([&](LLVM::CallOp call) { number += isJudged(call); });
    return number;
  }

  /// The mutant, and the name of the call that it lacks.
  std::pair<OwningOpRef<ModuleOp>, std::string> make(unsigned dropped) {
    OwningOpRef<ModuleOp> mutant = module.clone();
    std::string name;
    unsigned index = 0;
    mutant->walk([&](LLVM::CallOp call) {
      if (!isJudged(call) || index++ != dropped)
        return;
      name = call.getCallee()->str();
      if (!call.getCallee()->starts_with("mgpuGraphAdd"))
        return call.erase();
      OpBuilder builder(call);
      auto list = call.getArgOperandsMutable();
      list[kList].set(LLVM::ZeroOp::create(builder, call.getLoc(), call.getArgOperands()[kList].getType()));
      list[kCount].set(LLVM::ConstantOp::create(builder, call.getLoc(), builder.getI64IntegerAttr(0)));
    });
    return {std::move(mutant), name};
  }

private:
  static constexpr unsigned kList = 1, kCount = 2;

  static bool isJudged(LLVM::CallOp call) {
    StringRef name = *call.getCallee();
    if (name.starts_with("mgpuGraphAdd"))
      return !call.getArgOperands()[kList].getDefiningOp<LLVM::ZeroOp>();
    return name.contains("Wait") || name.contains("Synchronize") || name.contains("Retain") || name.contains("Release");
  }

  ModuleOp module;
};

} // namespace

/// The judge can be dissatisfied: each call that orders or balances is missed when it is gone. Only a wait for a
/// carried chain may be one too many: its work may have been issued on the same stream in another block.
TEST_F(StreamExecution, EachMissingCallIsSeen) {
  OwningOpRef<ModuleOp> module = parse(program(
      work("a", "") + "func.call @cut() : () -> ()\n" + work("b", "") +
          "%r, %s = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %a, %y = %b) -> (!agpu.chain, !agpu.chain) {\n" +
          work("c", "%x") + work("e", "%x, %y") + work("f", "%c, %e") +
          "scf.yield %f, %x : !agpu.chain, !agpu.chain }\nagpu.wait [%r]\n" + work("g", "%s") + "agpu.wait [%g]",
      "func.func @cut() { return }"));
  ChainRun asked = runAsked(*module);
  for (const char *lowering : {"streams", "explicit", "capture"}) {
    SCOPED_TRACE(lowering);
    OwningOpRef<ModuleOp> lowered = module->clone();
    PassManager passes(&context);
    agpu::ConvertAgpuToGraphPassOptions options;
    options.mode = lowering;
    if (lowering == StringRef("streams"))
      passes.addPass(agpu::createConvertAgpuToStreamsPass());
    else
      passes.addPass(agpu::createConvertAgpuToGraphPass(options));
    ASSERT_TRUE(succeeded(passes.run(*lowered)));
    Mutants mutants(*lowered);
    ASSERT_GT(mutants.count(), 8u);
    unsigned numChainWaitsSeen = 0;
    for (unsigned dropped = 0; dropped < mutants.count(); ++dropped) {
      auto [mutant, name] = mutants.make(dropped);
      bool isSeen = !compare(asked, interpret(*mutant)).empty();
      if (name == "mgpuStreamWaitChain")
        numChainWaitsSeen += isSeen;
      else
        EXPECT_TRUE(isSeen) << "call " << dropped << " of " << name;
    }
    EXPECT_GT(numChainWaitsSeen, 0u);
  }
}
