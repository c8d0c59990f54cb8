// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/CallLog.h"

#include <atomic>

using namespace lockstep::harness;

/// Recorded calls carry a number of their thread too, but a program that names an operation does not.
static uint32_t threadNumber() {
  static std::atomic<uint32_t> next = 0;
  thread_local uint32_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

uint32_t CallLog::intern(llvm::StringRef text) {
  auto [entry, isNew] = ids.try_emplace(text, names.size());
  if (isNew)
    names.push_back(entry->getKey());
  return entry->getValue();
}

void CallLog::announce(const char *op) {
  uint32_t thread = threadNumber();
  std::lock_guard lock(mutex);
  uint32_t name = intern(op ? op : "");
  log.push_back({{}, name, name, thread, 0, 0, static_cast<uint32_t>(values.size()), 0});
}

void CallLog::add(const MgpuCallRecord &record) {
  CallShape shape = findCallShape(record.call);
  if (shape.meaning == CallMeaning::None)
    return;
  uint32_t thread = threadNumber();
  std::lock_guard lock(mutex);
  log.push_back({shape, intern(record.call), intern(record.op), thread, record.code, record.output,
                 static_cast<uint32_t>(values.size()), static_cast<uint32_t>(record.argument_count)});
  values.insert(values.end(), record.arguments, record.arguments + record.argument_count);
}

void CallLog::clear() {
  std::lock_guard lock(mutex);
  log.clear();
  values.clear();
  names.clear();
  ids.clear();
}
