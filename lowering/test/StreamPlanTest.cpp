// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/StreamPlan.h"
#include "lowering/test/StreamPlanChecker.h"

#include <gmock/gmock.h>

#include <random>

using namespace lockstep;
using namespace lockstep::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using Kind = StreamPlanNode::Kind;
using WaitKind = StreamPlanWait::Kind;
using Nodes = llvm::SmallVector<uint32_t, 2>;

namespace {

struct GraphBuilder {
  StreamPlanGraph graph;

  uint32_t add(Kind kind, Nodes dependencies, llvm::SmallVector<uint32_t, 1> externals = {}, bool isCarried = false) {
    for (uint32_t external : externals)
      graph.numExternals = std::max(graph.numExternals, external + 1);
    graph.nodes.push_back({kind, isCarried, std::move(dependencies), std::move(externals)});
    return graph.nodes.size() - 1;
  }
  uint32_t work(Nodes dependencies = {}) { return add(Kind::Work, std::move(dependencies)); }
  uint32_t join(Nodes dependencies) { return add(Kind::Join, std::move(dependencies)); }
  uint32_t wait(Nodes dependencies) { return add(Kind::HostWait, std::move(dependencies)); }
};

uint32_t countEvents(const StreamPlan &plan) {
  return llvm::count_if(plan.steps, [](const StreamPlanStep &step) { return step.recordsEvent; });
}

uint32_t countWaits(const StreamPlan &plan) {
  uint32_t count = 0;
  for (const StreamPlanStep &step : plan.steps)
    count += step.waits.size();
  return count;
}

/// For failure messages: one line a node.
std::string show(const StreamPlanGraph &graph, const StreamPlan &plan) {
  std::string text;
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    const StreamPlanStep &step = plan.steps[index];
    text += "\n" + std::to_string(index) + (node.isCarried ? " carried" : "") + " kind " +
            std::to_string(static_cast<int>(node.kind)) + " path " + (step.path ? std::to_string(*step.path) : "-");
    for (uint32_t dependency : node.dependencies)
      text += " d" + std::to_string(dependency);
    for (uint32_t external : node.externals)
      text += " x" + std::to_string(external);
    for (StreamPlanWait wait : step.waits)
      text += " wait " + std::to_string(static_cast<int>(wait.kind)) + ":" + std::to_string(wait.index);
  }
  return text;
}

StreamPlanWait event(uint32_t node) { return {WaitKind::Event, node}; }
StreamPlanWait external(uint32_t index) { return {WaitKind::External, index}; }
StreamPlanWait path(uint32_t index) { return {WaitKind::Path, index}; }

/// How a random graph looks. Reach is how far back dependencies go: short ones make narrow graphs.
struct Shape {
  uint32_t numNodes, maxDependencies, reach;
  double joins, waits, carried, externals;
};

StreamPlanGraph makeRandomGraph(const Shape &shape, uint32_t seed) {
  std::mt19937 random(seed);
  auto chance = [&](double probability) { return random() % 1000 < probability * 1000; };
  GraphBuilder builder;
  for (uint32_t index = 0; index < shape.numNodes; ++index) {
    Kind kind = chance(shape.joins) ? Kind::Join : chance(shape.waits) ? Kind::HostWait : Kind::Work;
    Nodes dependencies;
    llvm::SmallVector<uint32_t, 1> externals;
    for (uint32_t i = 0, end = random() % (shape.maxDependencies + 1); i < end && index; ++i) {
      uint32_t dependency = index - 1 - random() % std::min(index, shape.reach);
      if (builder.graph.nodes[dependency].kind != Kind::HostWait)
        dependencies.push_back(dependency);
    }
    if (chance(shape.externals))
      externals.push_back(random() % 5);
    builder.add(kind, dependencies, externals, kind != Kind::HostWait && chance(shape.carried));
  }
  return builder.graph;
}

const Shape kShapes[] = {
    {40, 2, 3, 0, 0, 0, 0},           {60, 2, 6, 0, 0, 0, 0},          {60, 4, 60, 0, 0, 0, 0},
    {60, 2, 5, 0.2, 0, 0, 0},         {60, 3, 8, 0.15, 0.1, 0, 0},     {60, 3, 60, 0.2, 0.1, 0.1, 0.2},
    {80, 3, 10, 0.2, 0.15, 0.3, 0.3}, {50, 1, 50, 0.1, 0.2, 0.2, 0.5},
};

} // namespace

// STREAMPLAN-1: a chain needs one path and no event.
TEST(StreamPlan, ChainStaysOnOnePath) {
  GraphBuilder b;
  uint32_t last = b.work();
  for (int i = 0; i < 10; ++i)
    last = b.work({last});
  b.wait({last});
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_EQ(plan.numPaths, 1u);
  EXPECT_EQ(countEvents(plan), 0u);
  EXPECT_THAT(plan.steps.back().waits, ElementsAre(path(0)));
}

// STREAMPLAN-2: one event serves all consumers of a fork.
TEST(StreamPlan, ForkRecordsOneEvent) {
  GraphBuilder b;
  uint32_t root = b.work();
  Nodes leaves;
  for (int i = 0; i < 4; ++i)
    leaves.push_back(b.work({root}));
  b.wait(leaves);
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_EQ(plan.numPaths, 4u);
  EXPECT_TRUE(plan.steps[root].recordsEvent);
  EXPECT_EQ(countEvents(plan), 1u);
  EXPECT_THAT(checkPlan(b.graph, plan), IsEmpty());
}

// STREAMPLAN-3: what a wait implies is not waited for.
TEST(StreamPlan, ImpliedWaitIsLeftOut) {
  GraphBuilder b;
  uint32_t first = b.work();
  uint32_t left = b.work({first});
  uint32_t right = b.work({first});
  b.work({first, left, right});
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_EQ(plan.numPaths, 2u);
  EXPECT_EQ(countWaits(plan), 2u);
  EXPECT_THAT(checkPlan(b.graph, plan), IsEmpty());
}

// STREAMPLAN-4: after a host wait nothing covered by it is waited for.
TEST(StreamPlan, HostWaitEndsDependencies) {
  GraphBuilder b;
  uint32_t first = b.work();
  uint32_t second = b.work({first});
  uint32_t other = b.work();
  b.wait({second, other});
  uint32_t after = b.work({first, second, other});
  uint32_t again = b.wait({first, other});
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_THAT(plan.steps[after].waits, IsEmpty());
  EXPECT_THAT(plan.steps[again].waits, IsEmpty());
  EXPECT_EQ(countEvents(plan), 0u);
}

// STREAMPLAN-5: the host waits for the path where the node is the last on it, and for an event otherwise.
TEST(StreamPlan, HostWaitChoosesEventOrPath) {
  GraphBuilder b;
  uint32_t first = b.work();
  uint32_t second = b.work({first});
  uint32_t early = b.wait({first});
  uint32_t late = b.wait({second});
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_THAT(plan.steps[early].waits, ElementsAre(event(first)));
  EXPECT_THAT(plan.steps[late].waits, ElementsAre(path(0)));
}

// STREAMPLAN-6: a join issues nothing; a carried one records an event, unless it is complete already.
TEST(StreamPlan, JoinIsTransparentUnlessCarried) {
  GraphBuilder b;
  uint32_t left = b.work(), right = b.work();
  uint32_t join = b.join({left, right});
  uint32_t user = b.work({join});
  uint32_t carried = b.add(Kind::Join, {left, right}, {}, true);
  b.wait({left, right});
  uint32_t complete = b.add(Kind::Join, {left, right}, {}, true);
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_FALSE(plan.steps[join].path);
  EXPECT_EQ(plan.steps[user].waits.size(), 1u);
  EXPECT_TRUE(plan.steps[carried].path && plan.steps[carried].recordsEvent);
  EXPECT_FALSE(plan.steps[complete].path || plan.steps[complete].recordsEvent);
  EXPECT_THAT(checkPlan(b.graph, plan), IsEmpty());
}

// STREAMPLAN-3 for completions from outside: once on a path, and not on a path that already implies it.
TEST(StreamPlan, ExternalIsWaitedForOnce) {
  GraphBuilder b;
  uint32_t first = b.add(Kind::Work, {}, {0});
  uint32_t second = b.add(Kind::Work, {first}, {0});
  uint32_t join = b.add(Kind::Join, {}, {0, 1});
  uint32_t third = b.add(Kind::Work, {second, join}, {});
  uint32_t wait = b.add(Kind::HostWait, {second}, {0});
  uint32_t last = b.add(Kind::Work, {}, {0, 1});
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_THAT(plan.steps[first].waits, ElementsAre(external(0)));
  EXPECT_THAT(plan.steps[second].waits, IsEmpty());
  EXPECT_THAT(plan.steps[third].waits, ElementsAre(external(1)));
  EXPECT_THAT(plan.steps[wait].waits, ElementsAre(event(second)));
  EXPECT_THAT(plan.steps[last].waits, testing::AnyOf(ElementsAre(external(1)), IsEmpty()));
  EXPECT_THAT(checkPlan(b.graph, plan), IsEmpty());
}

// STREAMPLAN-7 where greedy path cover alone takes a path too many: the longest path is a1, a2, b2, b3, and what is
// left of both chains is unordered.
TEST(StreamPlan, GreedyCoverIsShrunk) {
  GraphBuilder b;
  uint32_t a1 = b.work(), b1 = b.work();
  uint32_t a2 = b.work({a1});
  b.work({a2});
  uint32_t b2 = b.work({b1, a2});
  b.work({b2});
  EXPECT_EQ(findWidth(b.graph), 2u);
  StreamPlan plan = planStreams(b.graph, 8);
  EXPECT_EQ(plan.numPaths, 2u);
  EXPECT_THAT(checkPlan(b.graph, plan), IsEmpty());
}

// STREAMPLAN-1, -2, -6 on random graphs: every edge is enforced, and every event has a use.
TEST(StreamPlan, RandomGraphsAreEnforced) {
  for (const Shape &shape : kShapes)
    for (uint32_t seed = 0; seed < 100; ++seed)
      for (uint32_t maxPaths : {1, 2, 3, 8}) {
        StreamPlanGraph graph = makeRandomGraph(shape, seed);
        ASSERT_THAT(checkPlan(graph, planStreams(graph, maxPaths)), IsEmpty())
            << "shape " << &shape - kShapes << " seed " << seed << " paths " << maxPaths;
      }
}

// STREAMPLAN-7: as few paths as the width, and at most the option.
TEST(StreamPlan, RandomGraphsHaveMinimalPaths) {
  uint32_t numNarrow = 0;
  for (const Shape &shape : kShapes)
    for (uint32_t seed = 0; seed < 100; ++seed)
      for (uint32_t maxPaths : {1, 3, 8, 20}) {
        StreamPlanGraph graph = makeRandomGraph(shape, seed);
        uint32_t width = findWidth(graph);
        numNarrow += width <= maxPaths;
        ASSERT_LE(planStreams(graph, maxPaths).numPaths, std::min(width, maxPaths))
            << "shape " << &shape - kShapes << " seed " << seed << " paths " << maxPaths;
      }
  EXPECT_GT(numNarrow, 300u) << "the shapes no longer test the width bound";
}

// STREAMPLAN-3, and the mutant of the issue: each single wait is needed, and the checker sees that one is missing.
TEST(StreamPlan, EachWaitIsNeededAndItsLossIsSeen) {
  uint32_t numMutants = 0;
  for (const Shape &shape : kShapes)
    for (uint32_t seed = 0; seed < 30; ++seed)
      for (uint32_t maxPaths : {2, 8}) {
        StreamPlanGraph graph = makeRandomGraph(shape, seed);
        StreamPlan plan = planStreams(graph, maxPaths);
        for (StreamPlanStep &step : plan.steps)
          for (size_t i = 0; i < step.waits.size(); ++i) {
            StreamPlanWait dropped = step.waits[i];
            step.waits.erase(step.waits.begin() + i);
            ASSERT_THAT(checkPlan(graph, plan), Not(IsEmpty()))
                << "shape " << &shape - kShapes << " seed " << seed << " node " << &step - plan.steps.data()
                << show(graph, plan);
            step.waits.insert(step.waits.begin() + i, dropped);
            ++numMutants;
          }
      }
  EXPECT_GT(numMutants, 1000u);
}

// The checker's other verdicts can be reached.
TEST(StreamPlanChecker, SeesUselessAndMissingEvents) {
  GraphBuilder b;
  uint32_t first = b.work();
  b.work({first});
  StreamPlan plan = planStreams(b.graph, 8);
  plan.steps[first].recordsEvent = true;
  EXPECT_THAT(checkPlan(b.graph, plan), ElementsAre(testing::HasSubstr("has no use")));
  plan.steps[first].recordsEvent = false;
  plan.steps[1].waits.push_back(event(first));
  EXPECT_THAT(checkPlan(b.graph, plan), ElementsAre(testing::HasSubstr("is not recorded")));
  plan.steps[1] = {};
  EXPECT_THAT(checkPlan(b.graph, plan), ElementsAre(testing::HasSubstr("is not issued")));
}

// STREAMPLAN-8: the same graph gives the same plan.
TEST(StreamPlan, IsDeterministic) {
  StreamPlanGraph graph = makeRandomGraph(kShapes[6], 7);
  StreamPlan first = planStreams(graph, 4), second = planStreams(graph, 4);
  for (auto [a, b] : llvm::zip_equal(first.steps, second.steps)) {
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.waits, b.waits);
  }
}
