// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ran, in the order in which it ran.
//
// Not thread safe; the machine's lock guards it.

#ifndef LOCKSTEP_SIMGPU_CORE_TRACE_H
#define LOCKSTEP_SIMGPU_CORE_TRACE_H

#include "simgpu/core/Operation.h"

#include <string>
#include <vector>

namespace lockstep::simgpu {

class Trace {
public:
  void clear();
  /// `operation` has just ended.
  void add(const Operation &operation);
  /// Covers order, kind, stream, size and detail of every operation, and no address or time.
  uint64_t getHash() const { return hash; }
  /// One line an operation. Returns 0, or errno.
  int write(const char *path) const;

private:
  static constexpr uint64_t hashStart = 0xCBF29CE484222325ull;
  void mix(const void *bytes, size_t sizeBytes);
  uint64_t hash = hashStart;
  std::vector<std::string> lines;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_TRACE_H
