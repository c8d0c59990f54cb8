// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of every handle that a backend gave out. It lets the backend refuse a handle of the wrong kind, a
// destroyed one, and one that was never given out, before the driver sees it (rules ABI-3 to ABI-6).

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_HANDLES_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_HANDLES_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep::runtime {

enum class HandleKind : uint8_t { Stream, Event, Module, Function, Graph };

enum class HandleState : uint8_t {
  Live,
  Idle,      ///< Given back to its pool, not yet acquired again; a graph: launched, not yet begun again.
  Destroyed, ///< Destroyed or unloaded; the driver may give the same address to a new object.
};

/// What is known of one handle.
struct HandleInfo {
  HandleKind kind = HandleKind::Stream;
  HandleState state = HandleState::Live;
  bool isPooled = false;       ///< Belongs to a pool, so the program may not destroy it.
  bool isTimed = false;        ///< Events: made with timing.
  int32_t device = 0;          ///< The device in whose context it lives.
  const void *owner = nullptr; ///< Functions: their module.
  uint64_t serial = 0;         ///< Given by the registry; another object at the same address has another.
};

/// "a stream", "an event", …
const char *nameWithArticle(HandleKind kind);

/// Says what is wrong with `handle`, passed as `argument` where a live `expected` belongs; empty where nothing is.
/// `info` is what the registry knows of it.
std::string explainMisuse(const char *argument, const void *handle, HandleKind expected,
                          const std::optional<HandleInfo> &info);

/// Thread safe: handles are spread over shards with a lock each, so that threads on different streams seldom meet.
class HandleRegistry {
public:
  /// Enters a handle that the driver just made. An earlier object at the same address is forgotten.
  void add(const void *handle, HandleInfo info);

  std::optional<HandleInfo> find(const void *handle) const;

  /// Moves `handle` from state `from` to state `to`. Returns false, and changes nothing, where it is not in `from`: of
  /// two threads that destroy one handle, one loses. Must come *before* the driver destroys the object, because the
  /// driver may hand out the address again at once.
  bool change(const void *handle, HandleState from, HandleState to);

  /// Marks every live handle whose owner is `owner` as destroyed.
  void retireOwnedBy(const void *owner);

  /// All handles of `kind` that belong to a pool and are not destroyed.
  std::vector<const void *> pooled(HandleKind kind) const;

  void clear();

private:
  /// Destroyed handles are remembered, for the message; this many per shard, so that a long run does not grow.
  static constexpr size_t kGraveCountMax = 4096;
  static constexpr size_t kShardCount = 16;

  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::unordered_map<const void *, HandleInfo> handles;
    std::deque<const void *> graves; ///< Destroyed handles, oldest first; may name handles that live again.
    void bury(const void *handle);
  };

  static size_t shardIndex(const void *handle);
  Shard &shard(const void *handle) { return shards[shardIndex(handle)]; }
  const Shard &shard(const void *handle) const { return shards[shardIndex(handle)]; }

  std::array<Shard, kShardCount> shards;
  std::atomic<uint64_t> lastSerial{0}; ///< Never goes back.
};

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_HANDLES_H
