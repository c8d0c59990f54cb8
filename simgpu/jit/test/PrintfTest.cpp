// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Device printf.

#include "simgpu/jit/test/TestKernels.h"

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

class Printf : public testing::Test {
protected:
  void SetUp() override {
    setPrintSink([this](llvm::StringRef text) { printed += text; });
  }
  void TearDown() override { setPrintSink({}); }

  /// Prints with a format and arguments, which are stored one after another: "i32 5", "double 2.5".
  void print(const std::string &format, const std::vector<std::string> &arguments, int threads = 1) {
    std::string type, body;
    for (const std::string &argument : arguments)
      type += (type.empty() ? "" : ", ") + argument.substr(0, argument.find(' '));
    type = "{ " + type + " }";
    body = "  %a = alloca " + type + "\n";
    for (size_t i = 0; i != arguments.size(); ++i) {
      std::string n = std::to_string(i);
      body += "  %p" + n + " = getelementptr " + type + ", ptr %a, i32 0, i32 " + n + "\n  store " + arguments[i] +
              ", ptr %p" + n + "\n";
    }
    TestModule module(kernelText("", body + "  %r = call i32 @vprintf(ptr @format, ptr %a)",
                                 "@format = internal constant [" + std::to_string(format.size() + 1) + " x i8] c\"" +
                                     format +
                                     "\\00\"\n@text = internal constant [3 x i8] c\"hi\\00\"\n"
                                     "declare i32 @vprintf(ptr, ptr)"));
    module.run({{1, 1, 1}, {uint32_t(threads), 1, 1}}, {});
  }

  std::string printed;
};

TEST_F(Printf, FormatsEveryKind) {
  print("%d %5.2f|%-4u|%lld %llx %c %s 100%%",
        {"i32 -5", "double 2.718281", "i32 7", "i64 -9000000000", "i64 255", "i32 65", "ptr @text"});
  EXPECT_EQ(printed, "-5  2.72|7   |-9000000000 ff A hi 100%");
}

TEST_F(Printf, RunsOncePerThreadInOrder) {
  print("<%d>", {"i32 %t"}, 4);
  EXPECT_EQ(printed, "<0><1><2><3>");
}

TEST_F(Printf, LeavesWhatItDoesNotKnow) {
  print("%q and %", {"i32 1"});
  EXPECT_EQ(printed, "%q and %");
}

TEST(PrintfDefault, GoesToStandardOutput) {
  TestModule module(kernelText("",
                               "  %a = alloca i32\n  store i32 %t, ptr %a\n"
                               "  %r = call i32 @vprintf(ptr @format, ptr %a)",
                               "@format = internal constant [10 x i8] c\"thread %d\\00\"\n"
                               "declare i32 @vprintf(ptr, ptr)"));
  testing::internal::CaptureStdout();
  module.run({{1, 1, 1}, {2, 1, 1}}, {});
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0thread 1");
}

} // namespace
