// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What goes wrong inside a kernel comes back as an error, and the process goes on.

#include "simgpu/jit/test/TestKernels.h"
#include <csetjmp>
#include <csignal>
#include <cstdio>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

const std::string storeText = kernelText("ptr %p", "  store volatile i32 42, ptr %p");

/// Runs the kernel called k, which must fail with an error of type T, and hands that error to `check`.
template <typename T, typename Check>
void expectError(const TestModule &module, const LaunchShape &shape, std::initializer_list<const void *> arguments,
                 Check check) {
  bool seen = false;
  llvm::Error error = module.kernel().run(shape, llvm::ArrayRef(arguments.begin(), arguments.size()));
  error = llvm::handleErrors(std::move(error), [&](const T &failure) {
    seen = true;
    check(failure);
  });
  EXPECT_TRUE(seen);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
}

TEST(Fault, NamesTheAddressAndTheNextLaunchWorks) {
  TestModule module(storeText);
  int *bad = reinterpret_cast<int *>(uintptr_t(0x1230)), value = 0, *good = &value;
  for (int i = 0; i != 3; ++i) {
    expectError<KernelFault>(module, {{1, 1, 1}, {1, 1, 1}}, {&bad},
                             [](const KernelFault &fault) { EXPECT_EQ(fault.faultAddress(), 0x1230u); });
    value = 0;
    module.run({{1, 1, 1}, {1, 1, 1}}, {&good});
    EXPECT_EQ(value, 42);
  }
}

TEST(Fault, OfTheNullPointerIsNotOptimisedAway) {
  TestModule module(kernelText("", "  store i32 1, ptr null"));
  EXPECT_EQ(module.runForError({{1, 1, 1}, {1, 1, 1}}, {}), "memory access fault at 0x0000000000000000");
}

TEST(Fault, OnAFiber) {
  TestModule module(kernelText("ptr %p", R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = icmp eq i32 %t, 5
  %q = select i1 %last, ptr inttoptr (i64 64 to ptr), ptr %p
  store volatile i32 %t, ptr %q)"));
  int value = 0, *address = &value;
  for (int i = 0; i != 20; ++i)
    EXPECT_EQ(module.runForError({{1, 1, 1}, {8, 1, 1}}, {&address}), "memory access fault at 0x0000000000000040");
}

TEST(Fault, OfTheStackIsNamed) {
  TestModule module(kernelText("ptr %out", R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = call i32 @deep(i32 1000000)
  store i32 %r, ptr %out)",
                               R"(
define internal i32 @deep(i32 %n) noinline {
  %room = alloca [64 x i32]
  %p = getelementptr [64 x i32], ptr %room, i32 0, i32 3
  store volatile i32 %n, ptr %p
  %z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %more
more:
  %m = sub i32 %n, 1
  %x = call i32 @deep(i32 %m)
  %v = load volatile i32, ptr %p
  %s = add i32 %x, %v
  ret i32 %s
end:
  ret i32 0
})"));
  int value = 0, *address = &value;
  EXPECT_NE(module.runForError({{1, 1, 1}, {2, 1, 1}}, {&address}).find("ran off its stack"), std::string::npos);
}

#ifdef __x86_64__
TEST(Fault, DivisionByZero) {
  TestModule module(kernelText("i32 %a, i32 %b, ptr %out", "  %q = sdiv i32 %a, %b\n  store i32 %q, ptr %out"));
  int a = 7, b = 0, out = 0, *address = &out;
  EXPECT_NE(module.runForError({{1, 1, 1}, {1, 1, 1}}, {&a, &b, &address}).find("integer division by zero"),
            std::string::npos);
  b = 2;
  module.run({{1, 1, 1}, {1, 1, 1}}, {&a, &b, &address});
  EXPECT_EQ(out, 3);
}
#endif

TEST(Fault, TrapAndAssertionAreErrors) {
  TestModule trap(kernelText("",
                             "  %z = icmp eq i32 %t, 3\n  br i1 %z, label %bad, label %good\nbad:\n"
                             "  call void @llvm.trap()\n  unreachable\ngood:",
                             "declare void @llvm.trap()"));
  trap.run({{1, 1, 1}, {3, 1, 1}}, {});
  EXPECT_EQ(trap.runForError({{2, 1, 1}, {4, 1, 1}}, {}), "the kernel executed a trap in block (0, 0, 0)");
  TestModule assertion(kernelText("", "  call void @__assertfail(ptr @m, ptr @f, i32 12, ptr @n, i64 1)\n  ret void",
                                  "@m = internal constant [6 x i8] c\"x > 0\\00\"\n"
                                  "@f = internal constant [5 x i8] c\"a.cu\\00\"\n"
                                  "@n = internal constant [2 x i8] c\"k\\00\"\n"
                                  "declare void @__assertfail(ptr, ptr, i32, ptr, i64)"));
  expectError<KernelAssert>(assertion, {{1, 1, 1}, {1, 1, 1}}, {}, [](const KernelAssert &failure) {
    EXPECT_EQ(failure.message(), "a.cu:12: device assertion 'x > 0' failed in k in block (0, 0, 0)");
  });
}

sigjmp_buf hostFault;

TEST(Fault, OutsideAKernelGoesToTheHandlerBefore) {
  struct sigaction ours = {}, previous;
  ours.sa_handler = [](int) { siglongjmp(hostFault, 1); };
  ours.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &ours, &previous);
  // The run notices that somebody else's handler is in place and goes before it.
  TestModule module(storeText);
  int *bad = nullptr;
  EXPECT_NE(module.runForError({{1, 1, 1}, {1, 1, 1}}, {&bad}), "");
  bool caught = false;
  if (sigsetjmp(hostFault, 1) == 0)
    raise(SIGSEGV);
  else
    caught = true;
  EXPECT_TRUE(caught);
  sigaction(SIGSEGV, &previous, nullptr);
}

struct sigaction below;

void passToBelow(int signal, siginfo_t *information, void *machineContext) {
  fputs("seen", stderr);
  if (below.sa_flags & SA_SIGINFO)
    below.sa_sigaction(signal, information, machineContext);
}

TEST(Fault, HandlersThatPassToEachOtherEnd) {
  TestModule module(storeText);
  int value = 0, *good = &value;
  EXPECT_EXIT(
      {
        // The library's handler, another one over it that passes on, and the library's again at the next run.
        module.run({{1, 1, 1}, {1, 1, 1}}, {&good});
        struct sigaction ours = {};
        ours.sa_sigaction = passToBelow;
        ours.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGSEGV, &ours, &below);
        module.run({{1, 1, 1}, {1, 1, 1}}, {&good});
        *reinterpret_cast<volatile int *>(uintptr_t(8)) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "^seen$");
}

} // namespace
