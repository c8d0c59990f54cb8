// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the fake driver share.

#ifndef LOCKSTEP_RUNTIME_CUDA_TEST_FAKEDRIVERCALLS_H
#define LOCKSTEP_RUNTIME_CUDA_TEST_FAKEDRIVERCALLS_H

#include "runtime-cuda/test/FakeDriver.h"

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace lockstep::cuda {

FakeDriver &state();

/// Counts a call and holds the lock while it runs. `result` is what an ordered failure gives.
struct Entry {
  explicit Entry(const char *name) : lock(state().mutex) {
    FakeDriver &fake = state();
    int index = fake.counts[name]++;
    fake.calls.push_back(name);
    if (fake.failCall == name && fake.failIndex == index)
      result = fake.failCode;
  }
  std::unique_lock<std::mutex> lock;
  CUresult result = CUDA_SUCCESS;
};

#define FAKE_ENTER(NAME)                                                                                               \
  Entry entry(#NAME);                                                                                                  \
  if (entry.result != CUDA_SUCCESS)                                                                                    \
  return entry.result

/// For calls that a thread must not make while it captures, but in relaxed mode.
#define FAKE_ENTER_UNSAFE(NAME)                                                                                        \
  FAKE_ENTER(NAME);                                                                                                    \
  if (isUnsafe())                                                                                                      \
  return static_cast<CUresult>(kFakeCaptureUnsupported)

constexpr int kFakeCaptureUnsupported = 900;
bool isUnsafe();

void *makeHandle(std::set<const void *> &handles);
CUresult checkHandle(const std::set<const void *> &handles, const void *handle);
CUresult checkStream(CUstream stream);
CUresult destroyHandle(std::set<const void *> &handles, const void *handle);

/// Runs the held host functions without the lock, as they are the program's code.
void runHeldHostFunctions(Entry &entry);

CUresult copyBox(const CUDA_MEMCPY3D &copy);

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_TEST_FAKEDRIVERCALLS_H
