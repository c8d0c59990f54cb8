// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Status.h"

#include <gtest/gtest.h>

#include <thread>

using namespace lockstep::runtime;

namespace {
TEST(StatusTest, MessageIsOneLine) {
  StatusRecord record("lib");
  record.setPolicy(kMgpuPolicyRecord);
  Failure failure;
  failure.kind = kMgpuStatusDriverError;
  failure.code = 5;
  failure.call = "cuCall";
  failure.detail = "log line 1\nlog line 2\n";
  record.fail("mgpuCall", failure);
  MgpuStatus status;
  EXPECT_EQ(record.get(&status), kMgpuStatusDriverError);
  EXPECT_STREQ(status.message, "lib: mgpuCall: cuCall failed with code (5); log line 1 log line 2");
}

TEST(StatusTest, EmptyRecordHasNoNullStrings) {
  StatusRecord record("lib");
  MgpuStatus status;
  EXPECT_EQ(record.get(&status), kMgpuStatusOk);
  for (const char *text : {status.function, status.call, status.code_name, status.code_text, status.op, status.message})
    EXPECT_STREQ(text, "");
}

TEST(StatusTest, TheOpIsTheThreadsOwn) {
  setCurrentOp("mine");
  std::thread([] {
    EXPECT_STREQ(currentOp(), "");
    setCurrentOp("other");
  }).join();
  EXPECT_STREQ(currentOp(), "mine");
  setCurrentOp(nullptr);
  EXPECT_STREQ(currentOp(), "");
}
} // namespace
