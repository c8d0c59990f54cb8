// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Schedule.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using testing::ElementsAre;
using testing::HasSubstr;

static std::vector<std::string> texts(llvm::StringRef list) {
  std::vector<std::string> texts;
  for (const Schedule &schedule : llvm::cantFail(parseSchedules(list)))
    texts.push_back(schedule.driverText());
  return texts;
}

static std::string failure(llvm::StringRef list) {
  llvm::Expected<std::vector<Schedule>> schedules = parseSchedules(list);
  return schedules ? "" : llvm::toString(schedules.takeError());
}

TEST(Schedule, ListsExpandInOrder) {
  EXPECT_THAT(texts("eager,lazy,random:2,parallel"), ElementsAre("eager", "lazy", "random:1", "random:2", "parallel"));
  EXPECT_THAT(texts("random:3:7"), ElementsAre("random:7", "random:8", "random:9"));
}

TEST(Schedule, DoublesAreKeptOnce) {
  EXPECT_THAT(texts("lazy,lazy,random:2,random:2:2"), ElementsAre("lazy", "random:1", "random:2", "random:3"));
}

TEST(Schedule, OptionTextReplaysTheSameSchedule) {
  for (const Schedule &schedule : llvm::cantFail(parseSchedules("eager,lazy,parallel,random:3:5")))
    EXPECT_THAT(llvm::cantFail(parseSchedules(schedule.optionText())), ElementsAre(schedule));
}

TEST(Schedule, OnlyRandomHasASeed) {
  EXPECT_EQ(llvm::cantFail(parseSchedules("random:1:9")).front().optionalSeed(), 9u);
  EXPECT_EQ(llvm::cantFail(parseSchedules("lazy")).front().optionalSeed(), std::nullopt);
  EXPECT_EQ(Schedule{}.name(), "-");
}

TEST(Schedule, MistakesAreNamed) {
  EXPECT_THAT(failure("eagre"), HasSubstr("unknown schedule 'eagre'"));
  EXPECT_THAT(failure("eagre"), HasSubstr("did you mean 'eager'?"));
  EXPECT_THAT(failure("random"), HasSubstr("expected random:COUNT[:SEED]"));
  EXPECT_THAT(failure("random:0"), HasSubstr("COUNT from 1"));
  EXPECT_THAT(failure("random:3:x"), HasSubstr("SEED is not a number"));
  EXPECT_THAT(failure(""), HasSubstr("unknown schedule ''"));
}
