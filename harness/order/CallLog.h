// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program did to order its work: the driver calls that matter, and the operations that it named in between.

#ifndef LOCKSTEP_HARNESS_ORDER_CALLLOG_H
#define LOCKSTEP_HARNESS_ORDER_CALLLOG_H

#include "harness/order/CallMeanings.h"
#include "runtime-api/Mgpu.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>
#include <vector>

namespace lockstep::harness {

/// Writing is safe on any number of threads at once; reading is for when the program has ended. Entries are in the
/// order in which calls returned, so that what a thread did after another's call came back stands behind it.
class CallLog {
public:
  struct Entry {
    CallShape shape; ///< None: not a call, the program named an operation.
    uint32_t name;   ///< Of the driver function, or of the operation named.
    uint32_t op;     ///< Of a call: the operation that it works for, which may be one named earlier.
    uint32_t thread;
    int32_t code;    ///< What the driver returned.
    uint64_t output; ///< The handle that it made.
    uint32_t firstArgument, argumentCount;

    bool isAnnouncement() const { return shape.meaning == CallMeaning::None; }
  };

  CallLog() = default;
  CallLog(const CallLog &) = delete;
  CallLog &operator=(const CallLog &) = delete;

  /// The program has named an operation on this thread.
  void announce(const char *op);
  /// A driver call on this thread has returned. Copies what it keeps; calls that order nothing are left out.
  void add(const MgpuCallRecord &record);
  void clear();

  llvm::ArrayRef<Entry> entries() const { return log; }
  llvm::StringRef name(uint32_t id) const { return names[id]; }
  llvm::ArrayRef<uint64_t> arguments(const Entry &entry) const {
    return llvm::ArrayRef(values).slice(entry.firstArgument, entry.argumentCount);
  }

private:
  uint32_t intern(llvm::StringRef text);

  std::mutex mutex;
  llvm::StringMap<uint32_t> ids;
  std::vector<llvm::StringRef> names; ///< They live in `ids`.
  std::vector<Entry> log;
  std::vector<uint64_t> values;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_CALLLOG_H
