// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/NamedOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>

using llvm::StringRef;
using lockstep::harness::CallLog;

static std::atomic<uint64_t> count = 0;
static std::atomic<void (*)(const char *)> forward = nullptr;
static std::atomic<CallLog *> callLog = nullptr;

/// A name is "file:line:column KIND".
static bool isDeviceWork(StringRef op) {
  static constexpr StringRef kinds[] = {"alloc", "dealloc", "memcpy", "memset", "launch_func", "host_call"};
  return llvm::is_contained(kinds, op.rsplit(' ').second);
}

void lockstep::harness::countNamedOp(const char *op) {
  if (op && isDeviceWork(op))
    count.fetch_add(1, std::memory_order_relaxed);
  if (CallLog *log = callLog.load(std::memory_order_relaxed))
    log->announce(op);
  if (auto setOp = forward.load(std::memory_order_relaxed))
    setOp(op);
}

void lockstep::harness::forwardNamedOps(void (*setOp)(const char *), CallLog *log) {
  forward = setOp;
  callLog = log;
}

uint64_t lockstep::harness::takeNamedOps() { return count.exchange(0); }
