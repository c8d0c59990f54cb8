// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/GraphSlots.h"

#include <utility>

using namespace lockstep::runtime;

GraphSlots::Slot GraphSlots::find(void **home) {
  auto found = slots.find(home);
  bool isMeant = found != slots.end() && found->second->number == reinterpret_cast<uintptr_t>(*home);
  return isMeant ? found->second : nullptr;
}

GraphSlots::Slot GraphSlots::open(void **home, Slot &stale) {
  std::unique_lock<std::mutex> lock(mutex);
  Slot slot = find(home);
  while (slot && slot->isOpen) {
    if (slot->opener == std::this_thread::get_id())
      return nullptr;
    closed.wait(lock);
    slot = find(home);
  }
  if (!slot) {
    slot = std::make_shared<GraphSlot>();
    slot->number = ++lastNumber;
    *home = reinterpret_cast<void *>(slot->number);
    stale = std::exchange(slots[home], slot);
  }
  slot->isOpen = true;
  slot->opener = std::this_thread::get_id();
  return slot;
}

void GraphSlots::close(GraphSlot &slot) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    slot.isOpen = false;
  }
  closed.notify_all();
}

GraphSlots::Slot GraphSlots::findOpen(void **home) {
  std::lock_guard<std::mutex> lock(mutex);
  Slot slot = find(home);
  return slot && slot->isOpen && slot->opener == std::this_thread::get_id() ? slot : nullptr;
}

void GraphSlots::beginCapture(const Slot &slot, MgpuStream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  slot->captured = stream;
  captures.push_back(slot);
  captureCount.store(captures.size(), std::memory_order_release);
}

void GraphSlots::endCapture(GraphSlot &slot) {
  std::lock_guard<std::mutex> lock(mutex);
  slot.captured = nullptr;
  std::erase_if(captures, [&](const Slot &other) { return other.get() == &slot; });
  captureCount.store(captures.size(), std::memory_order_release);
}

GraphSlots::Slot GraphSlots::capturing() {
  if (captureCount.load(std::memory_order_acquire) == 0)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  for (auto slot = captures.rbegin(); slot != captures.rend(); ++slot)
    if ((*slot)->opener == std::this_thread::get_id())
      return *slot;
  return nullptr;
}

GraphSlots::Slot GraphSlots::remove(void **home) {
  std::unique_lock<std::mutex> lock(mutex);
  Slot slot = find(home);
  while (slot && slot->isOpen && slot->opener != std::this_thread::get_id()) {
    closed.wait(lock);
    slot = find(home);
  }
  *home = nullptr;
  if (slot)
    slots.erase(home);
  return slot;
}

std::vector<GraphSlots::Slot> GraphSlots::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Slot> all;
  for (auto &[home, slot] : slots)
    all.push_back(slot);
  slots.clear();
  return all;
}
