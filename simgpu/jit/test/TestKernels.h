// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_TEST_TESTKERNELS_H
#define LOCKSTEP_SIMGPU_JIT_TEST_TESTKERNELS_H

#include "simgpu/jit/Module.h"
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::simgpu::jit::test {

/// Device memory that the host may touch, so that tests can look at it.
class HostAllocator : public DeviceAllocator {
public:
  void *allocateGlobal(size_t sizeBytes, size_t alignBytes) override;
  void writeGlobal(void *address, const void *bytes, size_t sizeBytes) override;
  /// Makes the next allocations fail.
  bool exhausted = false;
  std::vector<std::shared_ptr<void>> blocks;
};

/// LLVM IR text as bitcode; of the NVPTX target (the triple and layout are put in front) where it does not begin with
/// its own layout.
std::string assemble(llvm::StringRef text);

/// Declarations of the special registers and barriers that most kernels here use.
extern const std::string prelude;

/// A kernel called k, `void k(PARAMETERS)`, whose body begins with %t = tid.x and ends with `ret void`.
std::string kernelText(llvm::StringRef parameters, llvm::StringRef body, llvm::StringRef outside = "");

/// A module loaded from text; the test fails when that does not work.
class TestModule {
public:
  explicit TestModule(llvm::StringRef text) : TestModule(text, assemble(text)) {}
  static TestModule fromImage(const std::string &image) { return TestModule("", image); }

  const Kernel &kernel(llvm::StringRef name = "k") const;

  /// Runs the kernel called k and fails the test on an error. `arguments` are pointers to the argument values.
  void run(const LaunchShape &shape, std::initializer_list<const void *> arguments) const;
  /// The same, for launches that must fail: the message, empty when the run succeeded.
  std::string runForError(const LaunchShape &shape, std::initializer_list<const void *> arguments) const;

  HostAllocator allocator;
  std::shared_ptr<Module> module;

private:
  TestModule(llvm::StringRef text, const std::string &image);
};

/// The message of a load that must fail, empty when it succeeded.
std::string loadError(llvm::StringRef image);

} // namespace lockstep::simgpu::jit::test

#endif
