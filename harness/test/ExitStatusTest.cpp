// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ExitStatus.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
using testing::HasSubstr;
using testing::Not;

TEST(ExitStatus, FollowsTheKindOfError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(reportError(usageError("u")), kExitUsage);
  EXPECT_EQ(reportError(environmentError("e")), kExitEnvironment);
  EXPECT_EQ(reportError(llvm::createStringError("other")), kExitEnvironment);
  EXPECT_EQ(reportError(llvm::joinErrors(usageError("a"), environmentError("b"))), kExitUsage);
  testing::internal::GetCapturedStderr();
}

TEST(ExitStatus, MessagesWithAPlaceHaveNothingInFront) {
  testing::internal::CaptureStderr();
  reportError(usageError("a/b.mlir:3:4: error: x"));
  reportError(usageError("the file 'a:1' is bad"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a/b.mlir:3:4: error: x\nlockstep: error: the file 'a:1' is bad\n");
}

TEST(ExitStatus, ANearNameIsSuggestedAndAFarOneIsNot) {
  std::string near = llvm::toString(unknownNameError("lowering", "stream", {"serial", "streams"}));
  EXPECT_EQ(near, "unknown lowering 'stream'; known: serial, streams; did you mean 'streams'?");
  EXPECT_THAT(llvm::toString(unknownNameError("lowering", "graph", {"serial", "streams"})), Not(HasSubstr("did you")));
}
