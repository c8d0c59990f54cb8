// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Execution.h"
#include "harness/scenario/Family.h"

#include <gtest/gtest.h>

#include <random>

using namespace lockstep::scenario;

namespace {

/// The scenarios that properties of all families are shown on.
std::vector<ScenarioSpec> samples() {
  std::vector<ScenarioSpec> all;
  auto add = [&](const std::string &text) {
    llvm::Expected<ScenarioSpec> spec = parseScenario(text);
    ASSERT_TRUE(static_cast<bool>(spec)) << llvm::toString(spec.takeError());
    all.push_back(*spec);
  };
  for (const Family &family : families())
    add(family.name.str());
  for (int seed = 0; seed < 40; ++seed) {
    add("random(seed=" + std::to_string(seed) + ",ops=100)");
    add("layered(seed=" + std::to_string(seed) + ")");
    add("seriesparallel(seed=" + std::to_string(seed) + ")");
  }
  return all;
}

/// An order that the chains allow, drawn from a seed.
std::vector<size_t> drawOrder(const Execution &execution, uint64_t seed) {
  size_t count = execution.instances.size();
  std::vector<size_t> missing(count);
  std::vector<std::vector<size_t>> later(count);
  std::vector<size_t> ready, order;
  for (size_t i = 0; i < count; ++i) {
    missing[i] = execution.instances[i].after.size();
    for (size_t earlier : execution.instances[i].after)
      later[earlier].push_back(i);
    if (missing[i] == 0)
      ready.push_back(i);
  }
  std::mt19937_64 generator(seed);
  while (!ready.empty()) {
    size_t at = generator() % ready.size();
    size_t next = ready[at];
    ready.erase(ready.begin() + at);
    order.push_back(next);
    for (size_t i : later[next])
      if (--missing[i] == 0)
        ready.push_back(i);
  }
  return order;
}

} // namespace

TEST(Families, EveryConflictIsOrdered) {
  for (const ScenarioSpec &spec : samples()) {
    Dag dag = spec.build();
    EXPECT_EQ(findUnordered(unroll(dag)), std::nullopt) << spec.name();
  }
}

TEST(Families, EveryAllowedOrderGivesTheSameResult) {
  for (const ScenarioSpec &spec : samples()) {
    Dag dag = spec.build();
    Execution execution = unroll(dag);
    auto expected = evaluate(execution);
    for (uint64_t seed = 0; seed < 3; ++seed)
      EXPECT_EQ(evaluate(execution, drawOrder(execution, seed)), expected) << spec.name() << ", order " << seed;
  }
}
