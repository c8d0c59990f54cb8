// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shuffles, votes, matches and reductions of the lanes of a warp.

#include "simgpu/jit/WarpOperation.h"
#include "simgpu/jit/test/TestKernels.h"
#include <gmock/gmock.h>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

/// Each lane shuffles its number plus 100; returns the values, with 1000 added where the predicate holds.
std::vector<int> shuffle(const std::string &mode, const std::string &mask, int lane, int clamp, int threads = 32) {
  TestModule module(kernelText("ptr %out",
                               R"(
  %v = add i32 %t, 100
  %r = call {i32, i1} @llvm.nvvm.shfl.sync.)" +
                                   mode + ".i32p(i32 " + mask + ", i32 %v, i32 " + std::to_string(lane) + ", i32 " +
                                   std::to_string(clamp) + R"()
  %x = extractvalue {i32, i1} %r, 0
  %ok = extractvalue {i32, i1} %r, 1
  %k = zext i1 %ok to i32
  %k1 = mul i32 %k, 1000
  %s = add i32 %x, %k1
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %p)",
                               "declare {i32, i1} @llvm.nvvm.shfl.sync." + mode + ".i32p(i32, i32, i32, i32)"));
  EXPECT_TRUE(module.kernel().usesFibers());
  std::vector<int> out(threads, -1);
  int *address = out.data();
  module.run({{1, 1, 1}, {uint32_t(threads), 1, 1}}, {&address});
  return out;
}

TEST(Shuffle, Up) {
  std::vector<int> out = shuffle("up", "-1", 3, 0);
  for (int lane = 0; lane != 32; ++lane)
    EXPECT_EQ(out[lane], lane >= 3 ? 1100 + lane - 3 : 100 + lane) << lane;
}

TEST(Shuffle, Down) {
  std::vector<int> out = shuffle("down", "-1", 3, 31);
  for (int lane = 0; lane != 32; ++lane)
    EXPECT_EQ(out[lane], lane <= 28 ? 1100 + lane + 3 : 100 + lane) << lane;
}

TEST(Shuffle, Xor) {
  std::vector<int> out = shuffle("bfly", "-1", 5, 31);
  for (int lane = 0; lane != 32; ++lane)
    EXPECT_EQ(out[lane], 1100 + (lane ^ 5)) << lane;
}

TEST(Shuffle, Index) {
  std::vector<int> out = shuffle("idx", "-1", 7, 31);
  EXPECT_EQ(out, std::vector<int>(32, 1107));
}

TEST(Shuffle, InSegments) {
  // Segments of 8 lanes: the segment mask is 24, the bound the last lane of a segment.
  std::vector<int> out = shuffle("down", "-1", 2, 24 << 8 | 7);
  for (int lane = 0; lane != 32; ++lane)
    EXPECT_EQ(out[lane], lane % 8 < 6 ? 1100 + lane + 2 : 100 + lane) << lane;
}

TEST(Shuffle, WithAPartialMask) {
  // Lanes 0 to 7 take part; the others neither wait nor read anything defined.
  std::vector<int> out = shuffle("bfly", "255", 1, 7);
  for (int lane = 0; lane != 8; ++lane)
    EXPECT_EQ(out[lane], 1100 + (lane ^ 1)) << lane;
  for (int lane = 8; lane != 32; ++lane)
    EXPECT_EQ(uint32_t(out[lane]), undefinedLaneValue) << lane;
}

TEST(Shuffle, InABlockThatDoesNotFillItsWarps) {
  std::vector<int> out = shuffle("bfly", "-1", 1, 31, 37);
  for (int t = 0; t != 36; ++t)
    EXPECT_EQ(out[t], 1100 + (t ^ 1)) << t;
  // The partner of the last lane does not exist.
  EXPECT_EQ(uint32_t(out[36]), undefinedLaneValue + 1000);
}

/// What every lane of a block of `threads` gets from one expression on its number %t.
std::vector<int> evaluate(const std::string &body, const std::string &declarations, int threads = 32) {
  TestModule module(kernelText(
      "ptr %out", body + "\n  %p = getelementptr i32, ptr %out, i32 %t\n  store i32 %r, ptr %p", declarations));
  std::vector<int> out(threads, -1);
  int *address = out.data();
  module.run({{1, 1, 1}, {uint32_t(threads), 1, 1}}, {&address});
  return out;
}

std::vector<int> vote(const std::string &name, const std::string &condition) {
  return evaluate("  %c = icmp " + condition + "\n  %v = call i1 @llvm.nvvm.vote." + name +
                      ".sync(i32 -1, i1 %c)\n  %r = zext i1 %v to i32",
                  "declare i1 @llvm.nvvm.vote." + name + ".sync(i32, i1)");
}

TEST(Vote, AllAnyUniform) {
  EXPECT_EQ(vote("all", "ult i32 %t, 32"), std::vector<int>(32, 1));
  EXPECT_EQ(vote("all", "ult i32 %t, 31"), std::vector<int>(32, 0));
  EXPECT_EQ(vote("any", "eq i32 %t, 9"), std::vector<int>(32, 1));
  EXPECT_EQ(vote("any", "eq i32 %t, 99"), std::vector<int>(32, 0));
  EXPECT_EQ(vote("uni", "eq i32 %t, 99"), std::vector<int>(32, 1));
  EXPECT_EQ(vote("uni", "eq i32 %t, 9"), std::vector<int>(32, 0));
}

TEST(Vote, BallotOfSeveralWarps) {
  std::vector<int> out =
      evaluate("  %c = icmp ult i32 %t, 40\n  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)",
               "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)", 70);
  for (int t = 0; t != 70; ++t)
    EXPECT_EQ(out[t], t < 32 ? -1 : t < 64 ? 0xFF : 0) << t;
}

TEST(Match, AnyGroupsEqualValues) {
  std::vector<int> out =
      evaluate("  %v = urem i32 %t, 3\n  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)",
               "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)");
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(uint32_t(out[t]), 0x49249249u << (t % 3)) << t;
}

TEST(Match, AllTellsWhetherAllAreEqual) {
  const std::string declaration = "declare {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32, i64)";
  auto matchAll = [&](const std::string &value) {
    return evaluate("  %w = zext i32 %t to i64\n  %v = " + value +
                        "\n  %m = call {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %v)\n"
                        "  %a = extractvalue {i32, i1} %m, 0\n  %b = extractvalue {i32, i1} %m, 1\n"
                        "  %c = select i1 %b, i32 2, i32 0\n  %r = add i32 %a, %c",
                    declaration);
  };
  // All lanes, and 2 for the predicate.
  EXPECT_EQ(matchAll("and i64 %w, 0"), std::vector<int>(32, -1 + 2));
  // Differs in the upper half only.
  EXPECT_EQ(matchAll("shl i64 %w, 33"), std::vector<int>(32, 0));
}

TEST(Redux, AllOperations) {
  auto redux = [](const std::string &name) {
    return evaluate("  %v = sub i32 %t, 5\n  %r = call i32 @llvm.nvvm.redux.sync." + name + "(i32 %v, i32 -1)",
                    "declare i32 @llvm.nvvm.redux.sync." + name + "(i32, i32)", 20)[13];
  };
  EXPECT_EQ(redux("add"), 90);
  EXPECT_EQ(redux("min"), -5);
  EXPECT_EQ(redux("max"), 14);
  EXPECT_EQ(redux("umin"), 0);
  EXPECT_EQ(redux("umax"), -1);
  EXPECT_EQ(redux("and"), 0);
  EXPECT_EQ(redux("or"), -1);
  int expected = 0;
  for (int t = 0; t != 20; ++t)
    expected ^= t - 5;
  EXPECT_EQ(redux("xor"), expected);
}

TEST(Warp, DivergentLanesUseTheirOwnMasks) {
  std::vector<int> out = evaluate(R"(
  %low = icmp ult i32 %t, 16
  br i1 %low, label %first, label %second
first:
  %a = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 65535)
  br label %join
second:
  %b = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -65536)
  br label %join
join:
  %r = phi i32 [ %a, %first ], [ %b, %second ])",
                                  "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)");
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(out[t], t < 16 ? 120 : 376) << t;
}

TEST(Warp, LanesThatEndedAreNotWaitedFor) {
  TestModule module(kernelText("ptr %out", R"(
  %stays = icmp ult i32 %t, 10
  br i1 %stays, label %work, label %end
work:
  %s = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %p
  br label %end
end:)",
                               "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)"));
  std::vector<int> out(32, -1);
  int *address = out.data();
  module.run({{1, 1, 1}, {32, 1, 1}}, {&address});
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(out[t], t < 10 ? 45 : -1) << t;
}

TEST(Warp, ElectChoosesOneLaneThatNeedNotBeTheFirst) {
  std::vector<int> out = evaluate("  %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)\n"
                                  "  %leader = extractvalue {i32, i1} %e, 0\n"
                                  "  %b = extractvalue {i32, i1} %e, 1\n  %k = zext i1 %b to i32\n"
                                  "  %k1 = mul i32 %k, 1000\n  %r = add i32 %leader, %k1",
                                  "declare {i32, i1} @llvm.nvvm.elect.sync(i32)", 40);
  for (int t = 0; t != 40; ++t)
    EXPECT_EQ(out[t], (t < 32 ? 31 : 7) + (t == 31 || t == 39 ? 1000 : 0)) << t;
}

TEST(Warp, ALaneOutsideItsOwnMaskDoesNotWaitAndGetsNothingDefined) {
  for (std::string call : {"redux.sync.add(i32 %t, i32 255)", "vote.ballot.sync(i32 255, i1 true)"}) {
    std::string name = "@llvm.nvvm." + call.substr(0, call.find('('));
    std::string parameters = name.find("vote") == std::string::npos ? "(i32, i32)" : "(i32, i1)";
    std::vector<int> out = evaluate("  %r = call i32 @llvm.nvvm." + call, "declare i32 " + name + parameters);
    for (int t = 0; t != 32; ++t)
      EXPECT_EQ(uint32_t(out[t]), t >= 8                                   ? undefinedLaneValue
                                  : name.find("vote") == std::string::npos ? 28u
                                                                           : 255u)
          << t;
  }
}

TEST(Warp, LanesThatNameDifferentMasksWaitForEver) {
  TestModule module(kernelText("", R"(
  %low = icmp ult i32 %t, 16
  %mask = select i1 %low, i32 -1, i32 -2
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 %mask))",
                               "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)"));
  EXPECT_THAT(module.runForError({{1, 1, 1}, {32, 1, 1}}, {}),
              testing::HasSubstr("lanes 0x0000ffff wait in redux.sync for lanes 0xffff0000"));
}

TEST(Warp, FloatsTravelThroughShuffles) {
  TestModule module(kernelText("ptr %out", R"(
  %f = sitofp i32 %t to float
  %r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %f, i32 1, i32 31)
  %p = getelementptr float, ptr %out, i32 %t
  store float %r, ptr %p)",
                               "declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)"));
  std::vector<float> out(32);
  float *address = out.data();
  module.run({{1, 1, 1}, {32, 1, 1}}, {&address});
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(out[t], float(t ^ 1));
}

TEST(Warp, FindNthSetAndPermute) {
  std::vector<int> out = evaluate("  %a = call i32 @llvm.nvvm.fns(i32 172, i32 2, i32 2)\n"
                                  "  %b = call i32 @llvm.nvvm.fns(i32 172, i32 5, i32 -2)\n"
                                  "  %c = call i32 @llvm.nvvm.fns(i32 172, i32 1, i32 0)\n"
                                  "  %b1 = mul i32 %b, 100\n  %c1 = mul i32 %c, 10000\n"
                                  "  %s = add i32 %a, %b1\n  %r = add i32 %s, %c1",
                                  "declare i32 @llvm.nvvm.fns(i32, i32, i32)", 1);
  // 172 has the bits 2, 3, 5 and 7.
  EXPECT_EQ(out[0], 3 + 300 - 10000);
  out = evaluate("  %r = call i32 @llvm.nvvm.prmt(i32 287454020, i32 -1430532899, i32 29954)",
                 "declare i32 @llvm.nvvm.prmt(i32, i32, i32)", 1);
  // 0x11223344 and 0xAABBCCDD by 0x7502: bytes 2, 0, 5 and 7, lowest first.
  EXPECT_EQ(uint32_t(out[0]), 0xAACC4422u);
}

} // namespace
