// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error policy of the mgpu ABI (rules STATUS-1 to STATUS-5): the first failure is kept, later calls are refused,
// and the policy says whether the process ends at the first failure. Shared by all backends.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_STATUS_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_STATUS_H

#include "runtime-api/Mgpu.h"

#include <atomic>
#include <mutex>
#include <string>

namespace lockstep::runtime {

/// What went wrong, without the place: StatusRecord adds the mgpu function and the op.
struct Failure {
  MgpuStatusKind kind = kMgpuStatusOk;
  int32_t code = 0;     ///< The driver's code, 0 where no driver call failed.
  std::string call;     ///< The driver call, or empty.
  std::string codeName; ///< Name of `code`, or empty.
  std::string codeText; ///< The driver's description of `code`, or empty.
  std::string detail;   ///< Sentence for a person; for a driver error it may be empty or add to the driver's text.
};

/// The record of the first failure. Thread safe; nothing here blocks but for the short lock.
class StatusRecord {
public:
  /// `library` stands in front of every message ("liblockstep_runtime_cuda"); it must outlive the record.
  explicit StatusRecord(const char *library) : library(library) {}

  /// Whether calls are to be refused. Cheap: one atomic load.
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }

  /// Keeps `failure` of `function` unless one is kept already. With kMgpuPolicyExit the thread that brings the first
  /// failure prints it and ends the process with status 1. It ends without running atexit handlers: the call may come
  /// from a worker thread that such a handler would join.
  void fail(const char *function, const Failure &failure);

  /// Returns the kind and, where `status` is not null, fills it. Strings live until reset().
  int32_t get(MgpuStatus *status) const;

  /// Returns false, and changes nothing, where `policy` is no MgpuPolicy.
  bool setPolicy(int32_t policy);

  /// Forgets the failure; keeps the policy. Must not run at the same time as another call.
  void reset();

private:
  const char *library;
  std::atomic<bool> failed{false};
  std::atomic<int32_t> policy{kMgpuPolicyExit};
  mutable std::mutex mutex;
  Failure first;
  std::string function;
  std::string op;
  std::string message;
};

/// Names the op on whose behalf the calling thread acts; null clears. The text is copied.
void setCurrentOp(const char *op);

/// What setCurrentOp last got on the calling thread, or "". Valid until the thread's next setCurrentOp.
const char *currentOp();

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_STATUS_H
