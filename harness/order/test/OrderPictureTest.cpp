// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/OrderPicture.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::reports;
using testing::ElementsAre;

namespace {

/// Two rounds of a loop: "fill" before "copy" before "join" before "kernel", and the next round after that.
OrderSpec makeLoop() {
  OrderSpecBuilder builder;
  std::optional<uint32_t> last;
  for (int round = 0; round < 2; ++round)
    for (const char *name : {"a.mlir:3:5 memset", "copy_top memcpy", "join0 join", "a.mlir:9:5 launch_func"}) {
      uint32_t op =
          builder.add(name, llvm::StringRef(name).ends_with("join") ? kLockstepTraceJoin : kLockstepTraceWork);
      if (last)
        builder.addAfter(op, *last);
      last = op;
    }
  return builder.finish();
}

Finding makeFinding(std::string oracle, std::string second, std::string first) {
  return {std::move(oracle), "", "", {std::move(second), std::move(first)}, ""};
}

std::vector<std::string> edgesOf(const CellGraph &graph) {
  std::vector<std::string> edges;
  for (const CellEdge &edge : graph.edges)
    edges.push_back(std::to_string(edge.from) + ">" + std::to_string(edge.to) + " " + edgeStateName(edge.state).str());
  return edges;
}

} // namespace

TEST(OrderPicture, OneNodeAnOperationAndAnEdgeForEachDirectOrder) {
  std::optional<CellGraph> graph = drawOrder(makeLoop(), makeFinding("order", "copy_top memcpy", "a.mlir:3:5 memset"));
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->nodes.size(), 4u);
  EXPECT_EQ(graph->nodes[0].op, "a.mlir:3:5 memset");
  EXPECT_EQ(graph->nodes[0].kind, "memset");
  EXPECT_EQ(graph->nodes[0].place, "a.mlir:3:5");
  EXPECT_EQ(graph->nodes[1].kind, "memcpy");
  EXPECT_EQ(graph->nodes[1].place, "");
  EXPECT_THAT(edgesOf(*graph), ElementsAre("0>1 missing", "1>2 enforced", "2>3 enforced"));
}

TEST(OrderPicture, AMissingOrderByWayOfOthersOrIntoTheNextRoundIsAnEdge) {
  std::optional<CellGraph> graph =
      drawOrder(makeLoop(), {makeFinding("order", "a.mlir:9:5 launch_func", "copy_top memcpy"),
                             makeFinding("hazard", "a.mlir:3:5 memset", "a.mlir:9:5 launch_func")});
  ASSERT_TRUE(graph);
  EXPECT_THAT(edgesOf(*graph),
              ElementsAre("1>3 missing", "3>0 missing", "0>1 enforced", "1>2 enforced", "2>3 enforced"));
}

TEST(OrderPicture, NothingIsDrawnWithoutAFindingOfTheOrder) {
  EXPECT_FALSE(drawOrder(makeLoop(), {}));
  EXPECT_FALSE(drawOrder(makeLoop(), makeFinding("values", "copy_top memcpy", "a.mlir:3:5 memset")));
}

TEST(OrderPicture, ALargeProgramIsNotDrawn) {
  OrderSpecBuilder builder;
  for (size_t i = 0; i <= kPictureOpsMax; ++i)
    builder.add("op" + std::to_string(i) + " memcpy", kLockstepTraceWork);
  EXPECT_FALSE(drawOrder(builder.finish(), makeFinding("order", "op1 memcpy", "op0 memcpy")));
}
