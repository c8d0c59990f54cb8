// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Lowerings.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using testing::HasSubstr;

static std::string problemOf(llvm::StringRef list) {
  auto choices = parseLowerings(list);
  return choices ? "" : llvm::toString(choices.takeError());
}

TEST(Lowerings, NamesAreKeptOnceInOrder) {
  auto choices = llvm::cantFail(parseLowerings("streams, serial,streams"));
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].name, "streams");
  EXPECT_EQ(choices[1].name, "serial");
  EXPECT_THAT(problemOf("stream"), HasSubstr("streams"));
}

TEST(Lowerings, TheDefaultIsAllButUpstream) {
  for (const LoweringChoice &choice : llvm::cantFail(parseLowerings(defaultLowerings())))
    EXPECT_NE(choice.name, kUpstreamLowering);
  EXPECT_EQ(llvm::cantFail(parseLowerings(defaultLowerings())).size() + 1, knownLowerings().size());
}

TEST(Lowerings, CommasOfAPipelineAreItsOwn) {
  llvm::StringRef list = "serial,pipeline:builtin.module(a{x=1,2},b),mine=pipeline:builtin.module(c,d)";
  auto choices = llvm::cantFail(parseLowerings(list));
  ASSERT_EQ(choices.size(), 3u);
  EXPECT_EQ(choices[1].name, "pipeline");
  EXPECT_EQ(choices[1].pipeline, "builtin.module(a{x=1,2},b)");
  EXPECT_EQ(choices[2].name, "mine");
  EXPECT_EQ(choices[2].pipeline, "builtin.module(c,d)");
  EXPECT_EQ(choices[1].optionText() + "," + choices[2].optionText(), list.split(',').second);
}

TEST(Lowerings, PipelinesNeedNamesOfTheirOwn) {
  EXPECT_THAT(problemOf("pipeline:a(b),pipeline:a(c)"), HasSubstr("two pipelines are called 'pipeline'"));
  EXPECT_EQ(problemOf("pipeline:a(b),pipeline:a(b)"), "");
  EXPECT_THAT(problemOf("serial=pipeline:a(b)"), HasSubstr("cannot be the label"));
  EXPECT_THAT(problemOf("a b=pipeline:a(b)"), HasSubstr("cannot be the label"));
  EXPECT_THAT(problemOf("pipeline: "), HasSubstr("has no passes"));
}
