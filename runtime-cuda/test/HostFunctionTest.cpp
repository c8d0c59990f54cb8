// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/RuntimeTest.h"

#include <atomic>

using namespace lockstep::cuda;
using testing::HasSubstr;

namespace {
class HostFunctionTest : public RuntimeTest {};

std::atomic<int> runCount{0};
struct Argument {
  int *target;
  int value;
};
void store(void *argument) {
  auto *typed = static_cast<Argument *>(argument);
  *typed->target = typed->value;
  ++runCount;
}

TEST_F(HostFunctionTest, Abi10ArgumentsAreCopiedAtTheCall) {
  MgpuStream stream = mgpuStreamCreate();
  fake().holdsHostFunctions = true;
  int target = 0;
  {
    Argument argument = {&target, 42};
    mgpuLaunchHostFunc(stream, store, &argument, sizeof(argument));
    argument = {nullptr, 0};
  }
  EXPECT_EQ(target, 0);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(target, 42);
  expectOk();
}

TEST_F(HostFunctionTest, Abi10NoArgument) {
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchHostFunc(stream, [](void *argument) { runCount = argument ? -1 : 7; }, nullptr, 0);
  EXPECT_EQ(runCount, 7);
  expectOk();
}

TEST_F(HostFunctionTest, Abi10ResetRunsWhatIsPendingBeforeItFreesIt) {
  MgpuStream stream = mgpuStreamCreate();
  fake().holdsHostFunctions = true;
  int target = 0;
  Argument argument = {&target, 1};
  mgpuLaunchHostFunc(stream, store, &argument, sizeof(argument));
  mgpuReset();
  EXPECT_EQ(target, 1);
}

/// The leak checker of the asan preset is what judges this one: the call never runs.
TEST_F(HostFunctionTest, Abi10CallsOfADeadContextAreFreedAtReset) {
  MgpuStream stream = mgpuStreamCreate();
  fake().holdsHostFunctions = true;
  runCount = 0;
  int target = 0;
  Argument argument = {&target, 1};
  mgpuLaunchHostFunc(stream, store, &argument, sizeof(argument));
  failCall("cuCtxSynchronize", static_cast<CUresult>(700));
  mgpuReset();
  EXPECT_EQ(runCount, 0);
}

TEST_F(HostFunctionTest, Abi10ARefusedLaunchKeepsNothing) {
  MgpuStream stream = mgpuStreamCreate();
  failCall("cuLaunchHostFunc", static_cast<CUresult>(800));
  mgpuLaunchHostFunc(stream, store, nullptr, 0);
  EXPECT_STREQ(status().call, "cuLaunchHostFunc");
  mgpuReset();
  EXPECT_EQ(fake().count("cuCtxSynchronize"), 0) << "nothing was pending";
}

TEST_F(HostFunctionTest, NullFunctionIsRefused) {
  MgpuStream stream = mgpuStreamCreate();
  mgpuLaunchHostFunc(stream, nullptr, nullptr, 0);
  EXPECT_THAT(message(), HasSubstr("argument 'function' is null"));
  mgpuReset();
  stream = mgpuStreamCreate();
  mgpuLaunchHostFunc(stream, store, nullptr, 8);
  EXPECT_THAT(message(), HasSubstr("argument 'argument' is null"));
}
} // namespace
