// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address range of device memory. The range exists twice: at the device's addresses, where only kernels may touch
// it, and in a second mapping through which the simulator copies. Host code that touches a device address faults; a
// handler says so on standard error, keeps a finding, and passes the signal on.
//
// The arena hands out addresses; what lives there is Memory.h's business. Thread safe where noted.

#ifndef LOCKSTEP_SIMGPU_CORE_ARENA_H
#define LOCKSTEP_SIMGPU_CORE_ARENA_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace lockstep::simgpu {

class Arena {
public:
  /// Maps the range; there is one arena a process, and it is never unmapped. Ends the process with a message where the
  /// system refuses the mapping.
  Arena();

  bool contains(uint64_t address) const { return address - base < reservedBytes; }
  /// Where the simulator itself reads and writes a device address. Thread safe.
  void *view(uint64_t address) const { return reinterpret_cast<void *>(address + viewOffset); }

  /// A free range of at least `sizeBytes`, aligned to 512 bytes, with a gap behind it; 0 where the range is used up.
  uint64_t allocate(uint64_t sizeBytes);
  /// Makes the range available again and gives its pages back to the system.
  void release(uint64_t address, uint64_t sizeBytes);
  /// Makes the whole range available again.
  void releaseAll();

  /// While one exists, device addresses can be touched. They nest, over all threads. Thread safe.
  class Open {
  public:
    explicit Open(Arena &arena);
    ~Open();
    Open(const Open &) = delete;

  private:
    Arena &arena;
  };

private:
  void protect(int protection);
  static uint64_t spanOf(uint64_t sizeBytes);

  static constexpr uint64_t reservedBytes = uint64_t(64) << 30;
  static constexpr uint64_t alignBytes = 512;
  int file = -1;
  uint64_t base = 0;
  uint64_t viewOffset = 0;
  uint64_t nextFresh = 0;                 ///< All of the range from here on was never handed out.
  std::multimap<uint64_t, uint64_t> free; ///< Released ranges: size to address.
  std::mutex openMutex;
  unsigned openCount = 0;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_ARENA_H
