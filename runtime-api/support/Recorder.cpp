// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Recorder.h"
#include "runtime-api/support/Status.h"

#include <atomic>
#include <deque>
#include <mutex>

using namespace lockstep::runtime;

static std::atomic<const MgpuRecorder *> active{nullptr};
static std::atomic<uint64_t> nextSequence{0};
static std::atomic<uint64_t> nextThread{0};

void lockstep::runtime::setRecorder(const MgpuRecorder *recorder) {
  // Threads may still be inside an old recorder, so none is ever freed; they are few and small. The containers are
  // never destroyed because calls may come while the process ends.
  static std::mutex &mutex = *new std::mutex;
  static std::deque<MgpuRecorder> &kept = *new std::deque<MgpuRecorder>;
  if (!recorder) {
    active.store(nullptr, std::memory_order_release);
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  kept.push_back(*recorder);
  active.store(&kept.back(), std::memory_order_release);
}

const MgpuRecorder *lockstep::runtime::activeRecorder() { return active.load(std::memory_order_acquire); }

static uint64_t threadNumber() {
  thread_local uint64_t number = nextThread.fetch_add(1, std::memory_order_relaxed);
  return number;
}

RecordedCall::RecordedCall(const MgpuRecorder &recorder, const char *call, const ArgumentList &arguments)
    : arguments(arguments), recorder(recorder), record{} {
  record.call = call;
  record.op = currentOp();
  record.arguments = arguments.data();
  record.argument_count = arguments.size();
  record.thread = threadNumber();
  record.sequence = nextSequence.fetch_add(1, std::memory_order_relaxed);
}

int32_t RecordedCall::before() { return recorder.before ? recorder.before(recorder.context, &record) : 0; }

void RecordedCall::after(int32_t code, uint64_t output) {
  record.arguments = arguments.data();
  record.argument_count = arguments.size();
  record.code = code;
  record.output = output;
  if (recorder.after)
    recorder.after(recorder.context, &record);
}
