// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Pool.h"

using namespace lockstep::runtime;

void *FreeList::take(int32_t device) {
  std::lock_guard<std::mutex> lock(mutex);
  std::deque<void *> &handles = free[device];
  if (handles.empty())
    return nullptr;
  void *handle = handles.front();
  handles.pop_front();
  return handle;
}

void FreeList::give(int32_t device, void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  free[device].push_back(handle);
}

void FreeList::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  free.clear();
}

void HandleSet::set(void *handle, bool isMember) {
  std::lock_guard<std::mutex> lock(mutex);
  if (isMember)
    members.insert(handle);
  else
    members.erase(handle);
}

bool HandleSet::contains(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  return members.count(handle) != 0;
}

void HandleSet::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  members.clear();
}

void ReferenceCounts::start(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  counts[handle] = 1;
}

bool ReferenceCounts::retain(void *handle, int64_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = counts.find(handle);
  if (found == counts.end())
    return false;
  found->second += count;
  return true;
}

ReferenceCounts::Release ReferenceCounts::release(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = counts.find(handle);
  if (found == counts.end())
    return Release::Unknown;
  if (--found->second > 0)
    return Release::StillUsed;
  counts.erase(found);
  return Release::LastUser;
}

void ReferenceCounts::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  counts.clear();
}
