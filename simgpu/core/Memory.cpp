// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bookkeeping of ranges, poison and quarantine.

#include "simgpu/core/Memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <sys/mman.h>

namespace lockstep::simgpu {

/// Freed bytes that are kept out of use.
static constexpr uint64_t quarantineBoundBytes = uint64_t(256) << 20;

std::string Allocation::describe() const {
  return "allocation " + std::to_string(ordinal) + " of " + std::to_string(sizeBytes) + " bytes by " + call;
}

std::string Allocation::whyUnusable(bool isInGraph) const {
  if (isDead)
    return "which was freed";
  if (kind == MemoryKind::Graph)
    return freeWasQueued && !isInGraph ? "which no launch has allocated, or whose free is queued" : "";
  return freeWasQueued ? "whose free is queued" : "";
}

void Memory::restart(unsigned deviceCount, uint64_t limit) {
  for (const auto &entry : byAddress)
    if (!entry.second->isInArena())
      dispose(entry.second);
  byAddress.clear();
  quarantine.clear();
  quarantineBytes = 0;
  usedBytes.assign(deviceCount, 0);
  limitBytes = limit;
  lastOrdinal = 0;
  arena.releaseAll();
}

AllocationPtr Memory::allocate(MemoryKind kind, int deviceOrdinal, uint64_t sizeBytes) {
  assert(sizeBytes > 0 && kind != MemoryKind::HostRegistered);
  auto allocation = std::make_shared<Allocation>();
  allocation->kind = kind;
  allocation->sizeBytes = sizeBytes;
  allocation->deviceOrdinal = deviceOrdinal;
  if (allocation->isHost() || kind == MemoryKind::Managed) {
    void *pages = mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return nullptr;
    allocation->address = reinterpret_cast<uint64_t>(pages);
  } else {
    if (sizeBytes > limitBytes - usedBytes[deviceOrdinal])
      return nullptr;
    allocation->address = arena.allocate(sizeBytes);
    if (allocation->address == 0)
      return nullptr;
    usedBytes[deviceOrdinal] += sizeBytes;
  }
  memset(view(allocation->address), freshPattern, sizeBytes);
  allocation->ordinal = ++lastOrdinal;
  byAddress[allocation->address] = allocation;
  return allocation;
}

AllocationPtr Memory::registerHost(uint64_t address, uint64_t sizeBytes) {
  auto allocation = std::make_shared<Allocation>();
  allocation->kind = MemoryKind::HostRegistered;
  allocation->address = address;
  allocation->sizeBytes = sizeBytes;
  allocation->ordinal = ++lastOrdinal;
  byAddress[address] = allocation;
  return allocation;
}

void Memory::release(const AllocationPtr &allocation) {
  assert(!allocation->isDead);
  allocation->isDead = true;
  if (allocation->kind == MemoryKind::HostRegistered) {
    byAddress.erase(allocation->address);
    return;
  }
  memset(view(allocation->address), freedPattern, allocation->sizeBytes);
  if (allocation->isInArena())
    usedBytes[allocation->deviceOrdinal] -= allocation->sizeBytes;
  quarantine.push_back(allocation);
  quarantineBytes += allocation->sizeBytes;
  trimQuarantine(quarantineBoundBytes);
}

void Memory::trimQuarantine(uint64_t boundBytes) {
  while (quarantineBytes > boundBytes) {
    AllocationPtr oldest = quarantine.front();
    quarantine.pop_front();
    quarantineBytes -= oldest->sizeBytes;
    byAddress.erase(oldest->address);
    dispose(oldest);
  }
}

void Memory::dispose(const AllocationPtr &allocation) {
  allocation->isReleased = true;
  if (allocation->isInArena())
    arena.release(allocation->address, allocation->sizeBytes);
  else if (allocation->kind != MemoryKind::HostRegistered)
    munmap(reinterpret_cast<void *>(allocation->address), allocation->sizeBytes);
}

AllocationPtr Memory::find(uint64_t address) const {
  auto after = byAddress.upper_bound(address);
  if (after == byAddress.begin())
    return nullptr;
  const AllocationPtr &candidate = std::prev(after)->second;
  return address - candidate->address < candidate->sizeBytes ? candidate : nullptr;
}

AllocationPtr Memory::findOverlap(uint64_t address, uint64_t sizeBytes) const {
  AllocationPtr covering = find(address);
  if (covering && !covering->isDead)
    return covering;
  for (auto next = byAddress.lower_bound(address); next != byAddress.end() && next->first - address < sizeBytes; ++next)
    if (!next->second->isDead)
      return next->second;
  return nullptr;
}

std::vector<AllocationPtr> Memory::listLive() const {
  std::vector<AllocationPtr> live;
  for (const auto &entry : byAddress)
    if (!entry.second->isDead)
      live.push_back(entry.second);
  std::sort(live.begin(), live.end(), [](const auto &a, const auto &b) { return a->ordinal < b->ordinal; });
  return live;
}

} // namespace lockstep::simgpu
