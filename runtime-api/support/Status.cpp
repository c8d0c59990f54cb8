// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Status.h"

#include <cstdio>
#include <unistd.h>

using namespace lockstep::runtime;

static std::string &threadOp() {
  thread_local std::string op;
  return op;
}

void lockstep::runtime::setCurrentOp(const char *op) { threadOp().assign(op ? op : ""); }

const char *lockstep::runtime::currentOp() { return threadOp().c_str(); }

/// Line breaks in a driver's text (a compiler log) would break "one line".
static std::string toOneLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.pop_back();
  for (char &character : text)
    if (character == '\n' || character == '\r')
      character = ' ';
  return text;
}

static std::string describe(const char *library, const std::string &function, const std::string &op,
                            const Failure &failure) {
  std::string text = std::string(library) + ": " + function + ": ";
  if (!failure.call.empty()) {
    text += failure.call + " failed with ";
    text += failure.codeName.empty() ? "code" : failure.codeName;
    text += " (" + std::to_string(failure.code) + ")";
    if (!failure.codeText.empty())
      text += ": " + failure.codeText;
    if (!failure.detail.empty())
      text += "; ";
  }
  text += failure.detail;
  if (!op.empty())
    text += " [op: " + op + "]";
  return toOneLine(text);
}

void StatusRecord::fail(const char *functionName, const Failure &failure) {
  std::lock_guard<std::mutex> lock(mutex);
  if (failed.load(std::memory_order_relaxed))
    return;
  first = failure;
  function = functionName;
  op = currentOp();
  message = describe(library, function, op, failure);
  failed.store(true, std::memory_order_release);
  if (policy.load(std::memory_order_relaxed) != kMgpuPolicyExit)
    return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", message.c_str());
  std::fflush(stderr);
  _exit(1);
}

int32_t StatusRecord::get(MgpuStatus *status) const {
  std::lock_guard<std::mutex> lock(mutex);
  if (status)
    *status = MgpuStatus{first.kind,
                         first.code,
                         function.c_str(),
                         first.call.c_str(),
                         first.codeName.c_str(),
                         first.codeText.c_str(),
                         op.c_str(),
                         message.c_str()};
  return first.kind;
}

bool StatusRecord::setPolicy(int32_t newPolicy) {
  if (newPolicy != kMgpuPolicyExit && newPolicy != kMgpuPolicyRecord)
    return false;
  policy.store(newPolicy, std::memory_order_relaxed);
  return true;
}

void StatusRecord::reset() {
  std::lock_guard<std::mutex> lock(mutex);
  first = Failure();
  function.clear();
  op.clear();
  message.clear();
  failed.store(false, std::memory_order_release);
}
