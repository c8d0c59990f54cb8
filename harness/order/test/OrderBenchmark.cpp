// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long it takes to judge the order of a run, by its shape and its number of operations: happens-before from the
// calls, and the three oracles. The figures are in docs/performance/order.md.

#include "harness/order/OrderJudge.h"
#include "harness/order/test/Calls.h"

#include "benchmark/benchmark.h"

#include <random>

using namespace lockstep::harness;
using namespace lockstep::harness::test;

namespace {

/// A run and the order that its program asks for.
struct Run {
  Calls calls{"cu"};
  OrderSpec spec;
};

/// `count` operations on buffers of their own, each behind up to two of the `window` operations before it.
class RunBuilder {
public:
  RunBuilder(size_t count, size_t window) : count(count), window(window) {}

  std::unique_ptr<Run> onStreams(size_t streamCount);
  std::unique_ptr<Run> inGraph();

private:
  std::string begin(size_t index);
  std::vector<size_t> drawDependencies(size_t index);

  size_t count, window;
  std::mt19937 random{1};
  OrderSpecBuilder spec;
};

} // namespace

std::string RunBuilder::begin(size_t index) {
  std::string name = "program.mlir:" + std::to_string(index) + ":1 memset";
  uint32_t op = spec.add(name, kLockstepTraceWork);
  ByteAccess bytes;
  bytes.begin = 4096 + index * 64;
  bytes.end = bytes.begin + 64;
  bytes.runBytes = 64;
  bytes.access = kLockstepTraceWrites;
  spec.addAccess(op, bytes);
  return name;
}

std::vector<size_t> RunBuilder::drawDependencies(size_t index) {
  std::vector<size_t> dependencies;
  for (size_t i = 0; i < 2 && window != 0 && index != 0; ++i) {
    dependencies.push_back(index - 1 - random() % std::min(index, window));
    spec.addAfter(index, dependencies.back());
  }
  return dependencies;
}

std::unique_ptr<Run> RunBuilder::onStreams(size_t streamCount) {
  auto run = std::make_unique<Run>();
  std::vector<uint64_t> streams, events;
  for (size_t i = 0; i < streamCount; ++i)
    streams.push_back(run->calls.stream());
  for (size_t index = 0; index < count; ++index) {
    std::string name = begin(index);
    uint64_t stream = streams[index % streamCount];
    for (size_t before : drawDependencies(index))
      run->calls.wait(stream, events[before]);
    run->calls.work(name.c_str(), stream);
    events.push_back(run->calls.event());
    run->calls.record(events.back(), stream);
  }
  run->spec = spec.finish();
  return run;
}

std::unique_ptr<Run> RunBuilder::inGraph() {
  auto run = std::make_unique<Run>();
  uint64_t stream = run->calls.stream(), graph = run->calls.graph();
  std::vector<uint64_t> nodes;
  for (size_t index = 0; index < count; ++index) {
    std::string name = begin(index);
    std::vector<uint64_t> after;
    for (size_t before : drawDependencies(index))
      after.push_back(nodes[before]);
    nodes.push_back(run->calls.node(name.c_str(), graph, std::move(after)));
  }
  run->calls.launch(run->calls.instantiate(graph), stream);
  run->spec = spec.finish();
  return run;
}

static void judgeRepeatedly(benchmark::State &state, const Run &run) {
  for (auto _ : state) {
    OrderVerdict verdict = judge(run.spec, HappensBefore(run.calls.log));
    if (!verdict.findings.empty())
      state.SkipWithError(verdict.findings.front().message.c_str());
    benchmark::DoNotOptimize(verdict);
  }
}

static void EightStreams(benchmark::State &state) {
  judgeRepeatedly(state, *RunBuilder(state.range(0), 16).onStreams(8));
}
static void ThousandStreams(benchmark::State &state) {
  judgeRepeatedly(state, *RunBuilder(state.range(0), 2000).onStreams(1000));
}
static void Graph(benchmark::State &state) { judgeRepeatedly(state, *RunBuilder(state.range(0), 16).inGraph()); }
static void GraphWithoutEdges(benchmark::State &state) {
  judgeRepeatedly(state, *RunBuilder(state.range(0), 0).inGraph());
}

BENCHMARK(EightStreams)->Arg(20)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(ThousandStreams)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(Graph)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(GraphWithoutEdges)->Arg(10000)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
