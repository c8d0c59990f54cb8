// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free lists of streams and events, one per device, so that a program in steady state creates nothing (rule ABI-9).

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_POOL_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_POOL_H

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace lockstep::runtime {

/// Handles that wait for their next user. Least recently released first: the object that was given back longest ago is
/// the likeliest to have no work pending, and reusing a busy stream would order its new work behind its old. Thread
/// safe.
class FreeList {
public:
  /// A handle of `device`, or null where none is free and the caller has to create one.
  void *take(int32_t device);
  void give(int32_t device, void *handle);
  void clear();

private:
  std::mutex mutex;
  std::map<int32_t, std::deque<void *>> free;
};

/// Handles about which something is known. Thread safe.
class HandleSet {
public:
  void set(void *handle, bool isMember);
  bool contains(void *handle);
  void clear();

private:
  std::mutex mutex;
  std::unordered_set<void *> members;
};

/// Counts the users of handles. Thread safe.
class ReferenceCounts {
public:
  /// Starts counting at one user.
  void start(void *handle);

  /// Adds `count` users, and returns true; false where nobody counts `handle`.
  bool retain(void *handle, int64_t count);

  enum class Release { Unknown, StillUsed, LastUser };
  Release release(void *handle);
  void clear();

private:
  std::mutex mutex;
  std::unordered_map<void *, int64_t> counts;
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_POOL_H
