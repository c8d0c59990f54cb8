// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Handles.h"

#include <cstdio>

using namespace lockstep::runtime;

const char *lockstep::runtime::nameWithArticle(HandleKind kind) {
  switch (kind) {
  case HandleKind::Stream:
    return "a stream";
  case HandleKind::Event:
    return "an event";
  case HandleKind::Module:
    return "a module";
  case HandleKind::Function:
    return "a function";
  case HandleKind::Graph:
    return "an open graph";
  }
  return "an unknown object";
}

std::string lockstep::runtime::explainMisuse(const char *argument, const void *handle, HandleKind expected,
                                             const std::optional<HandleInfo> &info) {
  std::string expectation = std::string("argument '") + argument + "' must be " + nameWithArticle(expected);
  if (!handle)
    return expectation + ", but is null";
  char address[32];
  std::snprintf(address, sizeof(address), "%p", handle);
  if (!info)
    return expectation + ", but " + address + " is no handle that this library gave out";
  if (info->kind != expected)
    return expectation + ", but " + address + " is " +
           (info->state == HandleState::Destroyed ? "a destroyed handle, once " : "") + nameWithArticle(info->kind);
  if (info->state == HandleState::Destroyed)
    return expectation + ", but " + address + " was destroyed";
  if (info->state == HandleState::Idle)
    return expectation + ", but " + address +
           (info->kind == HandleKind::Graph ? " was launched already" : " was released to its pool");
  return "";
}

size_t HandleRegistry::shardIndex(const void *handle) {
  // Objects are aligned and often neighbours: mix the address, take bits from the middle.
  uint64_t value = reinterpret_cast<uintptr_t>(handle) * 0x9e3779b97f4a7c15ull;
  return (value >> 40) % kShardCount;
}

void HandleRegistry::Shard::bury(const void *handle) {
  graves.push_back(handle);
  if (graves.size() <= kGraveCountMax)
    return;
  auto oldest = handles.find(graves.front());
  if (oldest != handles.end() && oldest->second.state == HandleState::Destroyed)
    handles.erase(oldest);
  graves.pop_front();
}

void HandleRegistry::add(const void *handle, HandleInfo info) {
  info.serial = lastSerial.fetch_add(1, std::memory_order_relaxed) + 1;
  Shard &home = shard(handle);
  std::lock_guard<std::mutex> lock(home.mutex);
  home.handles[handle] = info;
}

std::optional<HandleInfo> HandleRegistry::find(const void *handle) const {
  const Shard &home = shard(handle);
  std::lock_guard<std::mutex> lock(home.mutex);
  auto found = home.handles.find(handle);
  if (found == home.handles.end())
    return std::nullopt;
  return found->second;
}

bool HandleRegistry::change(const void *handle, HandleState from, HandleState to) {
  Shard &home = shard(handle);
  std::lock_guard<std::mutex> lock(home.mutex);
  auto found = home.handles.find(handle);
  if (found == home.handles.end() || found->second.state != from)
    return false;
  found->second.state = to;
  if (to == HandleState::Destroyed)
    home.bury(handle);
  return true;
}

void HandleRegistry::retireOwnedBy(const void *owner) {
  for (Shard &home : shards) {
    std::lock_guard<std::mutex> lock(home.mutex);
    std::vector<const void *> retired;
    for (auto &[handle, info] : home.handles)
      if (info.owner == owner && info.state == HandleState::Live)
        retired.push_back(handle);
    for (const void *handle : retired) {
      home.handles[handle].state = HandleState::Destroyed;
      home.bury(handle);
    }
  }
}

std::vector<const void *> HandleRegistry::pooled(HandleKind kind) const {
  std::vector<const void *> result;
  for (const Shard &home : shards) {
    std::lock_guard<std::mutex> lock(home.mutex);
    for (const auto &[handle, info] : home.handles)
      if (info.isPooled && info.kind == kind && info.state != HandleState::Destroyed)
        result.push_back(handle);
  }
  return result;
}

void HandleRegistry::clear() {
  for (Shard &home : shards) {
    std::lock_guard<std::mutex> lock(home.mutex);
    home.handles.clear();
    home.graves.clear();
  }
}
