// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/Trace.h"

#include <mutex>
#include <optional>

using namespace lockstep::harness;

static std::mutex mutex;
static std::optional<OrderSpecBuilder> builder;
/// The position of the operation that the thread traced last.
static thread_local uint32_t lastOp = 0;

// A chain is the position of its operation plus one.

void *lockstepTraceOp(const char *name, int32_t kind) {
  std::lock_guard lock(mutex);
  if (!builder)
    return nullptr;
  lastOp = builder->add(name, static_cast<LockstepTraceKind>(kind));
  return reinterpret_cast<void *>(static_cast<uintptr_t>(lastOp) + 1);
}

void lockstepTraceAfter(void *chain) {
  std::lock_guard lock(mutex);
  if (builder && chain)
    builder->addAfter(lastOp, reinterpret_cast<uintptr_t>(chain) - 1);
}

void lockstepTraceAccess(int64_t rank, MgpuMemRef *memref, int64_t elementBytes, int32_t access) {
  std::lock_guard lock(mutex);
  if (builder)
    builder->addAccess(lastOp, makeByteAccess(rank, *memref, elementBytes, access));
}

void lockstepTraceElement(int64_t rank, MgpuMemRef *memref, int64_t elementBytes, int32_t access,
                          const int64_t *indices) {
  std::lock_guard lock(mutex);
  if (builder)
    builder->addAccess(lastOp, makeElementAccess(rank, *memref, elementBytes, access, indices));
}

void lockstepTraceHostWait(int32_t wait) {
  std::lock_guard lock(mutex);
  if (builder)
    builder->addHostWait(lastOp, static_cast<LockstepTraceHostWait>(wait));
}

void lockstep::harness::beginTrace() { builder.emplace(); }

OrderSpec lockstep::harness::endTrace() {
  OrderSpec spec = builder ? builder->finish() : OrderSpec();
  builder.reset();
  return spec;
}

llvm::ArrayRef<TraceFunction> lockstep::harness::traceFunctions() {
  static const TraceFunction functions[] = {
      {"lockstepTraceOp", reinterpret_cast<void *>(&lockstepTraceOp)},
      {"lockstepTraceAfter", reinterpret_cast<void *>(&lockstepTraceAfter)},
      {"lockstepTraceAccess", reinterpret_cast<void *>(&lockstepTraceAccess)},
      {"lockstepTraceElement", reinterpret_cast<void *>(&lockstepTraceElement)},
      {"lockstepTraceHostWait", reinterpret_cast<void *>(&lockstepTraceHostWait)},
  };
  return functions;
}
