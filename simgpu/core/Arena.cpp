// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One memory file, mapped twice.

#include "simgpu/core/Arena.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

namespace lockstep::simgpu {

/// Device addresses are asked for here, far from where a system puts anything, so that they look the same in every run.
static constexpr uint64_t wantedBase = 0x200000000000;

[[noreturn]] static void failToReserve(const char *what) {
  fprintf(stderr, "lockstep simulated GPU: cannot reserve the device's address range: %s: %s\n", what, strerror(errno));
  exit(3);
}

Arena::Arena() {
  file = memfd_create("lockstep-device-memory", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, reservedBytes) != 0)
    failToReserve("memfd");
  void *device =
      mmap(reinterpret_cast<void *>(wantedBase), reservedBytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (device == MAP_FAILED)
    failToReserve("mmap of the device range");
  void *view = mmap(nullptr, reservedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (view == MAP_FAILED)
    failToReserve("mmap of the simulator's view");
  base = reinterpret_cast<uint64_t>(device);
  viewOffset = reinterpret_cast<uint64_t>(view) - base;
  nextFresh = base;
}

uint64_t Arena::spanOf(uint64_t sizeBytes) {
  return (sizeBytes + alignBytes - 1) / alignBytes * alignBytes + alignBytes;
}

uint64_t Arena::allocate(uint64_t sizeBytes) {
  if (sizeBytes > reservedBytes)
    return 0;
  uint64_t span = spanOf(sizeBytes);
  auto fit = free.find(span);
  if (fit != free.end()) {
    uint64_t address = fit->second;
    free.erase(fit);
    return address;
  }
  if (span > base + reservedBytes - nextFresh)
    return 0;
  uint64_t address = nextFresh;
  nextFresh += span;
  return address;
}

void Arena::release(uint64_t address, uint64_t sizeBytes) {
  uint64_t span = spanOf(sizeBytes);
  // Only whole pages can be given back, and a range's first and last page may be shared with neighbours.
  uint64_t pageBytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t first = (address - base + pageBytes - 1) / pageBytes * pageBytes;
  uint64_t last = (address - base + span) / pageBytes * pageBytes;
  if (first < last)
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
              static_cast<off_t>(last - first));
  free.emplace(span, address);
}

void Arena::releaseAll() {
  free.clear();
  if (nextFresh > base)
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(nextFresh - base));
  nextFresh = base;
}

void Arena::protect(int protection) {
  if (mprotect(reinterpret_cast<void *>(base), reservedBytes, protection) != 0)
    failToReserve("mprotect");
}

Arena::Open::Open(Arena &arena) : arena(arena) {
  std::lock_guard<std::mutex> guard(arena.openMutex);
  if (arena.openCount++ == 0)
    arena.protect(PROT_READ | PROT_WRITE);
}

Arena::Open::~Open() {
  std::lock_guard<std::mutex> guard(arena.openMutex);
  if (--arena.openCount == 0)
    arena.protect(PROT_NONE);
}

} // namespace lockstep::simgpu
