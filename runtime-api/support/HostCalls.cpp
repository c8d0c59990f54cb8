// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/HostCalls.h"

#include <cstring>

using namespace lockstep::runtime;

struct HostCalls::Pending {
  HostCalls *home = nullptr;
  std::list<std::unique_ptr<Pending>>::iterator position;
  MgpuHostFunction function = nullptr;
  /// operator new[] aligns for every standard type, as the argument structure needs.
  std::unique_ptr<unsigned char[]> argument;
  uint64_t expectedRuns = 0;
  bool isRetired = false;
};

HostCalls::HostCalls() = default;
HostCalls::~HostCalls() = default;

HostCalls::Pending *HostCalls::add(MgpuHostFunction function, const void *argument, size_t argumentBytes) {
  auto pending = std::make_unique<Pending>();
  pending->home = this;
  pending->function = function;
  if (argumentBytes) {
    pending->argument = std::make_unique<unsigned char[]>(argumentBytes);
    std::memcpy(pending->argument.get(), argument, argumentBytes);
  }
  Pending *result = pending.get();
  std::lock_guard<std::mutex> lock(mutex);
  result->position = calls.insert(calls.end(), std::move(pending));
  return result;
}

void HostCalls::freeIfDone(Pending *pending) {
  if (pending->isRetired && pending->expectedRuns == 0)
    calls.erase(pending->position);
}

void HostCalls::expectRun(Pending *pending) {
  std::lock_guard<std::mutex> lock(mutex);
  ++pending->expectedRuns;
  ++expectedRuns;
}

void HostCalls::endRun(Pending *pending) {
  std::lock_guard<std::mutex> lock(mutex);
  --pending->expectedRuns;
  --expectedRuns;
  freeIfDone(pending);
}

void HostCalls::cancelRun(Pending *pending) { endRun(pending); }

void HostCalls::retire(Pending *pending) {
  std::lock_guard<std::mutex> lock(mutex);
  pending->isRetired = true;
  freeIfDone(pending);
}

void HostCalls::run(void *userData) {
  auto *pending = static_cast<Pending *>(userData);
  pending->function(pending->argument.get());
  pending->home->endRun(pending);
}

size_t HostCalls::expectedRunCount() const {
  std::lock_guard<std::mutex> lock(mutex);
  return expectedRuns;
}

void HostCalls::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  calls.clear();
  expectedRuns = 0;
}
