// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulator found: things that a program did and must not do. A finding is kept until the next reset; adding
// one prints nothing, except where said otherwise.
//
// Not thread safe; the machine's lock guards it.

#ifndef LOCKSTEP_SIMGPU_CORE_FINDINGS_H
#define LOCKSTEP_SIMGPU_CORE_FINDINGS_H

#include <deque>
#include <string>

namespace lockstep::simgpu {

struct Finding {
  std::string oracle;  ///< "lifetime", "errors", "memory", "order" or "leak".
  std::string rule;    ///< Label in docs/SPEC.md, or "".
  std::string call;    ///< The driver call that was wrong, or "".
  std::string message; ///< One line, without the call's name in front.
  std::string op;      ///< The program's op that the call belongs to, or "".
};

class FindingLog {
public:
  void add(Finding finding) { findings.push_back(std::move(finding)); }
  void clear() { findings.clear(); }
  size_t count() const { return findings.size(); }
  /// The reference stays valid until clear().
  const Finding &at(size_t index) const { return findings[index]; }

private:
  std::deque<Finding> findings;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_FINDINGS_H
