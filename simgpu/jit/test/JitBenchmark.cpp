// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a kernel costs on the simulated device: flattening, compiling, launching, running its threads.

#include "simgpu/jit/Compiler.h"
#include "simgpu/jit/test/TestKernels.h"
#include "llvm/IR/LLVMContext.h"
#include <benchmark/benchmark.h>
#include <chrono>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

/// x = (x * 3 + 1) eight times for each element; with a barrier in each step where `barriers` says so.
std::string stepsText(bool barriers) {
  std::string body = R"(
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %n
  %i = add i32 %o, %t
  %p = getelementptr i32, ptr %data, i32 %i
  %x0 = load i32, ptr %p
)";
  for (int step = 0; step != 8; ++step) {
    std::string from = std::to_string(step), to = std::to_string(step + 1);
    body += "  %y" + from + " = mul i32 %x" + from + ", 3\n  %x" + to + " = add i32 %y" + from + ", 1\n";
    if (barriers)
      body += "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  }
  return kernelText("ptr %data", body + "  store i32 %x8, ptr %p");
}

void flattenKernel(benchmark::State &state) {
  std::string image = assemble(stepsText(state.range(0)));
  auto host = llvm::cantFail(createHostMachine());
  for (auto _ : state) {
    llvm::LLVMContext context;
    benchmark::DoNotOptimize(llvm::cantFail(flattenImage(image, context, *host)));
  }
}
BENCHMARK(flattenKernel)->ArgName("barriers")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void compileKernel(benchmark::State &state) {
  std::string image = assemble(stepsText(state.range(0)));
  auto host = llvm::cantFail(createHostMachine());
  for (auto _ : state) {
    state.PauseTiming();
    auto context = std::make_unique<llvm::LLVMContext>();
    FlatProgram program = llvm::cantFail(flattenImage(image, *context, *host));
    state.ResumeTiming();
    benchmark::DoNotOptimize(llvm::cantFail(compileProgram(std::move(program), std::move(context), *host)));
  }
}
BENCHMARK(compileKernel)->ArgName("barriers")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void loadFromCache(benchmark::State &state) {
  std::string image = assemble(stepsText(false));
  for (auto _ : state)
    benchmark::DoNotOptimize(loadError(image));
}
BENCHMARK(loadFromCache)->Unit(benchmark::kMicrosecond);

void launchEmpty(benchmark::State &state) {
  TestModule module(kernelText("", ""));
  const Kernel &kernel = module.kernel();
  for (auto _ : state)
    llvm::cantFail(kernel.run({{1, 1, 1}, {1, 1, 1}}, {}));
}
BENCHMARK(launchEmpty)->Unit(benchmark::kNanosecond);

constexpr uint32_t blocks = 64;

void runThreads(benchmark::State &state, bool barriers) {
  uint32_t threads = state.range(0);
  TestModule module(stepsText(barriers));
  std::vector<int> data(blocks * threads, 1);
  int *address = data.data();
  const void *arguments[] = {&address};
  for (auto _ : state)
    llvm::cantFail(module.kernel().run({{blocks, 1, 1}, {threads, 1, 1}}, arguments));
  state.counters["threads/s"] =
      benchmark::Counter(double(blocks) * threads * state.iterations(), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(runThreads, plain, false)->ArgName("blockThreads")->Arg(64)->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(runThreads, fibersWith8Barriers, true)->ArgName("blockThreads")->Arg(64)->Arg(256)->Arg(1024);

/// Plain and fiber kernels in turn, so that both see the same machine; `ratio` is how much longer the fibers take.
void plainAgainstFibers(benchmark::State &state) {
  uint32_t threads = state.range(0);
  TestModule plain(stepsText(false)), fibers(stepsText(true));
  std::vector<int> data(blocks * threads, 1);
  int *address = data.data();
  const void *arguments[] = {&address};
  using Clock = std::chrono::steady_clock;
  Clock::duration plainTime{}, fiberTime{};
  auto timed = [&](const TestModule &module, Clock::duration &total) {
    Clock::time_point start = Clock::now();
    llvm::cantFail(module.kernel().run({{blocks, 1, 1}, {threads, 1, 1}}, arguments));
    total += Clock::now() - start;
  };
  for (auto _ : state) {
    timed(plain, plainTime);
    timed(fibers, fiberTime);
  }
  state.counters["ratio"] = double(fiberTime.count()) / double(plainTime.count());
  // Each thread is resumed once at its start and once after each of the eight barriers.
  state.counters["ns/resume"] =
      std::chrono::duration<double, std::nano>(fiberTime).count() / (double(blocks) * threads * 9 * state.iterations());
}
BENCHMARK(plainAgainstFibers)->ArgName("blockThreads")->Arg(256);

} // namespace

BENCHMARK_MAIN();
